import type { Automaton, Step } from "./automaton.js";
import type { CharacterClasses } from "./character-classes.js";
import { holds, type Neighbour } from "./neighbour.js";

/**
 * Runs an automaton by taking all steps at once at each character, and keeps nothing: for texts that would lead to ever
 * new states, where finding out where each leads costs many times as much as going there once.
 */
export class Simulation {
  readonly #steps: readonly Step[];
  /** For each step that reads a character, the number of its set. */
  readonly #sets: readonly number[];
  /** Where a text may begin to match at any character; undefined when it may only at its begin. */
  readonly #again: number | undefined;
  /** At which character each step was reached last. */
  readonly #reached: Uint32Array<ArrayBuffer>;
  #now = 0;
  #here: Uint32Array<ArrayBuffer>;
  #next: Uint32Array<ArrayBuffer>;
  #count = 0;

  constructor({ steps, start }: Automaton, sets: readonly number[], anchored: boolean) {
    this.#steps = steps;
    this.#sets = sets;
    this.#again = anchored ? undefined : start;
    this.#reached = new Uint32Array(steps.length);
    this.#here = new Uint32Array(steps.length);
    this.#next = new Uint32Array(steps.length);
  }

  /** Whether a text matches whose characters up to `at` have led to these steps. */
  test(
    text: string,
    at: number,
    from: readonly number[],
    neighbour: Neighbour,
    classes: CharacterClasses,
  ): boolean {
    let before = neighbour;
    this.#begin();
    for (const place of from) this.#reach(place);
    this.#swap();
    let width = this.#count;
    for (let i = at; i < text.length; i++) {
      const code = text.codePointAt(i) ?? 0;
      if (code > 0xffff) i++;
      const character = classes.of(code);
      if (this.#advance(width, before, character.neighbour, character.members)) return true;
      width = this.#count;
      if (width === 0) return false;
      before = character.neighbour;
    }
    return this.#advance(width, before, "none", nothing);
  }

  /** Goes from the steps that were reached over one character; tells whether the pattern has matched before it. */
  #advance(width: number, before: Neighbour, after: Neighbour, members: readonly boolean[]): boolean {
    const here = this.#here;
    let ahead = width;
    // Forks and assertions lead to more steps before the same character.
    const seen = this.#now;
    const enter = (place: number) => {
      if (this.#reached[place] === seen) return;
      this.#reached[place] = seen;
      here[ahead++] = place;
    };
    const taken: number[] = this.#taken;
    let count = 0;
    for (let i = 0; i < ahead; i++) {
      const place = here[i] ?? 0;
      const step = this.#steps[place];
      if (step === undefined || step.type === "match") return true;
      if (step.type === "char") {
        if (members[this.#sets[place] ?? 0] === true) taken[count++] = step.next;
      } else if (step.type === "fork") for (const way of step.next) enter(way);
      else if (holds(step.assertion, before, after)) enter(step.next);
    }
    this.#begin();
    for (let i = 0; i < count; i++) this.#reach(taken[i] ?? 0);
    if (this.#again !== undefined) this.#reach(this.#again);
    this.#swap();
    return false;
  }

  readonly #taken: number[] = [];

  #begin(): void {
    this.#now++;
    if (this.#now > 0xffffffff) {
      this.#reached.fill(0);
      this.#now = 1;
    }
    this.#count = 0;
  }

  #reach(place: number): void {
    if (this.#reached[place] === this.#now) return;
    this.#reached[place] = this.#now;
    this.#next[this.#count++] = place;
  }

  #swap(): void {
    [this.#here, this.#next] = [this.#next, this.#here];
  }
}

const nothing: readonly boolean[] = [];

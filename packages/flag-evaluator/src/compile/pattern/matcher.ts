import type { Automaton } from "./automaton.js";
import type { CharSet } from "./char-set.js";
import { type CharacterClass, CharacterClasses, UNKNOWN } from "./character-classes.js";
import { holds, type Neighbour } from "./neighbour.js";
import { Simulation } from "./simulation.js";
import type { Assertion } from "./syntax-tree.js";

/** All the steps at which an automaton can be at once, and where each class of characters leads from there. */
interface State {
  readonly steps: readonly number[];
  readonly before: Neighbour;
  readonly next: (State | undefined)[];
  /** Whether the pattern matches, if no further character can change that. */
  readonly decided: boolean | undefined;
  /** Whether it matches if the text ends here; undefined until that was asked. */
  matchesAtEnd: boolean | undefined;
}

const MATCHED: State = { steps: [], before: "none", next: [], decided: true, matchesAtEnd: true };

/** Patterns in use have some dozens. */
const MAX_STATES = 200;
/** Those that are kept may be of no use for the texts that come now: then others are found. */
const FORGET_AFTER = 200_000;
/** A text does not match for which taking all steps at every character would be more than this. */
export const MAX_WORK = 4_000_000;

/**
 * Runs an automaton over texts, in time proportional to their length whatever the pattern: it is not at one step with
 * others left to try, but at all of them at once. Where a character leads from there is found out once, and kept; a text
 * that leads to more such states than are kept goes on without them.
 */
export class Matcher {
  readonly #automaton: Automaton;
  readonly #simulation: Simulation;
  readonly #sets: readonly CharSet[];
  /** For each step that reads a character, the number of its set. */
  readonly #setOf: readonly number[];
  readonly #asserts: boolean;
  readonly #anchored: boolean;
  readonly #states = new Map<string, State>();
  #classes: CharacterClasses;
  #start: State | undefined;
  /** How many characters have gone without states since they were forgotten. */
  #simulated = 0;

  constructor(automaton: Automaton) {
    const { steps, start } = automaton;
    this.#automaton = automaton;
    // A part that comes several times has one set.
    this.#sets = [...new Set(steps.flatMap((step) => (step.type === "char" ? [step.set] : [])))];
    const numbers = new Map(this.#sets.map((set, number) => [set, number]));
    this.#setOf = steps.map((step) => (step.type === "char" ? (numbers.get(step.set) ?? 0) : 0));
    this.#classes = new CharacterClasses(this.#sets);
    this.#asserts = steps.some((step) => step.type === "assertion");
    const unanchored = this.#follow([start], (assertion) => assertion !== "beginText");
    this.#anchored = !unanchored.matched && unanchored.characters.length === 0;
    this.#simulation = new Simulation(automaton, this.#setOf, this.#anchored);
  }

  /** How many steps one character takes at most. */
  get steps(): number {
    return this.#automaton.steps.length;
  }

  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    if (text.length * this.steps > MAX_WORK) return false;
    if (this.#simulated > FORGET_AFTER) this.#forget();
    this.#start ??= this.#state([this.#automaton.start], "none");
    if (this.#start === undefined) return false;
    const classes = this.#classes;
    const { ascii } = classes;
    let state = this.#start;
    for (let i = 0; i < text.length; i++) {
      let code = text.charCodeAt(i);
      let index = ascii[code];
      if (index === undefined) {
        code = text.codePointAt(i) ?? code;
        index = classes.indexOf(code);
      }
      const next = state.next[index] ?? this.#advance(state, classes.of(code));
      if (next === undefined) {
        this.#simulated += text.length - i;
        return this.#simulation.test(text, i, state.steps, state.before, classes);
      }
      if (code > 0xffff) i++;
      state = next;
      if (state.decided !== undefined) return state.decided;
    }
    state.matchesAtEnd ??= this.#follow(state.steps, (assertion) =>
      holds(assertion, state.before, "none"),
    ).matched;
    return state.matchesAtEnd;
  }

  /** Finds out where a character leads, and keeps it. Undefined when no more is kept. */
  #advance(state: State, { index, neighbour: after, members }: CharacterClass): State | undefined {
    if (index === UNKNOWN) return undefined;
    const { matched, characters } = this.#follow(state.steps, (assertion) =>
      holds(assertion, state.before, after),
    );
    let next: State | undefined = MATCHED;
    if (!matched) {
      const places = new Set<number>();
      for (const place of characters) {
        const step = this.#automaton.steps[place];
        if (step?.type === "char" && members[this.#setOf[place] ?? 0] === true) places.add(step.next);
      }
      if (!this.#anchored) places.add(this.#automaton.start);
      next = this.#state(
        [...places].sort((a, b) => a - b),
        after,
      );
    }
    if (next !== undefined) state.next[index] = next;
    return next;
  }

  /** Goes on from steps, through forks and assertions that hold, to all that read a character. */
  #follow(
    from: readonly number[],
    passes: (assertion: Assertion) => boolean,
  ): { readonly matched: boolean; readonly characters: readonly number[] } {
    const characters: number[] = [];
    let matched = false;
    const places = new Set(from);
    // A Set also yields what is added while it is iterated.
    for (const place of places) {
      const step = this.#automaton.steps[place];
      if (step?.type === "char") characters.push(place);
      else if (step?.type === "fork") for (const way of step.next) places.add(way);
      else if (step?.type === "match") matched = true;
      else if (step !== undefined && passes(step.assertion)) places.add(step.next);
    }
    return { matched, characters };
  }

  /** The state with these steps, unless there are too many. */
  #state(steps: readonly number[], before: Neighbour): State | undefined {
    const seen = this.#asserts ? before : "none";
    const key = `${seen} ${steps.join()}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#states.size >= MAX_STATES) return undefined;
    const decided = steps.length === 0 ? false : undefined;
    const state: State = { steps, before: seen, next: [], decided, matchesAtEnd: undefined };
    this.#states.set(key, state);
    return state;
  }

  #forget(): void {
    this.#simulated = 0;
    this.#start = undefined;
    this.#states.clear();
    this.#classes = new CharacterClasses(this.#sets);
  }
}

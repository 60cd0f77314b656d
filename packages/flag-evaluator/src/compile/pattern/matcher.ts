import type { Automaton } from "./automaton.js";
import type { CharSet } from "./char-set.js";
import type { Assertion } from "./syntax-tree.js";

/** What assertions know of the character on one side of them. */
type Neighbour = "none" | "newline" | "word" | "other";

/** All the steps at which an automaton can be at once, and where each symbol leads from there. */
interface State {
  readonly steps: readonly number[];
  readonly before: Neighbour;
  readonly next: (State | undefined)[];
  /** Whether the pattern matches, if no further character can change that. */
  readonly decided: boolean | undefined;
  /** Whether it matches if the text ends here; undefined until that was asked. */
  matchesAtEnd: boolean | undefined;
}

/** Not a symbol: no state leads anywhere by it. */
const UNKNOWN = 0;
const ASCII = 128;
const MATCHED: State = { steps: [], before: "none", next: [], decided: true, matchesAtEnd: true };
const REPLACEMENT_CHARACTER = 0xfffd;

/** When more than this was found out, it is forgotten and begun anew. */
const MAX_STATES = 500;
const MAX_SYMBOLS = 500;
const MAX_CODES = 2000;
/** A text does not match for which taking all steps at every character would be more than this. */
const MAX_WORK = 4_000_000;

/**
 * Runs an automaton over texts, in time proportional to their length whatever the pattern: it is not at one step with
 * others left to try, but at all of them at once. Where a symbol leads from there is found out once, and kept.
 */
export class Matcher {
  readonly #automaton: Automaton;
  readonly #sets: readonly CharSet[];
  readonly #asserts: boolean;
  readonly #anchored: boolean;
  readonly #states = new Map<string, State>();
  /** All characters between which the pattern makes no difference are one symbol. */
  readonly #symbolByKey = new Map<string, number>();
  readonly #asciiSymbols = new Int16Array(ASCII);
  readonly #symbols = new Map<number, number>();
  #start: State | undefined;

  constructor(automaton: Automaton) {
    const { steps, start } = automaton;
    this.#automaton = automaton;
    this.#sets = steps.flatMap((step) => (step.type === "char" ? [step.set] : []));
    this.#asserts = steps.some((step) => step.type === "assertion");
    const unanchored = this.#follow([start], (assertion) => assertion !== "beginText");
    this.#anchored = !unanchored.matched && unanchored.characters.length === 0;
  }

  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    if (text.length * this.#automaton.steps.length > MAX_WORK) return false;
    this.#start ??= this.#state([this.#automaton.start], "none");
    const ascii = this.#asciiSymbols;
    let state = this.#start;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < ASCII) {
        state = state.next[ascii[unit] ?? UNKNOWN] ?? this.#advance(state, unit);
      } else {
        const code = text.codePointAt(i) ?? unit;
        if (code > 0xffff) i++;
        state = state.next[this.#symbols.get(code) ?? UNKNOWN] ?? this.#advance(state, code);
      }
      if (state.decided !== undefined) return state.decided;
    }
    state.matchesAtEnd ??= this.#follow(state.steps, (assertion) =>
      holds(assertion, state.before, "none"),
    ).matched;
    return state.matchesAtEnd;
  }

  /** Finds out where a character leads, and keeps it. */
  #advance(from: State, code: number): State {
    let state = from;
    if (this.#states.size >= MAX_STATES || this.#symbolByKey.size >= MAX_SYMBOLS) {
      this.#forget();
      state = this.#state(from.steps, from.before);
    }
    const character = isSurrogate(code) ? REPLACEMENT_CHARACTER : code;
    const next = this.#behind(state, character);
    state.next[this.#symbol(code, character)] = next;
    return next;
  }

  /** The state behind a character. */
  #behind({ steps, before }: State, code: number): State {
    const after = neighbour(code);
    const { matched, characters } = this.#follow(steps, (assertion) => holds(assertion, before, after));
    if (matched) return MATCHED;
    const next = new Set<number>();
    for (const { set, next: place } of characters) if (set.has(code)) next.add(place);
    if (!this.#anchored) next.add(this.#automaton.start);
    return this.#state(
      [...next].sort((a, b) => a - b),
      after,
    );
  }

  /** Goes on from steps, through forks and assertions that hold, to all characters that may come next. */
  #follow(
    from: readonly number[],
    passes: (assertion: Assertion) => boolean,
  ): { readonly matched: boolean; readonly characters: readonly CharStep[] } {
    const characters: CharStep[] = [];
    let matched = false;
    const places = new Set(from);
    // A Set also yields what is added while it is iterated.
    for (const place of places) {
      const step = this.#automaton.steps[place];
      if (step?.type === "char") characters.push(step);
      else if (step?.type === "fork") for (const way of step.next) places.add(way);
      else if (step?.type === "match") matched = true;
      else if (step !== undefined && passes(step.assertion)) places.add(step.next);
    }
    return { matched, characters };
  }

  #state(steps: readonly number[], before: Neighbour): State {
    const seen = this.#asserts ? before : "none";
    const key = `${seen} ${steps.join()}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const decided = steps.length === 0 ? false : undefined;
    const state: State = { steps, before: seen, next: [], decided, matchesAtEnd: undefined };
    this.#states.set(key, state);
    return state;
  }

  #symbol(code: number, character: number): number {
    const key = `${neighbour(character)} ${this.#sets.map((set) => (set.has(character) ? 1 : 0)).join("")}`;
    const symbol = this.#symbolByKey.get(key) ?? UNKNOWN + 1 + this.#symbolByKey.size;
    this.#symbolByKey.set(key, symbol);
    if (code < ASCII) this.#asciiSymbols[code] = symbol;
    else if (this.#symbols.size < MAX_CODES) this.#symbols.set(code, symbol);
    return symbol;
  }

  #forget(): void {
    this.#start = undefined;
    this.#states.clear();
    this.#symbolByKey.clear();
    this.#symbols.clear();
    this.#asciiSymbols.fill(UNKNOWN);
  }
}

type CharStep = { readonly set: CharSet; readonly next: number };

function neighbour(code: number): Neighbour {
  if (code === 10) return "newline";
  return /\w/.test(String.fromCodePoint(code)) ? "word" : "other";
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function holds(assertion: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (assertion) {
    case "beginText":
      return before === "none";
    case "endText":
      return after === "none";
    case "beginLine":
      return before === "none" || before === "newline";
    case "endLine":
      return after === "none" || after === "newline";
    case "wordBoundary":
      return (before === "word") !== (after === "word");
    case "noWordBoundary":
      return (before === "word") === (after === "word");
  }
}

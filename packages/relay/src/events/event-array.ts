import type { Steps } from "@wye/flag-evaluator";
import {
  broken,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  scanName,
  scanScalar,
  skipBlanks,
} from "./json-scanner.js";

/** The deepest nesting of a body of events. What is read has to be written again, and neither may overflow the stack. */
export const maxEventDepth = 256;

/** What a body of events looks like from outside. */
export type EventArray =
  | {
      readonly kind: "events";
      /** How many events there are. */
      readonly count: number;
      /** Where the first one begins. */
      readonly start: number;
      /** Where each of the first ones ends: there is a comma, or the closing bracket. */
      readonly ends: readonly number[];
    }
  | { readonly kind: "too-deep" }
  | { readonly kind: "not-an-array" }
  | { readonly kind: "not-json"; readonly at: number };

/** So many bytes are looked at between two steps. */
const perStep = 64 * 1024;

/**
 * Counts the events of a body, finds where the first ones end, at most so many, sees to it that all is valid JSON and judges how deep
 * it nests, without building anything: parsing costs many times as much, and can be made to cost far more.
 */
export function* scanEvents(bytes: Uint8Array, most: number): Steps<EventArray> {
  const opens = skipBlanks(bytes, 0);
  if (bytes[opens] !== openBracket) return { kind: "not-an-array" };
  const scan = new EventScan(bytes, opens, most);
  for (;;) {
    const found = scan.goOn(perStep);
    if (found !== undefined) return found;
    yield perStep;
  }
}

/** Bodies that are read in one go share this. */
const sharedOpen = new Uint8Array(maxEventDepth + 1);

/** One way through a body. */
class EventScan {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #most: number;
  readonly #ends: number[] = [];
  #count = 0;
  /** Where it goes on. */
  #at: number;
  /** The brackets that are open, by depth. */
  readonly #open: Uint8Array;
  #depth = 0;
  /** Where it is no JSON. */
  #fault = 0;

  constructor(bytes: Uint8Array, opens: number, most: number) {
    this.#bytes = bytes;
    this.#start = opens + 1;
    this.#at = opens;
    this.#most = most;
    this.#open = bytes.length <= perStep ? sharedOpen : new Uint8Array(maxEventDepth + 1);
  }

  /** Looks at so many bytes more, or up to the end of the value that is there. Gives nothing as long as it is not through. */
  goOn(count: number): EventArray | undefined {
    const bytes = this.#bytes;
    const until = this.#at + count;
    let at = this.#at;
    while (at !== broken) {
      if (at >= until) {
        this.#at = at;
        return undefined;
      }
      const first = bytes[at];
      if (first === openBracket || first === openBrace) {
        if (this.#depth === maxEventDepth) return { kind: "too-deep" };
        this.#open[++this.#depth] = first;
        const inside = skipBlanks(bytes, at + 1);
        if (bytes[inside] !== closing(first)) {
          at = this.#valueAt(inside, first);
          continue;
        }
        at = inside + 1;
        this.#depth--;
      } else {
        const end = scanScalar(bytes, at);
        if (end === broken) return { kind: "not-json", at };
        at = end;
      }
      at = this.#leave(at);
      if (at !== broken && this.#depth === 0) {
        return { kind: "events", count: this.#count, start: this.#start, ends: this.#ends };
      }
    }
    return { kind: "not-json", at: this.#fault };
  }

  /** Goes from behind a value, out of what ends with it, to the next value, or to the end of the body. */
  #leave(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (this.#depth > 0) {
      const end = skipBlanks(bytes, at);
      const bracket = this.#open[this.#depth];
      const separates = bytes[end] === comma;
      if (!separates && bytes[end] !== closing(bracket)) return this.#broken(end);
      if (this.#depth === 1) this.#countEvent(end);
      if (separates) return this.#valueAt(skipBlanks(bytes, end + 1), bracket);
      at = end + 1;
      this.#depth--;
    }
    const end = skipBlanks(bytes, at);
    return end === bytes.length ? end : this.#broken(end);
  }

  #countEvent(end: number): void {
    if (this.#count < this.#most) this.#ends.push(end);
    this.#count++;
  }

  /** Where the value begins that is next inside a bracket: in an object, behind its name. */
  #valueAt(place: number, bracket: number | undefined): number {
    if (bracket !== openBrace) return place;
    const value = scanName(this.#bytes, place);
    return value === broken ? this.#broken(place) : value;
  }

  #broken(place: number): number {
    this.#fault = place;
    return broken;
  }
}

function closing(bracket: number | undefined): number {
  return bracket === openBrace ? closeBrace : closeBracket;
}

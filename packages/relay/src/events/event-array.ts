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

/** How much of a body may be taken. */
export interface EventRoom {
  readonly count: number;
  readonly bytes: number;
}

/** What a body of events looks like from outside. */
export type EventArray =
  | {
      readonly kind: "events";
      /** How many events there are. */
      readonly count: number;
      /** Where the first one begins. */
      readonly start: number;
      /** Where each one ends that there is room for: there is a comma, or the closing bracket. */
      readonly ends: readonly number[];
    }
  | { readonly kind: "too-deep" }
  | { readonly kind: "not-an-array" }
  | { readonly kind: "not-json"; readonly at: number };

/**
 * Counts the events of a body, finds those that there is room for, sees to it that all is valid JSON and judges how deep
 * it nests, without building anything: parsing costs many times as much, and can be made to cost far more.
 */
export function scanEvents(bytes: Uint8Array, room: EventRoom): EventArray {
  const opens = skipBlanks(bytes, 0);
  if (bytes[opens] !== openBracket) return { kind: "not-an-array" };
  const start = opens + 1;
  const ends: number[] = [];
  let count = 0;
  /** The brackets that are open. */
  const open = new Uint8Array(maxEventDepth + 1);
  let depth = 0;
  let at = opens;
  for (;;) {
    // Here a value begins.
    const first = bytes[at];
    if (first === openBracket || first === openBrace) {
      if (depth === maxEventDepth) return { kind: "too-deep" };
      open[++depth] = first;
      const inside = skipBlanks(bytes, at + 1);
      if (bytes[inside] !== closing(first)) {
        at = first === openBrace ? scanName(bytes, inside) : inside;
        if (at === broken) return { kind: "not-json", at: inside };
        continue;
      }
      at = inside + 1;
      depth--;
    } else {
      const end = scanScalar(bytes, at);
      if (end === broken) return { kind: "not-json", at };
      at = end;
    }
    // A value has ended, and with it perhaps what is around it.
    for (;;) {
      if (depth === 0) {
        const end = skipBlanks(bytes, at);
        return end === bytes.length ? { kind: "events", count, start, ends } : { kind: "not-json", at: end };
      }
      const end = skipBlanks(bytes, at);
      const separates = bytes[end] === comma;
      if (!separates && bytes[end] !== closing(open[depth])) return { kind: "not-json", at: end };
      if (depth === 1) {
        if (ends.length === count && count < room.count && end - start <= room.bytes) ends.push(end);
        count++;
      }
      if (!separates) {
        at = end + 1;
        depth--;
        continue;
      }
      const next = skipBlanks(bytes, end + 1);
      at = open[depth] === openBrace ? scanName(bytes, next) : next;
      if (at === broken) return { kind: "not-json", at: next };
      break;
    }
  }
}

function closing(bracket: number | undefined): number {
  return bracket === openBrace ? closeBrace : closeBracket;
}

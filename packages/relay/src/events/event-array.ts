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
      /** How many of them, from the first, there is room for. */
      readonly kept: number;
      /** Where the kept ones stand: the bytes between two brackets. */
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: "too-deep" }
  /** Something else than an array, or not JSON. */
  | { readonly kind: "other" };

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Counts the events of a body, finds those that there is room for, and judges how deep they nest, without building
 * anything: what there is no room for is never parsed. Whether the body is valid JSON remains to be seen.
 */
export function scanEvents(bytes: Uint8Array, room: EventRoom): EventArray {
  const first = skipBlanks(bytes, 0);
  if (bytes[first] !== openBracket) return { kind: "other" };
  const start = first + 1;
  const empty = bytes[skipBlanks(bytes, start)] === closeBracket;
  let count = empty ? 0 : 1;
  let kept = 0;
  let end = start;
  let depth = 1;
  /** Notes that the event number `count` ends here. */
  function ends(at: number): void {
    if (kept !== count - 1 || count > room.count || at - start > room.bytes) return;
    kept = count;
    end = at;
  }
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === openBracket || byte === openBrace) {
      if (++depth > maxEventDepth) return { kind: "too-deep" };
    } else if (byte === closeBracket || byte === closeBrace) {
      if (--depth > 0) continue;
      if (!empty) ends(at);
      const closed = skipBlanks(bytes, at + 1) === bytes.length;
      return closed ? { kind: "events", count, kept, start, end } : { kind: "other" };
    } else if (byte === comma && depth === 1) {
      ends(at);
      count++;
    }
  }
  return { kind: "other" };
}

/** The place of the closing quote of the string that opens at `open`. */
function endOfString(bytes: Uint8Array, open: number): number {
  let at = open + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

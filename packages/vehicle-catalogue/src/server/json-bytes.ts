import type { Sliced } from "../records/sliced.js";
import { builtinModules } from "./builtin-modules.js";

/**
 * JSON that has not been taken apart. Of a long list, each record is taken out when it is its turn, so that nobody waits for the
 * whole and not all records are in memory beside what is made of them.
 */
export class JsonBytes {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** All of it. Throws what `JSON.parse` throws. */
  whole(): unknown {
    return JSON.parse(new TextDecoder().decode(this.#bytes));
  }

  /**
   * The records of a list, or of an object with nothing but the list `vehicles`; undefined when it is anything else, which may be
   * no JSON at all.
   */
  *records(): Sliced<Iterable<unknown> | undefined> {
    const borders = yield* bordersOf(this.#bytes);
    return borders && { [Symbol.iterator]: () => this.#parsed(borders) };
  }

  *#parsed(borders: readonly number[]): Generator<unknown> {
    const text = textReader(this.#bytes);
    for (let at = 1; at < borders.length; at++) {
      const record = text((borders[at - 1] ?? 0) + 1, borders[at] ?? 0);
      // Between the brackets of an empty list there is nothing.
      if (borders.length === 2 && record.trim() === "") return;
      yield this.#parse(record);
    }
  }

  #parse(record: string): unknown {
    try {
      return JSON.parse(record);
    } catch (error) {
      // The same complaint about all of it tells the place.
      this.whole();
      throw error;
    }
  }
}

const code = {
  quote: 0x22,
  comma: 0x2c,
  open: 0x5b,
  backslash: 0x5c,
  close: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
};

/** So many bytes are looked at without a break. */
const bytesPerStep = 65_536;

/** Where the list begins, where its records are parted, and where it ends. What the records are is not looked at. */
function* bordersOf(bytes: Uint8Array): Sliced<readonly number[] | undefined> {
  const start = startOf(bytes);
  if (start === undefined) return undefined;
  const borders = [start.list];
  let depth = 0;
  let pause = bytesPerStep;
  for (let at = start.list + 1; at < bytes.length; at++) {
    if (at > pause) {
      yield;
      pause = at + bytesPerStep;
    }
    const byte = bytes[at];
    if (byte === code.quote) {
      at = endOfText(bytes, at);
    } else if (byte === code.comma) {
      if (depth === 0) borders.push(at);
    } else if (byte === code.open || byte === code.openObject) {
      depth++;
    } else if ((byte === code.close || byte === code.closeObject) && --depth < 0) {
      borders.push(at);
      return latin1(bytes.subarray(at, at + 100)).replace(/[ \t\r\n]+/g, "") === start.end
        ? borders
        : undefined;
    }
  }
  return undefined;
}

/** Where the list begins, and what has to stand from its end on. */
function startOf(bytes: Uint8Array): { readonly list: number; readonly end: string } | undefined {
  const found = /^(?:\xef\xbb\xbf)?[ \t\r\n]*(\{[ \t\r\n]*"vehicles"[ \t\r\n]*:[ \t\r\n]*)?\[/.exec(
    latin1(bytes.subarray(0, 100)),
  );
  if (found === null) return undefined;
  return { list: found[0].length - 1, end: found[1] === undefined ? "]" : "]}" };
}

/** Where a text ends that begins at a quote. */
function endOfText(bytes: Uint8Array, quote: number): number {
  for (let at = bytes.indexOf(code.quote, quote + 1); at >= 0; at = bytes.indexOf(code.quote, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === code.backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Reads pieces of UTF-8. */
function textReader(bytes: Uint8Array): (from: number, to: number) => string {
  const node = builtinModules()?.("node:buffer");
  if (node === undefined) {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return (from, to) => decoder.decode(bytes.subarray(from, to));
  }
  const buffer = node.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (from, to) => buffer.toString("utf8", from, to);
}

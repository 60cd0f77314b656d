import type { ByteWindow } from "./byte-window.js";

/** The beginning of an object, to behind the name of its first member. */
const beginning = /^[ \t\r\n]*\{[ \t\r\n]*"[^"\\]{1,50}"[ \t\r\n]*:/;

/**
 * Where an item of a list is likely to end: records of a list begin alike, so that what is between two of them is found without a look at
 * each byte. `JSON.parse` is the judge: what it takes for an object ends where the object does, because no object has another one as its
 * beginning.
 */
export class LikelyBorder {
  #bytes: Uint8Array | undefined;

  /** Made after an item that was like this. */
  constructor(text: string) {
    const [start] = beginning.exec(text) ?? [];
    this.#bytes = start === undefined ? undefined : new TextEncoder().encode(`},${start}`);
  }

  /** The next item, if the guess is right; the window is behind it then. A guess that was wrong once is not made again. */
  itemIn(window: ByteWindow): object | undefined {
    if (this.#bytes === undefined || !window.atBytes(this.#bytes)) return undefined;
    try {
      const item: object = JSON.parse(window.seen());
      window.taken();
      return item;
    } catch {
      this.#bytes = undefined;
      window.back();
      return undefined;
    }
  }
}

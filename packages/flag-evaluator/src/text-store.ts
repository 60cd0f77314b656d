const OPENING_BRACE = 0x7b;
const COMMA = 0x2c;
const CLOSING_BRACE = 0x7d;

/**
 * The members of responses, all ASCII, as bytes in one place. A response is gathered there by copying, which is faster than
 * joining strings.
 */
export class TextStore {
  /** Begin and end of each text, two places for a number; an end of 0 says that it is not there yet. */
  #spans = new Int32Array(1024);
  #bytes = new Uint8Array(1 << 16);
  #used = 0;

  has(number: number): boolean {
    return (this.#spans[2 * number + 1] ?? 0) > 0;
  }

  /** Keeps a text under a number. */
  keep(number: number, text: string): void {
    if (2 * number >= this.#spans.length) {
      const grown = new Int32Array(4 * number + 2);
      grown.set(this.#spans);
      this.#spans = grown;
    }
    const bytes = this.#roomFor(this.#used + text.length, this.#used);
    this.#spans[2 * number] = this.#used;
    new TextEncoder().encodeInto(text, bytes.subarray(this.#used));
    this.#used += text.length;
    this.#spans[2 * number + 1] = this.#used;
  }

  /** Puts texts that were kept behind those that are ready, as one object. It is gone when the next one is gathered. */
  gather(ready: Uint8Array, numbers: Int32Array): Uint8Array<ArrayBuffer> {
    const spans = this.#spans;
    const first = this.#used + 1;
    let at = first + ready.length;
    let bytes = this.#roomFor(at + 1, this.#used);
    bytes[this.#used] = OPENING_BRACE;
    bytes.set(ready, first);
    for (const number of numbers) {
      const begin = spans[2 * number] ?? 0;
      const end = spans[2 * number + 1] ?? 0;
      const size = end - begin;
      if (at + size + 2 > bytes.length) bytes = this.#roomFor(at + size + 2, at);
      if (at > first) bytes[at++] = COMMA;
      bytes.copyWithin(at, begin, end);
      at += size;
    }
    bytes[at] = CLOSING_BRACE;
    return bytes.subarray(this.#used, at + 1);
  }

  /** All bytes, as many as wanted at least; those in use are kept. */
  #roomFor(wanted: number, inUse: number): Uint8Array<ArrayBuffer> {
    if (wanted > this.#bytes.length) {
      const grown = new Uint8Array(2 * wanted);
      grown.set(this.#bytes.subarray(0, inUse));
      this.#bytes = grown;
    }
    return this.#bytes;
  }
}

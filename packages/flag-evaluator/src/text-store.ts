/**
 * Ready pieces of responses, all ASCII, as bytes in one place: a response is gathered there by copying, which is faster
 * than joining strings.
 */
export class TextStore {
  /** Begin and end of texts by number; an end of 0 says that the text is not there yet. */
  spans: Int32Array<ArrayBuffer> = new Int32Array(1024);
  #bytes = new Uint8Array(1 << 16);
  #used = 0;

  /** Keeps a text under a number. */
  keep(number: number, text: string): void {
    if (2 * number >= this.spans.length) {
      const grown = new Int32Array(4 * number + 2);
      grown.set(this.spans);
      this.spans = grown;
    }
    this.#makeRoom(text.length);
    this.spans[2 * number] = this.#used;
    new TextEncoder().encodeInto(text, this.#bytes.subarray(this.#used));
    this.#used += text.length;
    this.spans[2 * number + 1] = this.#used;
  }

  /** Puts texts behind one another, given by their begins and ends. The result is gone when the next one is made. */
  gather(first: Uint8Array, pieces: Int32Array, last: number): Uint8Array<ArrayBuffer> {
    let size = first.length + 1;
    for (let i = 0; i < pieces.length; i += 2) size += (pieces[i + 1] ?? 0) - (pieces[i] ?? 0);
    this.#makeRoom(size);
    const bytes = this.#bytes;
    bytes.set(first, this.#used);
    let at = this.#used + first.length;
    for (let i = 0; i < pieces.length; i += 2) {
      const begin = pieces[i] ?? 0;
      const end = pieces[i + 1] ?? 0;
      bytes.copyWithin(at, begin, end);
      at += end - begin;
    }
    bytes[at] = last;
    return bytes.subarray(this.#used, at + 1);
  }

  #makeRoom(size: number): void {
    if (this.#used + size <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#used + size));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
  }
}

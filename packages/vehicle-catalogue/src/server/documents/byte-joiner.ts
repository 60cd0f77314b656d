const encoder = new TextEncoder();

/** Puts a document together from pieces that are bytes already. */
export class ByteJoiner {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** A piece, or the part of it from one offset to another. */
  add(bytes: Uint8Array, from = 0, to: number = bytes.length): this {
    this.#pieces.push(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
    this.#length += to - from;
    return this;
  }

  text(text: string): this {
    return this.add(encoder.encode(text));
  }

  join(): Uint8Array {
    const joined = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}

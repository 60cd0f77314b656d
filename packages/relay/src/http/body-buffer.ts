/**
 * The bytes of a body so far, in one piece: a client decides how small the chunks are in which it comes, and many small ones
 * would cost many times what is in them.
 */
export class BodyBuffer {
  readonly #most: number;
  #bytes: Buffer = nothing;
  #size = 0;

  /** A body never has more than `most` bytes, so that room for more is of no use. */
  constructor(most: number = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** The memory that is held. */
  get held(): number {
    return this.#bytes.buffer.byteLength;
  }

  /** What has come. */
  get bytes(): Buffer {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#size === 0) {
      this.#bytes = withoutMuchElse(chunk);
    } else {
      if (size > this.#bytes.length) this.#grow(Math.max(size, Math.min(2 * this.#bytes.length, this.#most)));
      chunk.copy(this.#bytes, this.#size);
    }
    this.#size = size;
  }

  clear(): void {
    this.#bytes = nothing;
    this.#size = 0;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(length);
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}

const nothing = Buffer.alloc(0);

/** A chunk, which may be a small part of what a socket has read. */
function withoutMuchElse(chunk: Buffer): Buffer {
  if (chunk.buffer.byteLength <= 2 * chunk.length) return chunk;
  const own = Buffer.allocUnsafeSlow(chunk.length);
  chunk.copy(own);
  return own;
}

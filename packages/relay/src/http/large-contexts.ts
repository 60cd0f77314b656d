/** What is smaller is bounded by the number of connections. Contexts in paths are: Node takes no larger heads. */
const largeBytes = 16 * 1024;

/**
 * Bounds what the contexts of open streams take together. A client makes them as large as it likes, parsed they take ten times their text, and
 * their streams stay open for as long as it likes.
 */
export class LargeContexts {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = 16 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Makes room for a context with a text of so many bytes. Gives what is to be called when it is over; nothing when there is none. */
  take(bytes: number): (() => void) | undefined {
    if (bytes <= largeBytes) return () => {};
    if (this.#bytes + bytes > this.#maxBytes) return undefined;
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
    };
  }
}

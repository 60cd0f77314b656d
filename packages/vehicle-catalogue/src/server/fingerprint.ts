/**
 * A short name for a sequence of bytes and texts: equal for equal sequences, different for different ones as far as
 * chance goes (64 bits). It names versions and representations; it is no protection against anyone.
 */
export class Fingerprint {
  #low = 0x811c9dc5;
  #high = 0x2545f491;

  bytes(bytes: Uint8Array): this {
    let low = this.#low;
    let high = this.#high;
    for (const byte of bytes) {
      low = Math.imul(low ^ byte, 0x01000193);
      high = Math.imul(high ^ byte, 0x5bd1e995) ^ (high >>> 15);
    }
    this.#low = low;
    this.#high = high;
    return this.#unit(bytes.length);
  }

  text(text: string): this {
    for (let at = 0; at < text.length; at++) this.#unit(text.charCodeAt(at));
    return this.#unit(text.length);
  }

  /** Twelve or so characters of `0–9 a–z`. */
  toString(): string {
    return mixed(this.#low).toString(36) + mixed(this.#high).toString(36);
  }

  #unit(value: number): this {
    this.#low = Math.imul(this.#low ^ value, 0x01000193);
    this.#high = Math.imul(this.#high ^ value, 0x5bd1e995) ^ (this.#high >>> 15);
    return this;
  }
}

/** Spreads the last steps over all bits. */
function mixed(lane: number): number {
  let value = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

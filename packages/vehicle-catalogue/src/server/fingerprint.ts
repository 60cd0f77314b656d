/** A fingerprint in two whole numbers of 32 bits. */
export type FingerprintHalves = readonly [low: number, high: number];

/**
 * A short name for a sequence of texts and values: equal for equal sequences, different for different ones as far as
 * chance goes (64 bits). It names versions and representations; it is no protection against anyone.
 */
export class Fingerprint {
  #low = 0x811c9dc5;
  #high = 0x2545f491;

  text(text: string): this {
    // In variables, and two characters at a time: loading a catalogue spends much of its time here.
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < text.length; at += 2) {
      const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
      const codes = text.charCodeAt(at) | (second << 16);
      low = Math.imul(low ^ codes, 0x01000193);
      low ^= low >>> 15;
      high = Math.imul(high ^ codes, 0x5bd1e995) ^ (high >>> 15);
    }
    this.#low = low;
    this.#high = high;
    return this.#unit(text.length);
  }

  /** A value of JSON, by what it is and not by how it is written. The order of members counts. */
  value(value: unknown): this {
    if (typeof value === "string") return this.#unit(kinds.text).text(value);
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value)) {
      this.#unit(kinds.list);
      for (const item of value) this.value(item);
      return this.#unit(kinds.end);
    }
    if (typeof value === "object" && value !== null) {
      this.#unit(kinds.object);
      for (const name of Object.keys(value)) {
        this.member(name, (value as Readonly<Record<string, unknown>>)[name]);
      }
      return this.#unit(kinds.end);
    }
    return this.#unit(value === true ? kinds.true : value === false ? kinds.false : kinds.none);
  }

  /** A member of an object. */
  member(name: string, value: unknown): this {
    return this.#unit(hashOfName(name)).value(value);
  }

  /** What stands for a value that has been gone through already. */
  part([low, high]: FingerprintHalves): this {
    return this.#unit(kinds.part).#unit(low).#unit(high);
  }

  /** The two halves, well mixed. */
  halves(): FingerprintHalves {
    return [mixed(this.#low), mixed(this.#high)];
  }

  /** Twelve characters of `0–9 a–z A–Z _ .`. */
  toString(): string {
    return digitsOf(mixed(this.#low)) + digitsOf(mixed(this.#high));
  }

  #number(value: number): this {
    if ((value | 0) === value) return this.#unit(kinds.integer).#unit(value);
    numberView[0] = value;
    return this.#unit(kinds.fraction)
      .#unit(numberBits[0] ?? 0)
      .#unit(numberBits[1] ?? 0);
  }

  #unit(value: number): this {
    this.#low = Math.imul(this.#low ^ value, 0x01000193);
    this.#high = Math.imul(this.#high ^ value, 0x5bd1e995) ^ (this.#high >>> 15);
    return this;
  }
}

/** Names of members recur, so they are hashed once; that many of them are remembered. */
const mostNames = 1000;
const hashes = new Map<string, number>();

function hashOfName(name: string): number {
  const known = hashes.get(name);
  if (known !== undefined) return known;
  const [low, high] = new Fingerprint().text(name).halves();
  if (hashes.size < mostNames) hashes.set(name, low ^ high);
  return low ^ high;
}

/** What a value is, so that `"1"`, `1` and `[1]` differ. */
const kinds = {
  text: 1,
  integer: 2,
  fraction: 3,
  list: 4,
  object: 5,
  end: 6,
  true: 7,
  false: 8,
  none: 9,
  part: 10,
};
const numberView = new Float64Array(1);
const numberBits = new Int32Array(numberView.buffer);

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.";
/** All pairs of digits: `toString` of a number takes as long as the rest of a fingerprint. */
const pairs = Array.from(digits, (first) => Array.from(digits, (second) => first + second)).flat();

/** A whole number of 32 bits in six digits. */
export function digitsOf(number: number): string {
  return `${pairs[number >>> 20]}${pairs[(number >>> 8) & 0xfff]}${pairs[number & 0xff]}`;
}

/** Spreads the last steps over all bits. */
function mixed(lane: number): number {
  let value = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Code points from the first to the last, both included. */
export type Range = readonly [first: number, last: number];

/** A part of a set: code points, or all others. */
interface Part {
  readonly has: (code: number) => boolean;
  readonly negate: boolean;
}

/** A set of code points, put together from ranges and Unicode properties. */
export class CharSet {
  readonly #parts: Part[] = [];
  readonly #fold: boolean;
  #negate = false;

  /** With `fold`, letters stand for all their forms in upper and lower case. */
  constructor(fold = false) {
    this.#fold = fold;
  }

  addRanges(ranges: readonly Range[], negate = false): void {
    if (this.#fold) {
      const classes = ranges.map(([first, last]) => `${escapeCode(first)}-${escapeCode(last)}`);
      this.#addMatching(`[${classes.join("")}]`, negate);
    } else {
      this.#parts.push({
        has: (code) => ranges.some(([first, last]) => first <= code && code <= last),
        negate,
      });
    }
  }

  /** Adds a Unicode general category or script; false if there is none of that name. */
  addProperty(name: string, negate: boolean): boolean {
    const source = propertySource(name);
    if (source === undefined) return false;
    this.#addMatching(source, negate);
    return true;
  }

  /** Makes it the set of all other code points. */
  negate(): void {
    this.#negate = !this.#negate;
  }

  has(code: number): boolean {
    return this.#parts.some((part) => part.has(code) !== part.negate) !== this.#negate;
  }

  /** The engine knows properties and case folding: a regular expression for one code point asks it. */
  #addMatching(source: string, negate: boolean): void {
    const expression = new RegExp(`^${source}$`, this.#fold ? "iu" : "u");
    this.#parts.push({ has: (code) => expression.test(String.fromCodePoint(code)), negate });
  }
}

function escapeCode(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

function propertySource(name: string): string | undefined {
  if (name === "Any") return "[^]";
  // What is not assigned belongs to C in JavaScript, but not in RE2.
  if (name === "C") return "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}]";
  if (/^(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfos])$/.test(name))
    return `\\p{${name}}`;
  if (!/^[A-Z][A-Za-z_]+$/.test(name)) return undefined;
  const source = `\\p{Script=${name}}`;
  try {
    new RegExp(source, "u");
    return source;
  } catch {
    return undefined; // The engine knows no such script, so there is none to match.
  }
}

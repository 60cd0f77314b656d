/** A place in a text, as editors count: the first line and the first column are 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** JSON with the places of its values, or where it stops being JSON. */
export type JsonReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Where the value with this JSON pointer begins, or the nearest one around it that exists. */
      readonly placeOf: (pointer: string) => Place;
    }
  | { readonly ok: false; readonly message: string; readonly place: Place };

class Fault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const maxDepth = 100;
const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what JSON forbids in strings
const stringText = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Reads JSON. `JSON.parse` says the same, but where a mistake is differs from engine to engine, and is often not said. */
export function readJson(text: string): JsonReading {
  const starts = new Map<string, number>();
  try {
    new Scanner(text, starts).document();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, message: error.message, place: placeAt(text, error.offset) };
  }
  return {
    ok: true,
    value: JSON.parse(text),
    placeOf(pointer) {
      let nearest = pointer;
      while (nearest !== "" && !starts.has(nearest)) nearest = nearest.slice(0, nearest.lastIndexOf("/"));
      return placeAt(text, starts.get(nearest) ?? 0);
    },
  };
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Goes through a text once, notes where values begin, and stops at the first mistake. */
class Scanner {
  readonly #text: string;
  readonly #starts: Map<string, number>;
  #at = 0;

  constructor(text: string, starts: Map<string, number>) {
    this.#text = text;
    this.#starts = starts;
  }

  document(): void {
    this.#value("", 0);
    if (this.#next() !== "") throw new Fault("nothing may follow the end of the object", this.#at);
  }

  /** Skips white space and gives the character after it; empty at the end. */
  #next(): string {
    this.#take(space);
    return this.#text.charAt(this.#at);
  }

  /** What the pattern matches here, if it does. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #value(pointer: string, depth: number): void {
    const first = this.#next();
    this.#starts.set(pointer, this.#at);
    if (depth > maxDepth) throw new Fault(`there are more than ${maxDepth} levels`, this.#at);
    if (first === "{") this.#object(pointer, depth);
    else if (first === "[") this.#array(pointer, depth);
    else if (first === '"') this.#string();
    else if (this.#take(scalar) === undefined) throw new Fault(this.#expected("a value"), this.#at);
  }

  #object(pointer: string, depth: number): void {
    const names = new Set<string>();
    this.#at++;
    if (this.#closes("}")) return;
    do {
      if (this.#next() !== '"') throw new Fault(this.#expected("a name in double quotes"), this.#at);
      const start = this.#at;
      const name = String(JSON.parse(this.#string()));
      if (names.has(name)) throw new Fault(`${JSON.stringify(name)} is there twice`, start);
      names.add(name);
      if (this.#next() !== ":") throw new Fault(this.#expected(`":" after the name`), this.#at);
      this.#at++;
      this.#value(`${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1);
    } while (this.#continues("}"));
  }

  #array(pointer: string, depth: number): void {
    this.#at++;
    if (this.#closes("]")) return;
    let index = 0;
    do this.#value(`${pointer}/${index++}`, depth + 1);
    while (this.#continues("]"));
  }

  #closes(end: string): boolean {
    if (this.#next() !== end) return false;
    this.#at++;
    return true;
  }

  /** Whether a comma follows and not the end. */
  #continues(end: string): boolean {
    if (this.#closes(end)) return false;
    if (!this.#closes(",")) throw new Fault(this.#expected(`"," or "${end}"`), this.#at);
    return true;
  }

  #string(): string {
    const start = this.#at;
    const found = this.#take(stringText);
    if (found === undefined) throw new Fault("this string does not end, or has a wrong escape", start);
    return found;
  }

  #expected(what: string): string {
    const found = this.#text.charAt(this.#at);
    return `expected ${what}, got ${found === "" ? "the end" : JSON.stringify(found)}`;
  }
}

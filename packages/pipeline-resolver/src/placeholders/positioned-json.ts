import type { TextSpan } from "../text-problem.js";

/** A JSON value that knows where it stands in its text. */
export type PositionedJson =
  | { readonly kind: "string"; readonly value: string; readonly span: TextSpan; readonly plain: boolean }
  | { readonly kind: "list"; readonly items: readonly PositionedJson[]; readonly span: TextSpan }
  | { readonly kind: "object"; readonly members: readonly PositionedMember[]; readonly span: TextSpan }
  | { readonly kind: "other"; readonly value: number | boolean | null; readonly span: TextSpan };

/** A member of an object. */
export interface PositionedMember {
  readonly key: string;
  readonly keySpan: TextSpan;
  readonly value: PositionedJson;
}

/** Deepest nesting; elements of commands have two or three levels. */
const maxDepth = 64;

/** Why a text is not JSON, and where. */
export class JsonSyntax {
  readonly message: string;
  readonly at: number;
  constructor(message: string, at: number) {
    this.message = message;
    this.at = at;
  }
}

/** Reads JSON with the places of all values. */
export function parsePositionedJson(text: string): PositionedJson | JsonSyntax {
  const reader = new Reader(text);
  const value = reader.value(0);
  if (value instanceof JsonSyntax) return value;
  reader.skipBlanks();
  return reader.at < text.length ? new JsonSyntax("there is something behind its end", reader.at) : value;
}

const blanks = /[ \t\r\n]*/y;
const other = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class Reader {
  at = 0;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): PositionedJson | JsonSyntax {
    this.skipBlanks();
    const start = this.at;
    if (depth > maxDepth) return new JsonSyntax("it is nested too deep", start);
    if (this.#text[start] === "[") return this.#list(depth);
    if (this.#text[start] === "{") return this.#object(depth);
    const read = this.#string();
    if (read !== undefined) {
      const value = unquoted(read);
      if (value === undefined) return new JsonSyntax("this text holds a wrong escape", start);
      return {
        kind: "string",
        value,
        span: { start, end: this.at },
        plain: read.length === value.length + 2,
      };
    }
    const word = this.#token(other);
    if (word === undefined) return new JsonSyntax("expected a value", start);
    return { kind: "other", value: JSON.parse(word), span: { start, end: this.at } };
  }

  skipBlanks(): void {
    this.#token(blanks);
  }

  #list(depth: number): PositionedJson | JsonSyntax {
    const start = this.at++;
    const items: PositionedJson[] = [];
    for (let first = true; !this.#takes("]"); first = false) {
      if (!first && !this.#takes(",")) return new JsonSyntax("expected , or ]", this.at);
      const item = this.value(depth + 1);
      if (item instanceof JsonSyntax) return item;
      items.push(item);
    }
    return { kind: "list", items, span: { start, end: this.at } };
  }

  #object(depth: number): PositionedJson | JsonSyntax {
    const start = this.at++;
    const members: PositionedMember[] = [];
    for (let first = true; !this.#takes("}"); first = false) {
      if (!first && !this.#takes(",")) return new JsonSyntax("expected , or }", this.at);
      this.skipBlanks();
      const keyStart = this.at;
      const key = unquoted(this.#string() ?? "");
      if (key === undefined) return new JsonSyntax("expected a key in double quotes", keyStart);
      const keySpan = { start: keyStart, end: this.at };
      if (!this.#takes(":")) return new JsonSyntax("expected :", this.at);
      const value = this.value(depth + 1);
      if (value instanceof JsonSyntax) return value;
      members.push({ key, keySpan, value });
    }
    return { kind: "object", members, span: { start, end: this.at } };
  }

  #takes(char: string): boolean {
    this.skipBlanks();
    if (this.#text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  /** A text with its quotes. */
  #string(): string | undefined {
    const start = this.at;
    if (this.#text[start] !== '"') return undefined;
    for (let i = start + 1; i < this.#text.length; i++) {
      const char = this.#text[i];
      if (char === "\\") i++;
      else if (char === '"') {
        this.at = i + 1;
        return this.#text.slice(start, this.at);
      }
    }
    return undefined;
  }

  #token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

/** The text behind a JSON string, if the string is right. */
function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined; // a wrong escape such as \x
  }
}

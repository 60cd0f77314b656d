import { PatternSyntaxError } from "./syntax-tree.js";

/** A place in the text of a pattern. Goes by code points. */
export class TextCursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Whether the text goes on with this. */
  sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** Steps over this, if the text goes on with it. */
  take(text: string): boolean {
    const seen = this.sees(text);
    if (seen) this.#at += text.length;
    return seen;
  }

  /** Steps over what a sticky expression matches here, and gives its groups. */
  takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at = expression.lastIndex;
    return match;
  }

  /** Steps over one code point. */
  next(): number {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new PatternSyntaxError("ends too early");
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }
}

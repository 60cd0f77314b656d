import { endOfQuotes } from "./quoted-text.js";

/** Where quotes and brackets were opened, to tell of those that are not closed. Sees one lexeme after the other. */
export class OpenSigns {
  readonly #brackets: number[] = [];
  readonly #longTexts = new Map<number, number>();
  /** The quote that is never closed. */
  quote: number | undefined;

  see(lexeme: string, offset: number): void {
    if (lexeme === "{" || lexeme === "[") this.#brackets.push(offset);
    else if (lexeme === "}" || lexeme === "]") this.#brackets.pop();
    else if (/^["']/.test(lexeme)) this.#seeQuotes(lexeme, offset);
  }

  /** The outermost bracket that is never closed. */
  get bracket(): number | undefined {
    return this.#brackets[0];
  }

  /** Where a text in quotes over several lines begins that begins or ends at a place. */
  textAt(at: number): number | undefined {
    return this.#longTexts.get(at);
  }

  #seeQuotes(lexeme: string, offset: number): void {
    if (endOfQuotes(lexeme, 0) === -1) this.quote ??= offset;
    else if (lexeme.includes("\n")) this.#longTexts.set(offset, offset).set(offset + lexeme.length, offset);
  }
}

/**
 * Sees where a second map or list in brackets begins below the one that is the whole document, as in files that hold a value in
 * each line: nothing behind it can be right, and the library would read all of it. Sees one lexeme after the other.
 */
export class SecondValue {
  #where: "before" | "inside" | "beside" | "below" | "elsewhere" = "before";
  #depth = 0;

  /** True for the lexeme with which the second one begins. */
  see(lexeme: string): boolean {
    if (lexeme === "---" || lexeme === "...") this.#where = "before";
    else if (this.#where === "inside") this.#seeInside(lexeme);
    else if (this.#where !== "elsewhere" && !isNothing(lexeme)) return this.#seeContent(lexeme);
    else if (this.#where === "beside" && /[\r\n]/.test(lexeme)) this.#where = "below";
    return false;
  }

  #seeInside(lexeme: string): void {
    if (isOpen(lexeme)) this.#depth++;
    else if ((lexeme === "}" || lexeme === "]") && --this.#depth === 0) this.#where = "beside";
  }

  #seeContent(lexeme: string): boolean {
    const isSecond = this.#where === "below" && isOpen(lexeme);
    this.#depth = 1;
    this.#where = this.#where === "before" && isOpen(lexeme) ? "inside" : "elsewhere";
    return isSecond;
  }
}

const isOpen = (lexeme: string): boolean => lexeme === "{" || lexeme === "[";

/** Blanks, line breaks, comments, directives, and where the lexer marks that a document begins. */
const isNothing = (lexeme: string): boolean => lexeme === "\u0002" || /^(?:[\s\ufeff]*$|[#%])/.test(lexeme);

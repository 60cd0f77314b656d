import type { DocumentProblems } from "./document-problems.js";
import type { Span } from "./line-table.js";

/** What the API server or the SDK refuse, or read as something else, and the YAML library does not. Sees one lexeme after the other. */
export class StricterReaders {
  readonly #problems: DocumentProblems;
  #depth = 0;
  #before = "";
  /** What stands before in the text itself. */
  #textBefore = "";
  /** The scalar in brackets that may be a key. */
  #key: { readonly start: number; readonly isPlain: boolean; isInLine: boolean } | undefined;
  #header = "";
  #beginsLine = true;
  /** The first tab among the blanks that begin the line. */
  #tab: number | undefined;
  #hasVersion = false;

  constructor(problems: DocumentProblems) {
    this.#problems = problems;
  }

  see(lexeme: string, offset: number): void {
    const isScalar = this.#before === "\u001f";
    if (this.#depth === 0) this.#seeTab(lexeme, offset);
    if (isScalar && this.#header !== "") this.#seeBlock(lexeme, offset);
    else if (this.#depth > 0) this.#seeInBrackets(lexeme, offset, isScalar);
    else if (!isScalar && lexeme.startsWith("%")) this.#seeDirective(lexeme.trimEnd(), offset);
    else if (lexeme === "---") this.#hasVersion = false;
    if (isScalar) this.#header = "";
    else if (/^[|>]/.test(lexeme)) this.#header = lexeme;
    if (lexeme === "{" || lexeme === "[") this.#depth++;
    if (lexeme === "}" || lexeme === "]") this.#depth--;
    this.#before = lexeme;
    if (!isNoText(lexeme)) this.#textBefore = lexeme;
  }

  /** The library tells of a tab itself where a value follows it in its line. */
  #seeTab(lexeme: string, offset: number): void {
    if (/^[ \t]+$/.test(lexeme)) {
      const at = this.#beginsLine ? lexeme.indexOf("\t") : -1;
      if (at !== -1) this.#tab ??= offset + at;
      return;
    }
    if (this.#tab !== undefined && /^(?:#|\r?\n)/.test(lexeme)) {
      const message =
        "the API server and the SDK cannot read a line of blanks or a comment that a tab indents";
      this.#error(message, [this.#tab, this.#tab + 1], "indent with spaces");
    }
    this.#tab = undefined;
    this.#beginsLine = lexeme.endsWith("\n") || (this.#beginsLine && lexeme === "\u0002");
  }

  #seeDirective(line: string, offset: number): void {
    const [name, version] = line.split(/[ \t]+/);
    const isAgain = name === "%YAML" && this.#hasVersion;
    this.#hasVersion ||= name === "%YAML";
    if (name === "%TAG" || (name === "%YAML" && version === "1.1" && !isAgain)) return;
    const message = isAgain
      ? "the API server and the SDK refuse a second %YAML in one document"
      : `the API server refuses ${name === "%YAML" ? "a file of another version of YAML than 1.1" : "this directive"}`;
    this.#error(message, [offset, offset + line.length], "leave the line out");
  }

  #seeInBrackets(lexeme: string, offset: number, isPlain: boolean): void {
    if (isNoText(lexeme)) return;
    if (isPlain || /^["']/.test(lexeme)) {
      this.#key = { start: offset, isPlain, isInLine: !lexeme.includes("\n") };
      if (isPlain) this.#seePlain(lexeme, offset);
    } else if (lexeme === ":") {
      this.#seeColon(offset);
    } else if (lexeme.includes("\n")) {
      if (this.#key !== undefined) this.#key.isInLine = false;
    } else if (lexeme.trim() !== "") {
      const isTight = this.#textBefore === ":" && this.#key?.isPlain === true;
      if (isTight) this.#seeTightColon(lexeme, offset);
      this.#key = undefined;
    }
  }

  #seePlain(text: string, offset: number): void {
    if (!text.startsWith(":") && !text.includes("?")) return;
    const sign = text.startsWith(":") ? "a colon at its beginning" : "a question mark";
    const message = `in brackets the API server and the SDK cannot read a text without quotes that has ${sign}`;
    this.#error(message, [offset, offset + text.length], "put it in quotes");
  }

  #seeColon(offset: number): void {
    if (this.#key?.isInLine !== false) return;
    const message =
      "the API server and the SDK cannot read a key in brackets that is not in one line with its colon";
    this.#error(message, [this.#key.start, offset + 1], "write both in one line");
  }

  #seeTightColon(next: string, offset: number): void {
    const message = "to the API server the colon belongs to the text before it";
    const hint = "put a blank behind it";
    if (/^[\]},]$/.test(next)) {
      this.#problems.warning("ambiguous-scalar", [], message, [offset - 1, offset], hint);
    } else if (/^[[{]$/.test(next)) {
      this.#error(`${message}, and this bracket is a mistake`, [offset - 1, offset + 1], hint);
    }
  }

  #seeBlock(lines: string, offset: number): void {
    const [blank, tab] = /^(?: *\r?\n)* *(\t)?/.exec(lines) ?? [""];
    if (tab === undefined || /[1-9]/.test(this.#header)) return;
    const at = offset + blank.length - 1;
    const message = "the API server cannot read a block of lines that begins with a tab";
    this.#error(message, [at, at + 1], "say how far the lines are indented, as in |2, or use double quotes");
  }

  #error(message: string, span: Span, hint: string): void {
    this.#problems.error("yaml-syntax", [], message, span, hint);
  }
}

/** The mark of a scalar, or the empty one that the lexer sees between a colon and a comma. */
const isNoText = (lexeme: string): boolean => lexeme === "" || lexeme === "\u001f";

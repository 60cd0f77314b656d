import type { BlockStyle } from "../print-yaml.js";

const blank = /[ \t\r\n]/;

/** How a text is divided into lines, and how these are indented. */
export class TextLayout {
  readonly text: string;
  readonly lineEnd: "\n" | "\r\n";
  /** True for JSON, in which texts need their quotes. */
  readonly isJson: boolean;
  #blocks: BlockStyle | undefined;
  #lineEnds: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.lineEnd = text[text.indexOf("\n") - 1] === "\r" ? "\r\n" : "\n";
    this.isJson = isJson(text);
  }

  /** How blocks are indented that are there already. */
  get blocks(): BlockStyle {
    this.#blocks ??= {
      ofMaps: /^( +)[^\s#-]/m.exec(this.text)?.[1] ?? "  ",
      ofLists: /^( *)[^\s#-].*:\r?\n\1- /m.test(this.text) ? "" : (listStep.exec(this.text)?.[2] ?? ""),
      literals: "closed",
    };
    return this.#blocks;
  }

  /** How blocks are indented, without lines of texts that are so far in where what is behind a place would come to belong to them. */
  blocksBefore(at: number, indent: string): BlockStyle {
    for (const { start, text } of this.idleLines(at)) {
      if (text - start > indent.length) return { ...this.blocks, literals: "none" };
      if (this.text[text] === "#") break;
    }
    return this.blocks;
  }

  /** Where the line begins in which a place is. */
  lineStart(at: number): number {
    const before = this.#endsBefore(at);
    const start = before === 0 ? 0 : (this.#ends[before - 1] ?? 0) + 1;
    return start === 0 && this.text.startsWith("\ufeff") ? 1 : start;
  }

  /** Where the next line begins. */
  nextLine(at: number): number {
    const end = this.#ends[this.#endsBefore(at)];
    return end === undefined ? this.text.length : end + 1;
  }

  /** Where lines end: looking for each anew would take the square of a long line. */
  get #ends(): readonly number[] {
    this.#lineEnds ??= Array.from(this.text.matchAll(/\n/g), ({ index }) => index);
    return this.#lineEnds;
  }

  /** How many lines end before a place. */
  #endsBefore(at: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Blanks up to the column of a place. */
  indentAt(at: number): string {
    return " ".repeat(at - this.lineStart(at));
  }

  /** The blanks that a line begins with. */
  lineIndent(at: number): string {
    return /[ \t]*/y.exec(this.text.slice(this.lineStart(at), at))?.[0] ?? "";
  }

  /** True when nothing but blanks is before a place in its line. */
  isFirstInLine(at: number): boolean {
    return this.isBlank(this.lineStart(at), at);
  }

  isBlank(start: number, end: number): boolean {
    return this.text.slice(start, end).trim() === "";
  }

  /** The next place in a line that is no blank. */
  skipInLine(at: number): number {
    let next = at;
    while (this.text[next] === " " || this.text[next] === "\t") next++;
    return next;
  }

  /** Where the text of a line ends. */
  lineEndAt(at: number): number {
    const end = this.#ends[this.#endsBefore(at)];
    if (end === undefined) return this.text.length;
    return end > at && this.text[end - 1] === "\r" ? end - 1 : end;
  }

  /** True when nothing but blanks is behind a place in its line. */
  isLineDone(at: number): boolean {
    return this.skipInLine(at) === this.lineEndAt(at);
  }

  /** The place before the blanks that end there, in the same line. */
  trimLine(at: number): number {
    let last = at;
    while (this.text[last - 1] === " " || this.text[last - 1] === "\t") last--;
    return last;
  }

  /**
   * Where lines go that are to stand before a place and the comments in the lines above it; nowhere when other things are before it in
   * its line. What stands before `after` is no comment.
   */
  aboveComments(at: number, after: number): number | undefined {
    if (!this.isFirstInLine(at)) return undefined;
    let line = this.lineStart(at);
    while (line > after) {
      const previous = this.lineStart(line - 1);
      if (previous === line || previous < after || this.text[this.skipInLine(previous)] !== "#") break;
      line = previous;
    }
    return line;
  }

  /** The lines behind a place in which there is nothing but a comment or blanks, up to the first other one. */
  *idleLines(at: number): Generator<{ readonly start: number; readonly text: number }> {
    for (let start = this.nextLine(at); start < this.text.length; start = this.nextLine(start)) {
      const text = this.skipInLine(start);
      if (this.text[text] !== "#" && text !== this.lineEndAt(start)) return;
      yield { start, text };
    }
  }

  /** The next place that is no blank and no line break. */
  skipBlank(at: number): number {
    let next = at;
    while (blank.test(this.text.charAt(next))) next++;
    return next;
  }

  /** The next place that is in no comment either. */
  skipComments(at: number): number {
    let next = this.skipBlank(at);
    while (this.text[next] === "#") next = this.skipBlank(this.nextLine(next));
    return next;
  }

  /** The place before the blanks that end there. */
  trimEnd(start: number, end: number): number {
    let last = end;
    while (last > start && blank.test(this.text.charAt(last - 1))) last--;
    return last;
  }

  /** Lines that come to stand before `end`: where the file breaks off there, the last of them needs an end of its own. */
  ended(lines: string, end: number): string {
    return lines.includes("\n") && this.text.slice(end).trim() === "" && !this.text.includes("\n", end)
      ? lines + this.lineEnd
      : lines;
  }

  /** How JSON is indented that is there already; nothing when it is in one line. */
  get jsonIndent(): string | undefined {
    return /^\s*[{[]\r?\n([ \t]+)/.exec(this.text)?.[1];
  }
}

const listStep = /^( *)[^\s#-].*:\r?\n\1( +)- /m;

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // YAML may begin with a bracket as well.
    return false;
  }
}

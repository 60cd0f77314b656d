import type { DocumentProblems } from "./document-problems.js";
import type { LaterEntries } from "./later-entries.js";
import { PlaceRows } from "./place-rows.js";
import { otherReading, readPlain } from "./plain-scalar.js";
import { plainValue } from "./plain-value.js";
import { endOfQuotes, textInQuotes } from "./quoted-text.js";
import type { YamlLimits } from "./yaml-limits.js";

/** Thrown where a text is not ordinary; never leaves the reader of ordinary YAML. */
export class NotOrdinary extends Error {
  /** The limit that the text goes beyond, when that is why. */
  readonly limit: "maxDepth" | "maxTokens" | undefined;

  constructor(limit?: "maxDepth" | "maxTokens") {
    super();
    this.limit = limit;
  }
}

/** What no plain scalar begins with. */
const indicators = " \t\n,[]{}#&*!|>'\"%@`";
/** What every key without quotes begins with that is not a text to everybody; most keys of files do not. */
const maybeNoText = /^[^a-eg-mp-su-xzA-EG-MP-SU-XZ_]/;
const isText = (name: string): boolean => readPlain(name) === name && otherReading(name, name) === undefined;
const newline = 0x0a;
const space = 0x20;
const hash = 0x23;

/** A place in a YAML text that moves on, and what was read on the way. */
export class YamlScan {
  readonly text: string;
  readonly path: (string | number)[] = [];
  rows: PlaceRows;
  /** The next character. */
  at = 0;
  /** Where the last value ends, and with it the maps and lists around it that no bracket closes. */
  end = 0;
  /** How far in the text of this line begins; -1 when there is no more of this document. */
  indent = -1;
  /** The place after the quotes that were read last. */
  quotedEnd = 0;
  /** True when the quotes that were read last go over several lines. */
  quotesSpanLines = false;
  /** What takes entries of large maps, when they are to be read again. */
  later: LaterEntries | undefined;
  private readonly limits: YamlLimits;
  private readonly problems: DocumentProblems;
  private readonly offsetOf: ((at: number) => number) | undefined;
  private lineStart = 0;
  private quotesAt = -1;
  private inQuotes = "";

  /**
   * @param offsetOf  where in the file a place of the text is, when that is not the same
   * @param length  how much of the text is to be read
   */
  constructor(
    text: string,
    limits: YamlLimits,
    problems: DocumentProblems,
    offsetOf?: (at: number) => number,
    length: number = text.length,
  ) {
    this.text = text;
    this.rows = new PlaceRows(length);
    this.limits = limits;
    this.problems = problems;
    this.offsetOf = offsetOf;
  }

  /** Leaves the text to another reader. */
  handOver(limit?: NotOrdinary["limit"]): never {
    throw new NotOrdinary(limit);
  }

  /** The code of the character so many places further on; NaN at the end. */
  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** True when the line, or the text, ends so many places further on, or a blank stands there. */
  isGap(offset: number): boolean {
    const code = this.code(offset);
    return code === space || code === newline || Number.isNaN(code);
  }

  skipSpaces(): void {
    while (this.text.charCodeAt(this.at) === space) this.at++;
  }

  /** True when nothing but a comment follows in the line; goes there. */
  isLineDone(): boolean {
    const before = this.at;
    this.skipSpaces();
    const code = this.code();
    if (code === hash) return this.at > before;
    return code === newline || Number.isNaN(code);
  }

  /** Goes to the first line that has more than a comment. */
  firstLine(): void {
    this.startLine(0);
    const code = this.code();
    if (code === newline || code === hash) this.nextLine();
    else if (Number.isNaN(code) || this.isMarker()) this.indent = -1;
  }

  /** True when there is no more text. */
  isDone(): boolean {
    return this.indent === -1 && this.at >= this.text.length;
  }

  /** Goes past the mark of a document that begins. */
  startDocument(): void {
    if (this.code() !== 0x2d) this.handOver();
    this.at += 3;
    this.endLine();
  }

  /** Goes from the end of a value to the next line that has more than a comment. */
  endLine(): void {
    if (!this.isLineDone()) this.handOver();
    this.nextLine();
  }

  /** Goes from the end of a line, or a comment there, to the next line that has more than a comment. */
  nextLine(): void {
    const { text } = this;
    for (;;) {
      const end = this.code() === newline ? this.at : text.indexOf("\n", this.at);
      if (end === -1) break;
      this.startLine(end + 1);
      const code = this.code();
      if (code === newline || code === hash) continue;
      if (Number.isNaN(code)) break;
      if (this.isMarker()) this.indent = -1;
      return;
    }
    this.at = text.length;
    this.indent = -1;
  }

  /** Goes to the first character of a line that is not a blank. */
  startLine(start: number): void {
    this.lineStart = start;
    this.at = start;
    this.skipSpaces();
    this.indent = this.at - start;
  }

  /** Goes back to a map or list that has been read before. */
  startAgain(at: number): void {
    this.rows.count = 0;
    this.startLine(this.text.lastIndexOf("\n", at - 1) + 1);
    this.at = at;
    this.startBlockHere();
  }

  /** Lets what follows in this line begin a block of its own. */
  startBlockHere(): void {
    this.indent = this.at - this.lineStart;
  }

  /** True at `---` or `...` at the beginning of a line. */
  isMarker(): boolean {
    if (this.indent !== 0) return false;
    const code = this.code();
    if (code !== 0x2d && code !== 0x2e) return false;
    return this.code(1) === code && this.code(2) === code && this.isGap(3);
  }

  /** Reads the text in quotes that begins here, which is not gone past; `quotedEnd` is then the place after it. */
  quoted(): string {
    if (this.quotesAt === this.at) return this.inQuotes;
    const end = endOfQuotes(this.text, this.at);
    const text = end === -1 ? undefined : textInQuotes(this.text, this.at, end);
    if (text === undefined) this.handOver();
    const source = this.text.slice(this.at, end);
    const spansLines = source.includes("\n");
    if (spansLines && /\n(?:---|\.\.\.)/.test(source)) this.handOver();
    this.quotesAt = this.at;
    this.quotedEnd = end;
    this.inQuotes = text;
    this.quotesSpanLines = spansLines;
    return text;
  }

  /** True when a text in quotes begins here. */
  isQuote(): boolean {
    const code = this.code();
    return code === 0x22 || code === 0x27;
  }

  /** True when a scalar without quotes may begin here. */
  isPlain(): boolean {
    const code = this.code();
    if (code === 0x2d || code === 0x3f || code === 0x3a) return !this.isGap(1);
    return !Number.isNaN(code) && !indicators.includes(this.text.charAt(this.at));
  }

  /** Begins a map or list here, and gives its row. */
  enter(keyStart: number, keyEnd: number): number {
    if (this.path.length >= this.limits.maxDepth) this.handOver("maxDepth");
    if (this.rows.count >= this.limits.maxTokens) this.handOver("maxTokens");
    return this.rows.open(keyStart, keyEnd, this.at);
  }

  /** Makes sure that a key is a text, to everybody, and a new one. */
  checkKey(name: string, isQuoted: boolean, map: { readonly [key: string]: unknown }): void {
    if (Object.hasOwn(map, name)) this.handOver();
    if (!isQuoted && maybeNoText.test(name) && (name === "<<" || !isText(name))) this.handOver();
  }

  /** The value of a scalar without quotes that ends at `end`; notes where it stands, and goes there. */
  plain(text: string, keyStart: number, keyEnd: number, end: number): unknown {
    const start = this.at;
    this.leaf(keyStart, keyEnd, end);
    const { offsetOf } = this;
    const span =
      offsetOf === undefined ? ([start, end] as const) : ([offsetOf(start), offsetOf(end)] as const);
    return plainValue(text, span, this.path, this.problems);
  }

  /** Notes where a value stands that has no others in it, and goes to its end. */
  leaf(keyStart: number, keyEnd: number, end: number): void {
    this.note(keyStart, keyEnd, this.at, end);
    this.at = end;
  }

  /** Notes where a value stands that has no others in it. */
  note(keyStart: number, keyEnd: number, start: number, end: number): void {
    if (this.rows.count >= this.limits.maxTokens) this.handOver("maxTokens");
    this.rows.add(keyStart, keyEnd, start, end);
    this.end = end;
  }

  /** Gives away the places of the document that ends here. */
  takeRows(): PlaceRows {
    const { rows } = this;
    if (!this.isDone()) this.rows = new PlaceRows(this.text.length - this.at);
    return this.offsetOf === undefined ? rows.trim() : rows.trim().move(this.offsetOf);
  }
}

import { commentOffsets, type Position, type Range } from "@wye/pipeline-spec";
import { quote } from "./quote.js";
import type { RuleBook } from "./rule-book.js";
import { suggest } from "./suggest.js";
import type { ValidationProblem } from "./validation-report.js";

/** A rule that a comment disables for one line. */
interface Suppression {
  readonly id: string;
  /** The line of the comment. */
  readonly start: Position;
  /** Where the id stands in that line, from 0. */
  readonly begin: number;
  readonly end: number;
  /** The line that it is about, from 1; 0 when there is none. */
  line: number;
  used: boolean;
}

const directive = "wye-disable-next-line";

/** The comments of a text that disable rules. */
export class Suppressions {
  private readonly all: readonly Suppression[];
  /** Those of each rule, by the line that they are about. */
  private readonly byRule = new Map<string, Map<number, Suppression>>();

  constructor(text: string, book: Pick<RuleBook, "has">) {
    this.all = text.includes(directive) ? findSuppressions(text) : [];
    for (const one of this.all) {
      let lines = this.byRule.get(one.id);
      if (lines === undefined) {
        if (!book.has(one.id)) continue;
        lines = new Map();
        this.byRule.set(one.id, lines);
      }
      if (!lines.has(one.line)) lines.set(one.line, one);
    }
  }

  /** True when a comment disables the rule where its problem is. The line is asked for only where that matters. */
  hides(code: string, line: () => number | undefined): boolean {
    const lines = this.byRule.get(code);
    const suppression = lines?.get(line() ?? -1);
    if (suppression === undefined) return false;
    suppression.used = true;
    return true;
  }

  /** What is wrong with the comments, once all problems are known: those that do nothing. */
  *complaints(book: RuleBook): Generator<Complaint> {
    for (const one of this.all) {
      const { id, used } = one;
      if (used || book.severityOf(id, "error") === "off") continue;
      yield book.has(id)
        ? { code: "disable-useless", make: () => useless(id, rangeOf(one)) }
        : { code: "disable-unknown-rule", make: () => unknownRule(id, rangeOf(one), book) };
    }
  }
}

/** A problem with a comment, made when it is listed. */
interface Complaint {
  readonly code: string;
  readonly make: () => ValidationProblem;
}

function useless(id: string, range: Range): ValidationProblem {
  const message = `the next line does not break the rule ${quote(id)}`;
  return {
    code: "disable-useless",
    severity: "warning",
    path: "",
    message,
    hint: "remove the comment",
    range,
  };
}

function unknownRule(id: string, range: Range, book: RuleBook): ValidationProblem {
  const message = id === "" ? "the comment names no rule" : `there is no rule ${quote(id)}`;
  const hint = suggest(id, book.ids());
  const problem = { code: "disable-unknown-rule", severity: "warning", path: "", message, range } as const;
  return hint === undefined ? problem : { ...problem, hint };
}

function rangeOf({ start, begin, end }: Suppression): Range {
  const place = (column: number): Position => ({
    ...start,
    offset: start.offset + column,
    column: column + 1,
  });
  return { start: place(begin), end: place(end) };
}

function findSuppressions(text: string): readonly Suppression[] {
  const found: Suppression[] = [];
  let isComment: ((offset: number) => boolean) | undefined;
  let pending = 0;
  let offset = 0;
  let number = 0;
  for (let end = text.indexOf("\n"); offset <= text.length; end = text.indexOf("\n", offset)) {
    const line = text.slice(offset, end === -1 ? text.length : end);
    number++;
    const content = line.trimStart();
    const at = content.startsWith("#") ? line.indexOf(directive) : -1;
    if (at !== -1 && /^#\s{0,20}$/.test(content.slice(0, content.indexOf(directive)))) {
      isComment ??= commentTest(text);
      const start = { offset, line: number, column: 1 };
      if (isComment(offset + line.indexOf("#"))) readIds(line, at + directive.length, start, found);
    }
    if (content !== "" && !content.startsWith("#")) {
      for (; pending < found.length; pending++) {
        const one = found[pending];
        if (one !== undefined) one.line = number;
      }
    }
    offset += line.length + 1;
  }
  return found;
}

/** Scripts inside of a file have lines that look like comments of the file. */
function commentTest(text: string): (offset: number) => boolean {
  const offsets = new Set(commentOffsets(text));
  return (offset) => offsets.has(offset);
}

function readIds(line: string, from: number, start: Position, found: Suppression[]): void {
  const before = found.length;
  const word = /[^\s,]+/g;
  word.lastIndex = from;
  for (let match = word.exec(line); match !== null; match = word.exec(line)) {
    const [id] = match;
    // What follows is the reason.
    if (id.startsWith("--") || id.startsWith("(")) break;
    const begin = match.index;
    found.push({ id, start, begin, end: begin + id.length, line: 0, used: false });
  }
  if (found.length > before) return;
  found.push({ id: "", start, begin: line.indexOf("#"), end: line.length, line: 0, used: false });
}

import { shownPointer } from "./json-pointer.js";
import { LineTable, type Span } from "./line-table.js";
import type { Problem, Range, Severity } from "./problem.js";
import { type ProblemCounts, ProblemList } from "./problem-list.js";
import type { Reading } from "./reading.js";
import type { SpecProblemCode } from "./spec-problem-code.js";

/** A problem of the text itself, where that is known: `code`, `path`, `message`, where it is, and what to do. */
type What = readonly [
  code: SpecProblemCode,
  path: readonly (string | number)[],
  message: string,
  span: Span,
  hint?: string,
];

/** Collects the problems of a text, with their places, up to a limit. */
export class DocumentProblems {
  private readonly lines: LineTable;
  private readonly text: string;
  private problems: ProblemList;
  private readonly most: number;
  private readonly broken = new Set<string>();
  private readonly known = new Set<string>();

  /** @param most  how many problems are listed, errors before others */
  constructor(text: string, most: number) {
    this.text = text;
    this.most = most;
    this.problems = new ProblemList(most);
    this.lines = new LineTable(text);
  }

  get failed(): boolean {
    return this.problems.counts.error > 0;
  }

  /** How many problems there are, listed or not. */
  get counts(): ProblemCounts {
    return this.problems.counts;
  }

  error(...what: What): void {
    this.add("error", what);
  }

  warning(...what: What): void {
    this.add("warning", what);
  }

  /** Adds what was found in a value, unless the value is already known to be missing. */
  found(reading: Reading, spanOf: (problem: Problem) => Span): void {
    for (const problem of reading.listed()) {
      if (!this.broken.has(problem.path)) this.place(problem, spanOf(problem));
    }
    this.problems.addUnlisted(reading.unlisted());
  }

  /** Forgets all problems, for a text that is read anew. */
  clear(): void {
    this.problems = new ProblemList(this.most);
    this.broken.clear();
    this.known.clear();
  }

  private place(problem: Problem, span: Span): void {
    // A part that is read as two messages may tell the same twice.
    const name = `${problem.code} ${problem.path} ${span[0]}`;
    if (this.known.has(name)) return;
    if (!this.problems.isFull(problem.severity)) this.known.add(name);
    this.problems.add(problem.severity, () => ({ ...problem, range: this.range(span) }));
  }

  /** Lines and columns of a stretch of the text, without white space at its end, which YAML counts to what precedes. */
  range([start, end]: Span): Range {
    let last = Math.min(end, this.text.length);
    while (last > start && " \t\r\n".includes(this.text[last - 1] ?? "")) last--;
    return this.lines.range([start, last]);
  }

  /** The problems that are listed, in the order of the text, and a remark on those that are not. */
  list(): Problem[] {
    const all = this.problems.listed();
    all.sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0));
    const remark = this.problems.remark();
    return remark === undefined ? all : [...all, { ...remark, range: this.range([0, 0]) }];
  }

  private add(severity: Severity, [code, at, message, span, hint]: What): void {
    const path = shownPointer(at);
    // Beyond the limit it does not matter what else is wrong there.
    if (severity === "error" && !this.problems.isFull("error")) this.broken.add(path);
    const problem = { code, severity, path, message };
    this.place(hint === undefined ? problem : { ...problem, hint }, span);
  }
}

import { pointerFromPath } from "./json-pointer.js";
import { LineTable, type Span } from "./line-table.js";
import type { Problem, Range, Severity } from "./problem.js";
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
  private readonly most: number;
  private readonly errors: Problem[] = [];
  private readonly others: Problem[] = [];
  private readonly notes: Problem[] = [];
  private readonly broken = new Set<string>();
  private readonly known = new Set<string>();
  private unlisted = 0;

  /** @param most  how many errors, and how many lesser problems, are listed */
  constructor(text: string, most: number) {
    this.text = text;
    this.most = most;
    this.lines = new LineTable(text);
  }

  get failed(): boolean {
    return this.errors.length > 0;
  }

  error(...what: What): void {
    this.add("error", what);
  }

  warning(...what: What): void {
    this.add("warning", what);
  }

  /** Adds a problem that was found in a value, unless the value is already known to be missing. */
  found(problem: Problem, spanOf: () => Span): void {
    if (problem.code === "too-many-problems") this.notes.push(problem);
    else if (!this.broken.has(problem.path)) this.place(problem, spanOf());
  }

  private place(problem: Problem, span: Span): void {
    // A part that is read as two messages may tell the same twice.
    const name = `${problem.code} ${problem.path} ${span[0]}`;
    if (this.known.has(name)) return;
    const list = problem.severity === "error" ? this.errors : this.others;
    if (list.length >= this.most) {
      this.unlisted++;
      return;
    }
    this.known.add(name);
    list.push({ ...problem, range: this.range(span) });
  }

  /** Lines and columns of a stretch of the text, without white space at its end, which YAML counts to what precedes. */
  range([start, end]: Span): Range {
    let last = Math.min(end, this.text.length);
    while (last > start && " \t\r\n".includes(this.text[last - 1] ?? "")) last--;
    return this.lines.range([start, last]);
  }

  /** All problems in the order of the text. */
  list(): Problem[] {
    const all = [...this.errors, ...this.others];
    all.sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0));
    const notes = [...this.notes];
    if (this.unlisted > 0) {
      const message = `${this.unlisted} more problems are not listed`;
      notes.push({ code: "too-many-problems", severity: "info", path: "", message });
    }
    const range = this.range([0, 0]);
    return [...all, ...notes.map((note) => ({ ...note, range }))];
  }

  private add(severity: Severity, [code, at, message, span, hint]: What): void {
    const path = pointerFromPath(at);
    // Beyond the limit it does not matter what else is wrong there.
    if (severity === "error" && this.errors.length < this.most) this.broken.add(path);
    const problem = { code, severity, path, message };
    this.place(hint === undefined ? problem : { ...problem, hint }, span);
  }
}

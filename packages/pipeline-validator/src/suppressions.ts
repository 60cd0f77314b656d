import type { Position, Range } from "@wye/pipeline-spec";
import {
  type DisableComments,
  findDisableComments,
  type Slip,
  type Suppression,
} from "./disable-comments.js";
import { quote } from "./quote.js";
import type { RuleBook } from "./rule-book.js";
import { suggest } from "./suggest.js";
import type { ValidationProblem } from "./validation-report.js";

/** The comments of a text that disable rules. */
export class Suppressions {
  private readonly all: readonly Suppression[];
  private readonly slips: DisableComments["slips"];
  /** Those of each rule, by the line that they are about. */
  private readonly byRule = new Map<string, Map<number, Suppression>>();

  constructor(text: string, book: Pick<RuleBook, "canBeDisabled">) {
    const { suppressions, slips } = findDisableComments(text);
    this.all = suppressions;
    this.slips = slips;
    for (const one of this.all) {
      let lines = this.byRule.get(one.id);
      if (lines === undefined) {
        if (!book.canBeDisabled(one.id)) continue;
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

  /** Complains of no comment that disables a rule of which it is not known what it would have found. */
  leaveOpen(id: string): void {
    for (const one of this.all) if (one.id === id) one.used = true;
  }

  /** What is wrong with the comments, once all problems are known: those that do nothing, or are none. */
  *complaints(book: RuleBook): Generator<Complaint> {
    for (const slip of this.slips) yield { code: slip.code, make: () => slipProblem(slip) };
    for (const one of this.all) {
      const { id, used } = one;
      if (used || book.severityOf(id, "error") === "off") continue;
      yield book.has(id)
        ? { code: "disable-useless", make: () => useless(id, rangeOf(one), book) }
        : { code: "disable-unknown-rule", make: () => unknownRule(id, rangeOf(one), book) };
    }
  }
}

/** A problem with a comment, made when it is listed. */
interface Complaint {
  readonly code: string;
  readonly make: () => ValidationProblem;
}

function useless(id: string, range: Range, book: RuleBook): ValidationProblem {
  const message = book.canBeDisabled(id)
    ? `the next line does not break the rule ${quote(id)}`
    : `no comment disables ${quote(id)}`;
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

function slipProblem({ code, message, hint, ...place }: Slip): ValidationProblem {
  return { code, severity: "warning", path: "", message, hint, range: rangeOf(place) };
}

function rangeOf({ start, begin, end }: Pick<Suppression, "start" | "begin" | "end">): Range {
  const place = (column: number): Position => ({
    ...start,
    offset: start.offset + column,
    column: column + 1,
  });
  return { start: place(begin), end: place(end) };
}

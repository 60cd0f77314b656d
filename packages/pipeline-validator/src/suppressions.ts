import type { Position, Range } from "@wye/pipeline-spec";
import { quote } from "./quote.js";
import type { RuleBook } from "./rule-book.js";
import { suggest } from "./suggest.js";
import type { ValidationProblem } from "./validation-report.js";

/** A rule that a comment disables for one line. */
interface Suppression {
  readonly id: string;
  readonly range: Range;
  /** The line that it is about, from 1; 0 when there is none. */
  readonly line: number;
  used: boolean;
}

const directive = "wye-disable-next-line";

/** The comments of a text that disable rules. */
export class Suppressions {
  private readonly all: readonly Suppression[];
  private readonly byPlace = new Map<string, Suppression>();
  private readonly ids = new Set<string>();

  constructor(text: string) {
    this.all = text.includes(directive) ? [...findSuppressions(text)] : [];
    for (const one of this.all) {
      const place = `${one.line} ${one.id}`;
      if (!this.byPlace.has(place)) this.byPlace.set(place, one);
      this.ids.add(one.id);
    }
  }

  /** True when a comment disables the rule where its problem is. The line is asked for only where that matters. */
  hides(code: string, line: () => number | undefined): boolean {
    if (!this.ids.has(code)) return false;
    const suppression = this.byPlace.get(`${line()} ${code}`);
    if (suppression === undefined) return false;
    suppression.used = true;
    return true;
  }

  /** What is wrong with the comments, once all problems are known: those that do nothing. */
  *complaints(book: RuleBook): Generator<Complaint> {
    for (const { id, range, used } of this.all) {
      if (used || book.severityOf(id, "error") === "off") continue;
      yield book.has(id)
        ? { code: "disable-useless", make: () => useless(id, range) }
        : { code: "disable-unknown-rule", make: () => unknownRule(id, range, book) };
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

function* findSuppressions(text: string): Generator<Suppression> {
  let pending: Omit<Suppression, "line">[] = [];
  let offset = 0;
  let number = 0;
  for (let end = text.indexOf("\n"); offset <= text.length; end = text.indexOf("\n", offset)) {
    const line = text.slice(offset, end === -1 ? text.length : end);
    number++;
    const content = line.trimStart();
    if (content.startsWith("#")) {
      const at = line.indexOf(directive);
      if (at !== -1 && /^#\s{0,20}$/.test(content.slice(0, content.indexOf(directive)))) {
        for (const one of readIds(line, at + directive.length, { offset, line: number, column: 1 }))
          pending.push(one);
      }
    } else if (content !== "") {
      for (const one of pending) yield { ...one, line: number };
      pending = [];
    }
    offset += line.length + 1;
  }
  for (const one of pending) yield { ...one, line: 0 };
}

function readIds(line: string, from: number, start: Position): Omit<Suppression, "line">[] {
  const place = (column: number): Position => ({
    ...start,
    offset: start.offset + column,
    column: column + 1,
  });
  const found = Array.from(line.slice(from).matchAll(/[^\s,]+/g), (match) => {
    const [id] = match;
    const begin = from + match.index;
    return { id, range: { start: place(begin), end: place(begin + id.length) }, used: false };
  });
  return found.length > 0
    ? found
    : [{ id: "", range: { start: place(line.indexOf("#")), end: place(line.length) }, used: false }];
}

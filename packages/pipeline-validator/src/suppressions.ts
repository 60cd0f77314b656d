import type { Position, Range } from "@wye/pipeline-spec";
import { findRule, readerProblems, ruleIds } from "./rule-table.js";
import { suggest } from "./suggest.js";
import type { ValidationProblem } from "./validation-report.js";

/** A rule that a comment disables for one line. */
interface Suppression {
  readonly id: string;
  readonly range: Range;
  /** The line that it is about, from 1. */
  readonly line: number;
}

const directive = "wye-disable-next-line";

/** Leaves out the problems that comments of the text disable, and adds problems about comments that do nothing. */
export function applySuppressions(
  text: string,
  problems: readonly ValidationProblem[],
  isOff: (id: string) => boolean,
): readonly ValidationProblem[] {
  const suppressions = text.includes(directive) ? [...findSuppressions(text)] : [];
  if (suppressions.length === 0) return problems;
  const wanted = new Map(suppressions.map((one) => [`${one.line} ${one.id}`, one]));
  const used = new Set<Suppression>();
  const kept = problems.filter(({ code, range }) => {
    const suppression = wanted.get(`${range?.start.line} ${code}`);
    if (suppression === undefined) return true;
    used.add(suppression);
    return false;
  });
  for (const suppression of suppressions) {
    if (used.has(suppression) || isOff(suppression.id)) continue;
    kept.push(complaint(suppression));
  }
  return kept;
}

function complaint({ id, range }: Suppression): ValidationProblem {
  const known = findRule(id) !== undefined || Object.hasOwn(readerProblems, id);
  if (known) {
    const message = `the next line does not break the rule ${JSON.stringify(id)}`;
    return {
      code: "disable-useless",
      severity: "warning",
      path: "",
      message,
      hint: "remove the comment",
      range,
    };
  }
  const hint = suggest(id, ruleIds());
  const message = id === "" ? "the comment names no rule" : `there is no rule ${JSON.stringify(id)}`;
  const problem = { code: "disable-unknown-rule", severity: "warning", path: "", message, range } as const;
  return hint === undefined ? problem : { ...problem, hint };
}

function* findSuppressions(text: string): Generator<Suppression> {
  let pending: { readonly id: string; readonly range: Range }[] = [];
  let offset = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.trimStart();
    if (content.startsWith("#")) {
      const at = line.indexOf(directive);
      if (at !== -1 && /^#\s{0,20}$/.test(content.slice(0, content.indexOf(directive)))) {
        pending.push(...readIds(line, at + directive.length, { offset, line: index + 1, column: 1 }));
      }
    } else if (content !== "") {
      for (const one of pending) yield { ...one, line: index + 1 };
      pending = [];
    }
    offset += line.length + 1;
  }
  for (const one of pending) yield { ...one, line: 0 };
}

function readIds(
  line: string,
  from: number,
  start: Position,
): { readonly id: string; readonly range: Range }[] {
  const place = (column: number): Position => ({
    ...start,
    offset: start.offset + column,
    column: column + 1,
  });
  const found = [...line.slice(from).matchAll(/[^\s,]+/g)].map((match) => {
    const [id] = match;
    const begin = from + match.index;
    return { id, range: { start: place(begin), end: place(begin + id.length) } };
  });
  return found.length > 0
    ? found
    : [{ id: "", range: { start: place(line.indexOf("#")), end: place(line.length) } }];
}

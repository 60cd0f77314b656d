import { checkArguments } from "@wye/pipeline-spec";
import type { TextProblem } from "../text-problem.js";
import type { TemplateSegment } from "./placeholder.js";
import { meaningOf, scanPath } from "./placeholder-path.js";

/**
 * What can be wrong with placeholders. Found when a text is read: `malformed` (not closed, or not spelt as any tool knows it),
 * `unknown` (well spelt, but there is no such thing), `blanks` and `dotted` (read by some tools only), `structure` (a `Concat` or
 * `IfPresent` element that is not what it should be), `limit`. Found when it is filled in: `missing` (no such input or output),
 * `unavailable` (known, but not here).
 */
export type PlaceholderProblemCode =
  | "malformed"
  | "unknown"
  | "blanks"
  | "dotted"
  | "structure"
  | "limit"
  | "missing"
  | "unavailable";

/** Something that is wrong with the placeholders of a text, with its place inside it. */
export type PlaceholderProblem = TextProblem<PlaceholderProblemCode>;

/** A text, read for its placeholders. */
export interface Template {
  /** The text as it was given: the texts of all segments in a row. */
  readonly text: string;
  readonly segments: readonly TemplateSegment[];
  /** What looks like a placeholder and is none; it stays in the text as it is. */
  readonly problems: readonly PlaceholderProblem[];
}

/** Finds the placeholders of a text: `{{$…}}`. Takes time linear in the text and never throws for what it says. */
export function parsePlaceholders(text: string): Template {
  checkArguments("parsePlaceholders", "text", { text });
  const segments: TemplateSegment[] = [];
  const problems: PlaceholderProblem[] = [];
  let literalStart = 0;
  for (let open = text.indexOf("{{"); open >= 0; ) {
    const found = readPlaceholder(text, open);
    if (found?.problem) problems.push(found.problem);
    if (found?.segment) {
      if (open > literalStart) segments.push(literal(text, literalStart, open));
      segments.push(found.segment);
      literalStart = found.segment.span.end;
    }
    open = text.indexOf("{{", found?.segment?.span.end ?? open + 1);
  }
  if (literalStart < text.length) segments.push(literal(text, literalStart, text.length));
  return { text, segments, problems };
}

const literal = (text: string, start: number, end: number): TemplateSegment => ({
  kind: "literal",
  text: text.slice(start, end),
  span: { start, end },
});

interface Found {
  readonly segment?: TemplateSegment;
  readonly problem?: PlaceholderProblem;
}

/** Texts that begin so were meant as placeholders, whatever goes on behind. */
const meantAs = /^\.?(?:inputs|outputs)\b/;

/** Reads what begins with `{{` at the place; undefined when it has nothing to do with placeholders. */
function readPlaceholder(text: string, open: number): Found | undefined {
  let dollar = open + 2;
  while (text[dollar] === " " && dollar < open + 10) dollar++;
  if (text[dollar] !== "$") return undefined;
  const start = dollar + 1;
  const { steps, end } = scanPath(text, start);
  const meaning = meaningOf(steps);
  const meant = meantAs.test(text.slice(start, start + 10));
  let close = end;
  while (text[close] === " " && close < end + 8) close++;
  const closed = text.startsWith("}}", close);
  const span = { start: open, end: closed ? close + 2 : end };
  if (!closed)
    return meant ? { problem: notClosed(text, { start: open, end }, steps.length > 0) } : undefined;
  const hasBlanks = close > end || dollar > open + 2;
  if (!meaning.ok) {
    const { message, hint } = meaning;
    // Other tools have templates that look so, and like blanks in them.
    const severity = meaning.meant && !hasBlanks ? "error" : "warning";
    return { problem: { code: "unknown", severity, message, span, ...(hint === undefined ? {} : { hint }) } };
  }
  if (hasBlanks) {
    const hint = `write it without: {{$${text.slice(start, end)}}}`;
    const message = "a placeholder with blanks inside the braces is filled in by no tool";
    return { problem: { code: "blanks", severity: "warning", message, hint, span } };
  }
  const nameSpan = meaning.name;
  const { placeholder } = meaning;
  const segment = {
    kind: "placeholder",
    placeholder,
    text: text.slice(open, span.end),
    span,
    nameSpan,
  } as const;
  if (!meaning.dotted) return { segment };
  const message = "a name behind a point is known to the local runner alone";
  const hint = "write the name in brackets and quotes: ['name']";
  return { segment, problem: { code: "dotted", severity: "warning", message, hint, span } };
}

function notClosed(text: string, span: PlaceholderProblem["span"], pointed: boolean): PlaceholderProblem {
  const found = text.slice(span.end, span.end + 1);
  const message = pointed
    ? `the placeholder is not closed: expected }}, got ${found === "" ? "the end" : found}`
    : "the placeholder cannot be read";
  const hint = pointed
    ? "names stand in single quotes: ['name']"
    : "write a point behind the dollar: {{$.inputs";
  return { code: "malformed", severity: "error", message, hint, span };
}

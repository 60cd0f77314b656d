import type { Range, Severity } from "@wye/pipeline-spec";
import { checkOptions } from "@wye/pipeline-spec";
import type { ValidationProblem, ValidationReport } from "../validation-report.js";
import { checkReport } from "./check-report.js";
import { cleanText } from "./clean-text.js";

/** How problems are shown. */
export interface FormatOptions {
  /** The text that was validated: without it there are no lines to show. */
  readonly source?: string;
  /** Name of the file, for the places. */
  readonly file?: string;
  /** True to colour for a terminal; never otherwise. */
  readonly color?: boolean;
  /** Columns of the terminal: 100 by default. Source lines are cut to it around the place. */
  readonly width?: number;
}

const defaultWidth = 100;
const narrowest = 30;

/** What `formatProblems` shows: a report, or what `parsePipeline` gives, which has no list of what was not checked. */
export type ShownReport = Pick<ValidationReport, "problems" | "counts"> &
  Partial<Pick<ValidationReport, "unchecked">>;

type Paint = (text: string, style: keyof typeof codes) => string;

const codes = { error: 31, warning: 33, info: 36, bold: 1, dim: 2 } as const;

/**
 * Shows the problems of a report like a compiler does: the line, the place in it, the hint, and a count at the end. Takes what
 * `parsePipeline` gives as well.
 */
export function formatProblems(report: ShownReport, options: FormatOptions = {}): string {
  checkReport("formatProblems", report);
  checkOptions("formatProblems", options, {
    source: "text",
    file: "text",
    color: [true, false],
    width: "limit",
  });
  const { source, file = "pipeline", color = false, width = defaultWidth } = options;
  const paint: Paint = color ? (text, style) => `\u001b[${codes[style]}m${text}\u001b[0m` : (text) => text;
  const frames = new Frames(source, file, Math.max(narrowest, Math.trunc(width)), paint);
  const parts = report.problems.map((problem) => frames.problem(problem));
  return `${[...parts, summary(report, paint)].join("\n\n")}\n`;
}

function summary({ counts, unchecked = [] }: ShownReport, paint: Paint): string {
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const count = counts[severity];
    const name = severity === "info" ? "remark" : severity;
    return count === 0 ? [] : [paint(countOf(count, name), severity)];
  });
  const text = parts.length === 0 ? "no problems" : parts.join(", ");
  const [first] = unchecked;
  if (first === undefined) return text;
  const what = first.path === "" ? "nothing else" : `${countOf(unchecked.length, "part")} of the file`;
  return `${text}; ${what} could ${first.path === "" ? "" : "not "}be checked`;
}

const countOf = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;

class Frames {
  private readonly lines: readonly string[];
  private readonly file: string;
  private readonly width: number;
  private readonly paint: Paint;

  constructor(source: string | undefined, file: string, width: number, paint: Paint) {
    this.lines = source?.split(/\r\n|[\r\n]/) ?? [];
    this.file = cleanText(file);
    this.width = width;
    this.paint = paint;
  }

  problem({ code, severity, message, hint, range, path, related = [] }: ValidationProblem): string {
    const title = `${this.paint(`${severity}[${code}]`, severity)}: ${cleanText(message)}`;
    const lines = [...wrap(title, this.width, "  "), `  --> ${this.place(range, path)}`];
    if (range !== undefined) lines.push(...this.frame(range, severity));
    if (hint !== undefined)
      lines.push(...wrap(`  = ${this.paint("help", "bold")}: ${cleanText(hint)}`, this.width, "    "));
    for (const place of related) {
      const note = `  = ${this.paint("note", "bold")}: ${cleanText(place.message)}: ${this.place(place.range, place.path)}`;
      lines.push(...wrap(note, this.width, "    "));
    }
    return lines.join("\n");
  }

  private place(range: Range | undefined, path: string): string {
    if (range !== undefined) return `${this.file}:${range.start.line}:${range.start.column}`;
    return path === "" ? this.file : `${this.file} at ${cleanText(path)}`;
  }

  /** The line of a range with marks under it. */
  private frame({ start, end }: Range, severity: Severity): string[] {
    const line = this.lines[start.line - 1]?.trimEnd();
    if (line === undefined) return [];
    const number = String(start.line);
    const from = start.column - 1;
    const to = Math.max(from + 1, end.line === start.line ? end.column - 1 : line.length);
    const { text, at, length } = cut(line, from, to, this.width - number.length - 3);
    const margin = " ".repeat(number.length);
    const bar = this.paint("|", "dim");
    return [
      `${margin} ${bar}`,
      `${this.paint(number, "dim")} ${bar} ${text}`.trimEnd(),
      `${margin} ${bar} ${" ".repeat(at)}${this.paint("^".repeat(length), severity)}`,
    ];
  }
}

interface CutLine {
  readonly text: string;
  /** Column of the place in it, from 0, and its length there. */
  readonly at: number;
  readonly length: number;
}

/**
 * The part of a line around a place that fits into so many columns; the place itself may be cut at its end. Of a long
 * line only what may be shown is looked at.
 */
function cut(line: string, from: number, to: number, columns: number): CutLine {
  const isWhole = line.length <= columns;
  // A third of the room is for what comes before the place.
  const before = lastOf(line, from, isWhole ? from : Math.floor(columns / 3));
  const after = firstOf(line, from, isWhole ? line.length : columns - before.length + 1);
  const isCutAtStart = before.join("").length < from;
  const isCutAtEnd = before.length + after.length > columns;
  const shown = [...before, ...after].slice(0, columns).map((char) => cleanText(char));
  if (isCutAtStart && shown.length > 0) shown[0] = "…";
  if (isCutAtEnd) shown[columns - 1] = "…";
  const room = shown.length - before.length - (isCutAtEnd ? 1 : 0);
  const marked = firstOf(line.slice(0, to), from, columns).length;
  return { text: shown.join(""), at: before.length, length: Math.max(1, Math.min(marked, room)) };
}

/** So many characters from a place on; a character may be two code units. */
function firstOf(line: string, from: number, count: number): string[] {
  return [...line.slice(from, from + 2 * count)].slice(0, count);
}

/** So many characters before a place. */
function lastOf(line: string, to: number, count: number): string[] {
  return count === 0 ? [] : [...line.slice(Math.max(0, to - 2 * count), to)].slice(-count);
}

/** Breaks a line at blanks. */
function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  const [first = "", ...words] = text.split(" ");
  let line = first;
  for (const word of words) {
    const longer = `${line} ${word}`;
    if (visibleLength(longer) > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

function visibleLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes for colours begin with one
  return [...text.replace(/\u001b\[\d+m/g, "")].length;
}

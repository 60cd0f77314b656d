import type { Severity } from "@wye/pipeline-spec";
import { checkOptions } from "@wye/pipeline-spec";
import type { ValidationReport } from "../validation-report.js";
import { checkReport } from "./check-report.js";
import { cleanText } from "./clean-text.js";

/** What annotations need besides the report. */
export interface AnnotationOptions {
  /** Path of the file in the repository. */
  readonly file: string;
}

const commands: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** The problems as workflow commands of GitHub Actions, one per line, which show them beside the lines of a change. */
export function toGithubAnnotations(report: ValidationReport, options: AnnotationOptions): string {
  checkReport("toGithubAnnotations", report);
  checkOptions("toGithubAnnotations", options, { file: "text" });
  const { file } = options;
  return report.problems
    .map(({ severity, code, message, hint, range }) => {
      const properties = [["file", file], ...placeProperties(range), ["title", code]];
      const list = properties.map(([name, value = ""]) => `${name}=${escapeProperty(value)}`).join(",");
      const text = [message, ...(hint === undefined ? [] : [hint])].map(escapeText).join("%0A");
      return `::${commands[severity]} ${list}::${text}\n`;
    })
    .join("");
}

function placeProperties(range: ValidationReport["problems"][number]["range"]): string[][] {
  if (range === undefined) return [];
  const { start, end } = range;
  const lines = [
    ["line", String(start.line)],
    ["endLine", String(end.line)],
  ];
  // Columns are only allowed within one line.
  if (start.line !== end.line) return lines;
  return [...lines, ["col", String(start.column)], ["endColumn", String(end.column)]];
}

/** Runners show what is written, also on a terminal; the lines of a message are made here. */
const escapeText = (text: string): string => cleanText(text).replaceAll("%", "%25");

const escapeProperty = (text: string): string =>
  escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

import type { Severity } from "@wye/pipeline-spec";
import { checkOptions } from "@wye/pipeline-spec";
import type { ValidationReport } from "../validation-report.js";
import { checkReport } from "./check-report.js";

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
      const text = hint === undefined ? message : `${message}\n${hint}`;
      return `::${commands[severity]} ${list}::${escapeText(text)}\n`;
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

const escapeText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

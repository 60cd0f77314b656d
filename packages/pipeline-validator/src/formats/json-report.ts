import type { Severity } from "@wye/pipeline-spec";
import type { ValidationProblem, ValidationReport } from "../validation-report.js";

/** A report as data for other programs. */
export interface JsonReport {
  /** Changes when the form does. */
  readonly version: 1;
  readonly file?: string;
  readonly ok: boolean;
  /** How many problems there are of each severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  readonly problems: readonly ValidationProblem[];
}

/** What the JSON form needs besides the report. */
export interface JsonReportOptions {
  /** Path of the file. */
  readonly file?: string;
}

/** The report as plain data, ready for `JSON.stringify`. */
export function toJson({ ok, problems }: ValidationReport, { file }: JsonReportOptions = {}): JsonReport {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of problems) counts[severity]++;
  return { version: 1, ...(file === undefined ? {} : { file }), ok, counts, problems };
}

import { checkOptions } from "@wye/pipeline-spec";
import type { UncheckedPart, ValidationProblem, ValidationReport } from "../validation-report.js";
import { checkReport } from "./check-report.js";

/** A report as data for other programs. */
export interface JsonReport {
  /** Changes when the form does. */
  readonly version: 1;
  readonly file?: string;
  readonly ok: boolean;
  /** How many problems there are of each severity, listed or not. */
  readonly counts: ValidationReport["counts"];
  readonly problems: readonly ValidationProblem[];
  /** What was not checked, and why. */
  readonly unchecked: readonly UncheckedPart[];
}

/** What the JSON form needs besides the report. */
export interface JsonReportOptions {
  /** Path of the file. */
  readonly file?: string;
}

/** The report as plain data, ready for `JSON.stringify`. */
export function toJson(report: ValidationReport, options: JsonReportOptions = {}): JsonReport {
  checkReport("toJson", report);
  checkOptions("toJson", options, { file: "text" });
  const { file } = options;
  const { ok, counts, problems, unchecked } = report;
  return { version: 1, ...(file === undefined ? {} : { file }), ok, counts, problems, unchecked };
}

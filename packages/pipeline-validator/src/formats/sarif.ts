import { checkOptions, ownEntry, type Range, type Severity } from "@wye/pipeline-spec";
import { ruleHelp } from "../rule-help.js";
import { findRule, readerProblems } from "../rule-table.js";
import type { ValidationProblem, ValidationReport } from "../validation-report.js";
import { checkReport } from "./check-report.js";

/** How bad a result is, in the words of SARIF. */
export type SarifLevel = "error" | "warning" | "note";

/** A text for people. */
export interface SarifMessage {
  readonly text: string;
}

/** A place in a file. */
export interface SarifLocation {
  readonly id?: number;
  readonly message?: SarifMessage;
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string };
    readonly region?: {
      readonly startLine: number;
      readonly startColumn: number;
      readonly endLine: number;
      readonly endColumn: number;
    };
  };
  readonly logicalLocations?: readonly { readonly fullyQualifiedName: string }[];
}

/** A problem in SARIF. */
export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: SarifMessage;
  readonly locations: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
}

/** A log file of SARIF 2.1.0 with one run. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: "2.1.0";
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly version?: string;
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: SarifMessage;
          readonly fullDescription?: SarifMessage;
          /** Where one can read about the rule, with examples. */
          readonly helpUri?: string;
          /** What holds unless a user changes it: rules of severity `style` are not enabled. */
          readonly defaultConfiguration: { readonly enabled?: false; readonly level: SarifLevel };
        }[];
      };
    };
    readonly columnKind: "utf16CodeUnits";
    readonly results: readonly SarifResult[];
  }[];
}

/** What SARIF needs besides the report. */
export interface SarifOptions {
  /** Path or URI of the file, relative to the root of the repository; `pipeline.yaml` unless given. */
  readonly file?: string;
  /** Version of the tool that is named in the log. */
  readonly toolVersion?: string;
}

const levels: Readonly<Record<Severity, SarifLevel>> = { error: "error", warning: "warning", info: "note" };

/** The report as a SARIF 2.1.0 log, which code scanning services read. */
export function toSarif(report: ValidationReport, options: SarifOptions = {}): SarifLog {
  checkReport("toSarif", report);
  checkOptions("toSarif", options, { file: "text", toolVersion: "text" });
  const uri = fileUri(options.file ?? "pipeline.yaml");
  const ids = [...new Set(report.problems.map(({ code }) => code))].sort();
  const rules = ids.map((id) => {
    const rule = findRule(id);
    const reason = rule === undefined ? {} : { fullDescription: { text: rule.reason } };
    const level = levels[defaultSeverity(id, report)];
    const text = rule?.summary ?? ownEntry(readerProblems, id) ?? ownEntry(report.ownRules, id) ?? id;
    const enabled = rule?.severity.kfp === "style" ? { enabled: false as const } : {};
    const help = ruleHelp(id);
    const more = { ...reason, ...(help === undefined ? {} : { helpUri: help }) };
    return { id, shortDescription: { text }, ...more, defaultConfiguration: { ...enabled, level } };
  });
  const { toolVersion } = options;
  const driver = { name: "wye", ...(toolVersion === undefined ? {} : { version: toolVersion }), rules };
  const results = report.problems.map((problem) => resultOf(problem, ids.indexOf(problem.code), uri));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
}

function defaultSeverity(id: string, { problems }: ValidationReport): Severity {
  const usual = findRule(id)?.severity.kfp;
  if (usual === "style") return "info";
  if (usual !== undefined && usual !== "off") return usual;
  return problems.find(({ code }) => code === id)?.severity ?? "error";
}

function resultOf(problem: ValidationProblem, ruleIndex: number, uri: string): SarifResult {
  const { code: ruleId, severity, message, hint, path, range, related = [] } = problem;
  const text = hint === undefined ? message : `${message} (${hint})`;
  const relatedLocations = related.map((place, id): SarifLocation => {
    return { id, message: { text: place.message }, ...location(uri, place.path, place.range) };
  });
  return {
    ...{ ruleId, ruleIndex, level: levels[severity], message: { text } },
    locations: [location(uri, path, range)],
    ...(relatedLocations.length === 0 ? {} : { relatedLocations }),
  };
}

function location(uri: string, path: string, range: Range | undefined): SarifLocation {
  const region = range && {
    startLine: range.start.line,
    startColumn: range.start.column,
    endLine: range.end.line,
    endColumn: range.end.column,
  };
  return {
    physicalLocation: { artifactLocation: { uri }, ...(region === undefined ? {} : { region }) },
    ...(path === "" ? {} : { logicalLocations: [{ fullyQualifiedName: path }] }),
  };
}

/** A path as a relative URI reference; a URI stays one. */
function fileUri(file: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) return file;
  return file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
}

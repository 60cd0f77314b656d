import {
  formatProblems,
  type JsonReport,
  type SarifLog,
  toGithubAnnotations,
  toJson,
  toSarif,
  type ValidationReport,
} from "@wye/pipeline-validator";
import { type Host, isColored } from "../host.js";
import { printable } from "../printable.js";
import { version } from "../version.js";
import { mergeSarif } from "./merge-sarif.js";
import { sarifFile } from "./sarif-file.js";

/** How the problems of files are printed. */
export type CheckFormat = "text" | "json" | "sarif" | "github";

/** A file that was checked. */
export interface CheckedFile {
  readonly name: string;
  readonly source: string;
  readonly report: ValidationReport;
}

/** Takes one file after the other. */
export interface CheckPrinter {
  print(checked: CheckedFile): void;
  /** After the last file: prints what is one document for all of them, with why others could not be read. */
  end(unread: readonly string[]): void;
}

/** Prints each file as it comes; only a format that is one document keeps what it will say of each. */
export function checkPrinter(format: CheckFormat, host: Host): CheckPrinter {
  switch (format) {
    case "json":
      return jsonPrinter(host);
    case "sarif":
      return sarifPrinter(host);
    case "github":
      return {
        print: ({ name, report }) => host.out.write(toGithubAnnotations(report, { file: name })),
        end() {},
      };
    case "text":
      return { print: (checked) => printText(checked, host), end() {} };
  }
}

function jsonPrinter({ out }: Host): CheckPrinter {
  const files: JsonReport[] = [];
  return {
    print: ({ name, report }) => files.push(toJson(report, { file: name })),
    end(unread) {
      const ok = unread.length === 0 && files.every((file) => file.ok);
      const report = { version: 1, ok, files, ...(unread.length === 0 ? {} : { unread }) };
      out.write(`${JSON.stringify(report, undefined, 2)}\n`);
    },
  };
}

function sarifPrinter({ out, cwd }: Host): CheckPrinter {
  const logs: SarifLog[] = [];
  return {
    print: ({ name, report }) =>
      logs.push(toSarif(report, { file: sarifFile(name, cwd), toolVersion: version() })),
    end(unread) {
      out.write(`${JSON.stringify(withUnread(mergeSarif(logs), unread), undefined, 2)}\n`);
    },
  };
}

/** The log of a check that could not read everything. */
function withUnread(log: SarifLog | undefined, unread: readonly string[]): object | undefined {
  if (log === undefined || unread.length === 0) return log;
  const toolExecutionNotifications = unread.map((text) => ({ level: "error", message: { text } }));
  const invocations = [{ executionSuccessful: false, toolExecutionNotifications }];
  return { ...log, runs: log.runs.map((run) => ({ ...run, invocations })) };
}

function printText({ name, source, report }: CheckedFile, host: Host): void {
  const { out } = host;
  const options = { source, file: name, color: isColored(host, out), width: out.columns ?? 100 };
  // Problems say where they are; a sum alone does not.
  const place = report.problems.length === 0 ? `${printable(name)}: ` : "";
  out.write(place + formatProblems(report, options));
}

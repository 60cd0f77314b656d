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
  /** After the last file: prints what is one document for all of them. */
  end(): void;
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
    end() {
      out.write(`${JSON.stringify({ version: 1, ok: files.every(({ ok }) => ok), files }, undefined, 2)}\n`);
    },
  };
}

function sarifPrinter({ out, cwd }: Host): CheckPrinter {
  const logs: SarifLog[] = [];
  return {
    print: ({ name, report }) =>
      logs.push(toSarif(report, { file: sarifFile(name, cwd), toolVersion: version() })),
    end() {
      out.write(`${JSON.stringify(mergeSarif(logs), undefined, 2)}\n`);
    },
  };
}

function printText({ name, source, report }: CheckedFile, host: Host): void {
  const { out } = host;
  const options = { source, file: name, color: isColored(host, out), width: out.columns ?? 100 };
  out.write(formatProblems(report, options));
}

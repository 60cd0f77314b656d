import { resolve } from "node:path";
import {
  formatRecordProblem,
  type LoadReport,
  type RecordProblem,
  readCatalogueFile,
} from "@wye/vehicle-catalogue/server";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { printable } from "../printable.js";
import { orUsageError } from "./catalogue-file.js";
import { readCorrections } from "./corrections.js";

/** Tells what is wrong with the records of a file, and what is mended when it is loaded. */
export async function checkVehicles(
  file: string,
  { json, corrections }: { readonly json?: boolean; readonly corrections?: string },
  host: Host,
): Promise<ExitCode> {
  const how = await readCorrections(corrections, host);
  const { report } = await orUsageError(() => readCatalogueFile(resolve(host.cwd, file), how));
  host.out.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report));
  if (report.problems.length > 0) return 1;
  if (report.loaded > 0) return 0;
  // An export that has gone wrong looks like this, and whoever asks before a deployment wants to know.
  host.err.write(`${printable(file)} has no vehicles\n`);
  return 1;
}

/** A report as lines: what is wrong, what was mended, which corrections do not apply, and a summary. */
export function reportText({ loaded, problems, repairs, staleCorrections, omitted }: LoadReport): string {
  const lines = (what: string, list: readonly RecordProblem[], more: number) => [
    ...list.map((one) => `${what}: ${printable(formatRecordProblem(one))}`),
    ...(more > 0 ? [`${what}: and ${more} more`] : []),
  ];
  const count = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const wrong = problems.length + omitted.problems;
  const mended = repairs.length + omitted.repairs;
  const stale = (staleCorrections ?? []).map(({ id, field, message }) =>
    printable(`stale: ${id}${field && ` ${field}`} ${message}`),
  );
  const old = stale.length + omitted.staleCorrections;
  return `${[
    ...lines("wrong", problems, omitted.problems),
    ...lines("mended", repairs, omitted.repairs),
    ...stale,
    ...(omitted.staleCorrections > 0 ? [`stale: and ${omitted.staleCorrections} more`] : []),
    `${count(loaded, "vehicle")}, ${count(wrong, "problem")}, ${count(mended, "repair")}${staleCorrections === undefined ? "" : `, ${count(old, "stale correction")}`}`,
  ].join("\n")}\n`;
}

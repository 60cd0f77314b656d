import { rename, rm, writeFile } from "node:fs/promises";
import { renderRunReport } from "../report/render-run-report.js";
import { logTail } from "./log-tail.js";
import type { RunResult } from "./run-pipeline.js";

const ofFailed = { lines: 100, bytes: 16_384 } as const;
const ofOthers = { lines: 20, bytes: 2048 } as const;
/** Of so many tasks there is much of the log, and of so many others a little. */
const most = { failed: 100, others: 1000 } as const;

/** Writes the report of a run, with the ends of its logs, as one HTML file; it is there whole or not at all. */
export async function writeRunReport(result: RunResult, file: string): Promise<void> {
  const logs = new Map(result.tasks.map(({ id, log }) => [id, log]));
  const counts = { failed: 0, others: 0 };
  const html = renderRunReport(result, {
    logTail: ({ id, state }) => {
      const log = logs.get(id);
      if (log === undefined) return "";
      if (state === "FAILED" && counts.failed++ < most.failed) return logTail(log, ofFailed);
      return counts.others++ < most.others ? logTail(log, ofOthers) : "";
    },
  });
  const partial = `${file}.${process.pid}.part`;
  try {
    await writeFile(partial, html);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

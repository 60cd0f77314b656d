import { randomUUID } from "node:crypto";
import { lstat, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describeValue } from "@wye/pipeline-spec";
import { renderRunReport } from "../report/render-run-report.js";
import { localPath } from "./local-path.js";
import { logTail } from "./log-tail.js";
import type { RunResult } from "./run-pipeline.js";

const ofFailed = { lines: 100, bytes: 16_384 } as const;
const ofOthers = { lines: 20, bytes: 2048 } as const;
/** Of so many tasks there is much of the log, and of so many others a little. */
const most = { failed: 100, others: 1000 } as const;

/**
 * Writes the report of a run, with the ends of its logs, as one HTML file; it is there whole or not at all. What is no file, such as a
 * pipe, is written to.
 *
 * @param file  a path, or a URL `file://`
 */
export async function writeRunReport(result: RunResult, file: string): Promise<void> {
  const path = typeof file === "string" && file !== "" ? localPath(file) : undefined;
  if (path === undefined)
    throw new TypeError(
      `writeRunReport takes the path of a file on this machine, not ${describeValue(file)}`,
    );
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
  await put(path, html);
}

async function put(path: string, html: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // A pipe, a device, or the output of this process: it is written to, and stays what it is.
  if (/^\/(dev|proc)\//.test(path) || (found !== undefined && !found.isFile()))
    return writeFile(path, html, { flag: "a" });
  // A link that leads to nothing yet is written through.
  if (found === undefined && (await lstat(path).catch(() => undefined)) !== undefined)
    return writeFile(path, html);
  const target = found === undefined ? path : await realpath(path);
  // Others may write the same report.
  const partial = join(dirname(target), `${basename(target).slice(0, 50)}.${randomUUID()}.part`);
  try {
    await writeFile(partial, html, { flag: "wx" });
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { type RunResult, writeRunReport } from "@wye/pipeline-runner/node";
import { UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { printable } from "../printable.js";

/** What a run needs, and what no report may be written over. */
export interface ReportNeighbours {
  /** The path of the pipeline; undefined for the standard input. */
  readonly pipeline: string | undefined;
  /** The folder in which the run will make its own. */
  readonly root: string;
}

/** Refuses a report that could not be written, or would be over something else, before there are hours of work to report. */
export async function checkReportFile(path: string, { pipeline, root }: ReportNeighbours): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  const refuse = (reason: string) => new UsageError(`--report ${path}: ${reason}`);
  const becomesFolder = `${resolve(root)}${sep}`.startsWith(`${resolve(path)}${sep}`);
  if (found?.isDirectory() || becomesFolder) throw refuse("it is a folder, name a file in it");
  if (pipeline !== undefined && (await isSame(path, pipeline)))
    throw refuse("it is the file of the pipeline, name another one");
  try {
    const isReplaced = found === undefined || found.isFile();
    await access(isReplaced ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw refuse(`it cannot be written: ${messageOf(error)}`);
  }
}

/** Whether two paths lead to one file, by whatever links. */
async function isSame(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([path, other].map((each) => realpath(each).catch(() => undefined)));
  if (one === undefined || two === undefined) return false;
  const [a, b] = await Promise.all([stat(one), stat(two)]);
  return a.dev === b.dev && a.ino === b.ino;
}

/** Writes a report; false when it could not be. */
export async function writeReport(result: RunResult, path: string, { err }: Host): Promise<boolean> {
  try {
    await writeRunReport(result, path);
    return true;
  } catch (error) {
    err.write(`wye: the report cannot be written: ${printable(messageOf(error))}\n`);
    return false;
  }
}

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type RunResult, writeRunReport } from "@wye/pipeline-runner/node";
import { UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { printable } from "../printable.js";

/** Refuses a report that could not be written, before there are hours of work to report. */
export async function checkReportFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  const refuse = (reason: string) => new UsageError(`--report ${path}: ${reason}`);
  if (found?.isDirectory()) throw refuse("it is a folder, name a file in it");
  try {
    const isReplaced = found === undefined || found.isFile();
    await access(isReplaced ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw refuse(`it cannot be written: ${messageOf(error)}`);
  }
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

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PipelineRunError } from "../run-error.js";

/**
 * Keeps two processes from working on one run. A lock whose process is gone is taken over. Returns what gives it back.
 *
 * @throws PipelineRunError when another process has it
 */
export function lockRun(folder: string): () => void {
  const path = join(folder, "run.lock");
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const owner = ownerOf(path);
    if (owner !== undefined && isAlive(owner)) {
      throw new PipelineRunError("state", `process ${owner} is working on the run in ${folder}`);
    }
    rmSync(path, { force: true });
  }
  throw new PipelineRunError("state", `the run in ${folder} is locked again and again by others`);
}

function ownerOf(path: string): number | undefined {
  try {
    const owner = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(owner) && owner > 0 ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

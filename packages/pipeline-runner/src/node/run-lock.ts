import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PipelineRunError } from "../run-error.js";

/**
 * Keeps two processes from working on one run. A lock whose process is gone is taken over. Returns what gives it back.
 *
 * @throws PipelineRunError when another process has it
 */
export function lockRun(folder: string): () => void {
  const path = join(folder, "run.lock");
  const self = processName(process.pid) ?? String(process.pid);
  const draft = `${path}.${self.replace(" ", "-")}.${randomUUID()}`;
  try {
    writeFileSync(draft, self);
    for (let attempt = 0; attempt < 10; attempt++) {
      // A link appears with its content, and only one process can make it.
      if (tryLink(draft, path)) {
        removeDrafts(folder);
        return () => rmSync(path, { force: true });
      }
      const owner = contentOf(path);
      if (owner !== undefined && isAlive(owner)) {
        const [pid] = owner.split(" ");
        const help = `if it is not, remove ${path}`;
        throw new PipelineRunError("state", `process ${pid} is working on the run in ${folder}; ${help}`);
      }
      if (owner !== undefined) removeStale(path, owner);
    }
    throw new PipelineRunError("state", `the run in ${folder} is locked again and again by others`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes what processes have left that were killed while they took the lock. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid, started] = /^run\.lock\.(\d+)(?:-(\d+))?\.[\da-f-]{36}$/.exec(name) ?? [];
    if (pid === undefined || isAlive(started === undefined ? pid : `${pid} ${started}`)) continue;
    rmSync(join(folder, name), { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a process that is gone. One that somebody else has made meanwhile is given back. */
function removeStale(path: string, owner: string): void {
  const taken = `${path}.${randomUUID()}`;
  try {
    renameSync(path, taken);
    if (contentOf(taken) !== owner) tryLink(taken, path);
  } catch {
    // Another process was quicker.
  } finally {
    rmSync(taken, { force: true });
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * A process, and when it was started where the system tells: numbers are given to others after a while. One that has ended, and
 * whose parent has not asked how, has no name any more.
 */
function processName(pid: number): string | undefined {
  const stat = contentOf(`/proc/${pid}/stat`);
  const [, state, ...numbers] = stat?.slice(stat.lastIndexOf(")")).split(" ") ?? [];
  const started = numbers[18];
  return started === undefined || state === "Z" || state === "X" ? undefined : `${pid} ${started}`;
}

function isAlive(owner: string): boolean {
  const pid = Number(owner.split(" ")[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !owner.includes(" ") || processName(pid) === owner;
}

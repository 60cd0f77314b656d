import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { PipelineRunError } from "../run-error.js";
import { readAtOnce } from "./read-at-once.js";

/** How often a process that works on a run writes its lock anew: whoever does not see the process sees that. */
const beatMs = 5000;
/** How old the last beat of a process may be that lives where its number means nothing here. */
const longestSilenceMs = 30_000;
/** A draft is there for a moment. */
const leftoverAgeMs = 60_000;

/**
 * Keeps two processes from working on one run, also in several containers, or on several machines that share the folder. A lock
 * whose process is gone is taken over. Returns what gives it back.
 *
 * @throws PipelineRunError when another process has it
 */
export function lockRun(folder: string): () => void {
  const path = join(folder, "run.lock");
  const self = `${processName(process.pid) ?? process.pid}${placeMark}${placeOfProcesses()}`;
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, self);
    const { mtimeMs: now } = statSync(draft);
    for (let attempt = 0; attempt < 10; attempt++) {
      if (tryMake(draft, path)) {
        removeDrafts(folder, now);
        return held(path, self);
      }
      const owner = unlessGone(path);
      if (owner === undefined) continue;
      const holder = holderOf(owner, path, now);
      if (holder !== undefined) {
        const help = `if it is not, remove ${path}`;
        throw new PipelineRunError("state", `${holder} is working on the run in ${folder}; ${help}`);
      }
      removeStale(path, owner);
    }
    throw new PipelineRunError("state", `the run in ${folder} is locked again and again by others`);
  } finally {
    tryRemove(draft);
  }
}

/** Shows that the process is there, until the lock is given back. */
function held(path: string, self: string): () => void {
  const beat = setInterval(() => {
    if (isOurs(path, self)) touch(path, self);
    else clearInterval(beat);
  }, beatMs);
  // A process that has nothing else to do has ended its work.
  beat.unref();
  return () => {
    clearInterval(beat);
    // Who was silent for long may have lost it.
    // What has become of the run counts more than a lock that stays: that of a process that is gone is taken over.
    if (isOurs(path, self)) tryRemove(path);
  };
}

/** Whether a lock that was taken is still there. One that cannot be read for now, as with too many open files, is. */
function isOurs(path: string, self: string): boolean {
  try {
    return unlessGone(path) === self;
  } catch {
    return true;
  }
}

function tryRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays.
  }
}

/** The file system gives the time: machines that share it may have others. Nobody ever finds the file empty. */
function touch(path: string, content: string): void {
  try {
    const file = openSync(path, "r+");
    try {
      writeSync(file, content, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // The next one may succeed; a folder that takes nothing any more ends the run by its journal.
  }
}

/** Who has a lock, if that is still there. `now` is the time of the file system. */
function holderOf(owner: string, path: string, now: number): string | undefined {
  const beat = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const silenceMs = Math.max(now - beat, 0);
  // A copy, which has no content yet.
  if (owner === "")
    return silenceMs > longestSilenceMs ? undefined : "another process, which has just begun,";
  const [name = "", place] = owner.split(placeMark);
  const [pid] = name.split(" ");
  if (place === undefined || place === placeOfProcesses())
    return isAlive(name) ? `process ${pid}` : undefined;
  if (silenceMs > longestSilenceMs) return undefined;
  return `a process in another container or on another machine (${pid} of ${place}, heard of ${Math.round(silenceMs / 1000)} s ago)`;
}

const placeMark = " @ ";

/** Where the numbers of processes mean what they mean here: this machine since it was started, and in it this container. */
function placeOfProcesses(): string {
  const boot = contentOf("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return [hostname(), boot, namespaceOfProcesses()].filter((part) => part !== "").join(" ");
}

function namespaceOfProcesses(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Not every system has them.
    return "";
  }
}

/** Removes what processes have left that were killed while they took the lock. */
function removeDrafts(folder: string, now: number): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!/^run\.lock\.[\da-f-]{36}$/.test(name)) continue;
      const path = join(folder, name);
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (mtimeMs !== undefined && now - mtimeMs > leftoverAgeMs) rmSync(path, { force: true });
    }
  } catch {
    // They harm nobody; the next process may succeed.
  }
}

/** Makes a file of a draft, if there is none. Only one process can. */
function tryMake(draft: string, path: string): boolean {
  try {
    return tryLink(draft, path);
  } catch (error) {
    if (!hasCode(error, withoutLinks)) throw error;
    return tryCopy(draft, path);
  }
}

/** What systems say of links where a file cannot have two names: FAT, shared folders of other systems, file systems of programs. */
const withoutLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];

/** A link appears with its content. */
function tryLink(draft: string, path: string): boolean {
  return unlessTaken(() => linkSync(draft, path));
}

/** A copy is empty for a moment. */
function tryCopy(draft: string, path: string): boolean {
  return unlessTaken(() => copyFileSync(draft, path, constants.COPYFILE_EXCL));
}

function unlessTaken(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (hasCode(error, ["EEXIST"])) return false;
    throw error;
  }
}

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));

/** Removes the lock of a process that is gone. One that somebody else has made meanwhile is given back. */
function removeStale(path: string, owner: string): void {
  const taken = `${path}.${randomUUID()}`;
  try {
    renameSync(path, taken);
    if (contentOf(taken) !== owner) tryMake(taken, path);
  } catch {
    // Another process was quicker.
  } finally {
    rmSync(taken, { force: true });
  }
}

function contentOf(path: string): string | undefined {
  try {
    return unlessGone(path);
  } catch {
    return undefined;
  }
}

/** What a file says, if there is one. */
function unlessGone(path: string): string | undefined {
  try {
    return readAtOnce(path);
  } catch (error) {
    if (hasCode(error, ["ENOENT", "ENOTDIR"])) return undefined;
    throw error;
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

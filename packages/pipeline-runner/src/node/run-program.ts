import { type ChildProcess, spawn } from "node:child_process";
import type { WorkContext, WorkResult } from "./executor.js";

/** A program to run. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  readonly folder: string;
  readonly timeoutMs: number | undefined;
  /** How long it may take to end when it is told to. */
  readonly graceMs: number;
}

/**
 * Beside the program, in its process group, something waits for the end of a pipe that this process holds open: when this process is
 * gone, however it went, the whole group is killed. Signals to the group, which ask it to end, leave the watcher there.
 */
const withWatcher = [
  'trap "" TERM INT HUP',
  "{ read -r _ <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 &",
  "trap - TERM INT HUP",
  'exec "$0" "$@" 3<&-',
].join("\n");

/** How long pipes may stay open after a program has ended and its group was killed. */
const drainMs = 2000;

/** Runs a program to its end, with all that it starts in its process group. */
export function runProgram(program: Program, { signal, log }: WorkContext): Promise<WorkResult> {
  const { args, timeoutMs, graceMs } = program;
  return new Promise((resolve) => {
    const child = start(program);
    if (child instanceof Error) return resolve(notStarted(child, args));
    const lastWords = new LastWords();
    const take = (chunk: Buffer) => {
      lastWords.add(chunk);
      log(chunk);
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    // Without file descriptors there are no pipes either.
    child.stdio?.[3]?.on("error", () => {
      // The watcher is gone: so is the program.
    });
    let why: string | undefined;
    const timers: NodeJS.Timeout[] = [];
    const stop = (reason: string) => {
      why ??= reason;
      killGroup(child, "SIGTERM");
      timers.push(setTimeout(() => killGroup(child, "SIGKILL"), graceMs));
    };
    const onAbort = () => stop("it was cancelled");
    const end = (result: WorkResult) => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      for (const pipe of child.stdio ?? []) pipe?.destroy();
      resolve(result);
    };
    child.on("error", (error) => end(notStarted(error, args)));
    child.on("exit", (code, killer) => {
      // What it has left behind ends with it; then the pipes close.
      killGroup(child, "SIGKILL");
      const ended = () => end(resultOf(code, killer, why, lastWords.line()));
      child.once("close", ended);
      timers.push(setTimeout(ended, drainMs));
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    if (timeoutMs !== undefined) {
      timers.push(setTimeout(() => stop(`its time of ${timeoutMs / 1000} s was over`), timeoutMs));
    }
  });
}

/**
 * A command that gives the program the variables which the shell before it does not pass on, those whose names it cannot have: Java's have
 * dots, functions of bash have signs. What `env` is to run cannot have an equals sign.
 */
function withAllVariables({ file, args, environment }: Program): readonly string[] {
  const unknown = Object.entries(environment).filter(([name]) => name !== "" && !/^[A-Za-z_]\w*$/.test(name));
  if (unknown.length === 0 || file.includes("=")) return [file, ...args];
  const settings = unknown.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
  return ["/usr/bin/env", "--", ...settings, file, ...args];
}

/** Some reasons not to start come as an event, others are thrown. */
function start(program: Program): ChildProcess | Error {
  try {
    return spawn("/bin/sh", ["-c", withWatcher, ...withAllVariables(program)], {
      cwd: program.folder,
      env: program.environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function killGroup({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

function resultOf(
  code: number | null,
  killer: string | null,
  why: string | undefined,
  lastWords: string,
): WorkResult {
  if (why !== undefined) return { ok: false, message: why };
  if (code === 0) return { ok: true };
  const said = lastWords === "" ? "" : `: ${lastWords}`;
  return code === null
    ? { ok: false, message: `it was killed by ${killer}${said}` }
    : { ok: false, message: `exit code ${code}${said}`, code };
}

/** What is scarce now may be there later; arguments stay what they are. */
const passing = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"]);

function notStarted(error: Error, args: readonly string[]): WorkResult {
  const code = "code" in error ? String(error.code) : "";
  if (code !== "E2BIG")
    return { ok: false, message: `it cannot be started: ${error.message}`, retry: passing.has(code) };
  const longest = Math.max(0, ...args.map((one) => Buffer.byteLength(one)));
  const message = `its arguments are too long for this system: the longest has ${longest} bytes; hand large values over as artifacts`;
  return { ok: false, message, retry: false };
}

/** The end of what a program has printed, for messages. */
export class LastWords {
  #end = "";

  add(chunk: Uint8Array): void {
    this.#end = (this.#end + new TextDecoder().decode(chunk.subarray(-1000))).slice(-1000);
  }

  /** Its last line that says something. */
  line(saysSomething: (line: string) => boolean = (line) => line !== ""): string {
    const lines = this.#end.split("\n").map((line) => line.trim());
    const line = lines.findLast(saysSomething) ?? "";
    return line.length > 300 ? `…${line.slice(-300)}` : line;
  }
}

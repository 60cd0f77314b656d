import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { checkOptions, describeValue } from "@wye/pipeline-spec";
import { checkTimes, longer } from "./check-times.js";
import { dockerArguments, isImage, strayMount } from "./docker-arguments.js";
import {
  type BesideOptions,
  beside,
  type DockerCommand,
  type DockerOptions,
  docker,
} from "./docker-command.js";
import type { Executor, WorkResult } from "./executor.js";
import { LastWords } from "./run-program.js";

/**
 * Runs containers with the `docker` command. The folder of the task, those of its inputs and what the tasks of the run share have the
 * paths in the container that they have here. A container is stopped and removed with its attempt; one that a process left behind that
 * was killed is removed when its task runs again.
 */
export function dockerExecutor(options: DockerOptions = {}): Executor {
  checkOptions("dockerExecutor", options, {
    program: "any",
    pull: ["always", "missing", "never"],
    user: "any",
    args: "any",
    timeoutMs: "any",
    graceMs: "any",
  });
  checkTimes("dockerExecutor", options);
  const { args = [], graceMs = 5000 } = options;
  if (!Array.isArray(args) || args.some((one) => typeof one !== "string"))
    throw new TypeError(`the option "args" of dockerExecutor is a list of texts, not ${describeValue(args)}`);
  let isThere = false;
  return {
    // An engine that makes a container first, stops it, and does not answer to its removal.
    endsWithinMs: longer(graceMs, 45_000),
    cacheKey: () => ["docker"],
    execute: async (work, context) => {
      const command = { work, context, options };
      const { signal } = context;
      const found: WorkResult = isThere
        ? { ok: true }
        : await beside(["version", "--format", "{{.Server.Version}}"], command, { signal });
      isThere = found.ok;
      if (!found.ok && !signal.aborted) {
        const message = `there is no container engine: \`${options.program ?? "docker"} version\`: ${found.message}`;
        return { ok: false, message, retry: false };
      }
      return signal.aborted ? { ok: false, message: "it was cancelled" } : run(command);
    },
  };
}

async function run(command: DockerCommand): Promise<WorkResult> {
  const { work, context, options } = command;
  const { timeoutMs } = options;
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signal = limit === undefined ? context.signal : AbortSignal.any([context.signal, limit]);
  const whyStopped = (): WorkResult => ({
    ok: false,
    message: context.signal.aborted
      ? "it was cancelled"
      : `its time of ${(timeoutMs ?? 0) / 1000} s was over`,
  });
  // The same for every attempt: what an earlier process left behind is found by it.
  const name = `wye-${createHash("sha256").update(work.folder).digest("hex").slice(0, 24)}`;
  const remove = async (how: BesideOptions) => {
    const removed = await beside(["rm", "--force", "--volumes", name], command, how);
    if (removed.ok || isUnknown(removed) || how.signal?.aborted) return;
    context.warn(
      `${work.task.id}: the container ${name} could not be removed, and may still run: ${removed.message}`,
    );
  };
  await remove({ signal });
  if (signal.aborted) return whyStopped();
  if (!isImage(work.image))
    return {
      ok: false,
      message: `${JSON.stringify(work.image)} is no reference of an image`,
      retry: false,
    };
  const stray = strayMount(work);
  if (stray !== undefined)
    return {
      ok: false,
      message: `${stray} leads out of the run, and is not shown to a container`,
      retry: false,
    };
  const words = new LastWords();
  const log = (chunk: Uint8Array | string) => {
    words.add(Buffer.from(chunk));
    context.log(chunk);
  };
  const silent = new AbortController();
  try {
    const result = await runUntil({ signal, silent }, name, { ...command, context: { ...context, log } });
    if (signal.aborted) return whyStopped();
    return result.ok
      ? { ...result, isConfined: true }
      : await explained(result, { command, name, words, signal });
  } finally {
    await remove(silent.signal.aborted ? { limitMs: silentMs } : {});
  }
}

/** Whether an engine says that there is no such container. */
const isUnknown = (answer: WorkResult): boolean => !answer.ok && /no such container/i.test(answer.message);

/** So often a container that is not there is looked for again, and so long an engine may take to make it. */
const betweenMs = 200;
const makingMs = 20_000;
/** So much longer than its grace a container may take to stop, and so long an engine is asked that has not answered to that. */
const silentMs = 3000;

/** When a container is to stop, and who hears that the engine does not answer. */
interface Ending {
  readonly signal: AbortSignal;
  readonly silent: AbortController;
}

/**
 * Runs a container, and stops it when the signal says so. The command itself is let alone as long as there is hope: who ends it while the
 * engine makes the container is left with one that nobody knows, and one that is stopped before it is started starts all the same.
 */
async function runUntil(
  { signal, silent }: Ending,
  name: string,
  command: DockerCommand,
): Promise<WorkResult> {
  const { work, context, options } = command;
  const { graceMs = 5000 } = options;
  const seconds = Math.ceil(graceMs / 1000);
  const stopMs = longer(seconds * 1000, silentMs);
  const [ended, givenUp] = [new AbortController(), new AbortController()];
  const stop = async () => {
    const since = performance.now();
    while (!ended.signal.aborted) {
      const timer = setTimeout(() => silent.abort(), stopMs);
      const how = { signal: silent.signal, limitMs: longer(stopMs, silentMs) };
      const stopped = await beside(["stop", "-t", `${seconds}`, name], command, how);
      clearTimeout(timer);
      if (silent.signal.aborted) return givenUp.abort();
      // A command that fetches an image tells of it; a silent one waits for the engine. An engine that refuses may go on refusing.
      const unknownMs = hasSpoken ? 0 : makingMs;
      const patienceMs = stopped.ok ? longer(graceMs, 5000) : isUnknown(stopped) ? unknownMs : graceMs;
      if (performance.now() - since > patienceMs) givenUp.abort();
      await sleep(betweenMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  };
  let stopping: Promise<void> | undefined;
  const onAbort = () => {
    stopping = stop();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  let hasSpoken = false;
  const log = (chunk: Uint8Array | string) => {
    hasSpoken = true;
    context.log(chunk);
  };
  const running = docker(dockerArguments(work, name, options), {
    ...command,
    context: { ...context, log, signal: givenUp.signal },
  });
  const result = await running.finally(() => ended.abort());
  signal.removeEventListener("abort", onAbort);
  await stopping;
  return result;
}

/** What the command adds to the reason why it has not started a container: how it is called. */
const isReason = (line: string): boolean => line !== "" && !/^(usage:|(run|see) '.* --help')/i.test(line);

/** Codes that may be those of the command, or of the engine that ends a container; else they are those of the program in it. */
const ofSeveral = new Set([125, 126, 127, 137]);

/** The failure of a container with its reason. */
async function explained(
  result: WorkResult,
  {
    command,
    name,
    words,
    signal,
  }: {
    readonly command: DockerCommand;
    readonly name: string;
    readonly words: LastWords;
    readonly signal: AbortSignal;
  },
): Promise<WorkResult> {
  if (result.ok || result.code === undefined || !ofSeveral.has(result.code)) return result;
  const answer = new LastWords();
  const format = "{{.State.StartedAt}} {{.State.OOMKilled}}";
  await beside(["container", "inspect", "--format", format, name], command, {
    signal,
    log: (chunk) => answer.add(Buffer.from(chunk)),
  });
  const state = answer.line();
  // A container that was never started has the first year, and one that was never made has no state.
  if (!/^\d/.test(state) || state.startsWith("0001-")) {
    const message = `docker could not start the container: ${words.line(isReason) || result.message}`;
    return { ...result, message, retry: result.code === 125 };
  }
  if (result.code !== 137) return result;
  const { image } = command.work;
  const why = state.endsWith("true") ? `it had too little memory (${image})` : "it was killed";
  return { ...result, message: `${why}: ${result.message}` };
}

import { existsSync, mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import type { TaskOutputs } from "@wye/pipeline-resolver";
import { checkOptions, type Pipeline } from "@wye/pipeline-spec";
import { validatePipeline } from "@wye/pipeline-validator";
import type { PipelineRun } from "../pipeline-run.js";
import { PipelineRunError } from "../run-error.js";
import type { RunEvent } from "../run-event.js";
import type { RunTask, TaskError } from "../run-task.js";
import { type RunOptions, resumeRun, startRun } from "../start-run.js";
import { ArtifactAccess, type ArtifactStores } from "./artifact-access.js";
import type { ArtifactResolver } from "./carry-out.js";
import type { Executor } from "./executor.js";
import { localPath } from "./local-path.js";
import { ResultCache } from "./result-cache.js";
import { RunDriver } from "./run-driver.js";
import { RunFolder, workspaceOf } from "./run-folder.js";
import { RunJournal } from "./run-journal.js";
import { lockRun } from "./run-lock.js";
import { safeName } from "./safe-name.js";
import { subprocessExecutor } from "./subprocess-executor.js";

/** How a pipeline is run on this machine. */
export interface RunPipelineOptions
  extends Pick<
    RunOptions,
    "runtimeConfig" | "parameters" | "artifacts" | "profile" | "afterFailure" | "limits"
  > {
  /** The folder below which runs have theirs, a path or `file://`; `./local_outputs` by default. */
  readonly pipelineRoot?: string;
  /** What carries out containers; `subprocessExecutor()` by default. */
  readonly executor?: Executor;
  /** How many tasks run at once; as many as this machine has processors by default. */
  readonly concurrency?: number;
  /** Whether results of earlier runs are taken, for tasks that allow it: `true`, or the folder of the cache. Off by default. */
  readonly cache?: boolean | string;
  /** Fetches artifacts that are not on this machine, by scheme. */
  readonly stores?: ArtifactStores;
  /** Finds the artifacts that resolvers ask for. */
  readonly resolve?: ArtifactResolver;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** The run is cancelled after so long. */
  readonly timeoutMs?: number;
  readonly onEvent?: (event: RunEvent) => void;
  /** What the tasks print, as they print it. */
  readonly onLog?: (task: string, chunk: Uint8Array) => void;
  /** The folder of a run whose process has ended: what had finished stays, the rest is done again. */
  readonly resumeFrom?: string;
  /** Whether the pipeline is validated first, and refused when it has errors; true by default. */
  readonly validate?: boolean;
}

/** How a run ended. */
export interface RunResult {
  readonly state: "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** The folder with the files of the run. */
  readonly folder: string;
  /** The outputs of the pipeline, when it has succeeded. */
  readonly outputs: TaskOutputs | undefined;
  /** Why it failed, and which task did. */
  readonly error: TaskError | undefined;
  readonly tasks: readonly FinishedTask[];
  readonly events: readonly RunEvent[];
  /** What went wrong beside the tasks, such as a callback that threw. */
  readonly warnings: readonly string[];
}

/** A task with its files. */
export interface FinishedTask extends RunTask {
  readonly folder: string;
  /** What its last attempt has printed; undefined when it was not started here. */
  readonly log: string | undefined;
}

/**
 * Runs a pipeline on this machine. How the run ended is in the result; what prevents it is thrown.
 *
 * @throws PipelineRunError when the pipeline or its parameters are wrong, or the run to resume cannot be
 */
export async function runPipeline(pipeline: Pipeline, options: RunPipelineOptions = {}): Promise<RunResult> {
  checkRunPipelineOptions(options);
  const { run, path, journal, unlock } =
    options.resumeFrom === undefined ? start(pipeline, options) : resume(pipeline, options.resumeFrom);
  const folder = new RunFolder(path, run);
  const cacheFolder = options.cache === true ? join(rootOf(options), ".cache") : options.cache;
  const driver = new RunDriver(run, {
    journal,
    concurrency: options.concurrency ?? availableParallelism(),
    cache: cacheFolder ? new ResultCache(resolve(cacheFolder)) : undefined,
    onEvent: options.onEvent,
    onLog: options.onLog,
    tools: {
      executor: options.executor ?? subprocessExecutor(),
      folder,
      artifacts: new ArtifactAccess(join(path, "fetched"), options.stores ?? {}),
      facts: run.facts,
      resolve: options.resolve,
    },
  });
  try {
    if (options.resumeFrom === undefined) driver.tell(run.events);
    await driver.run(options.signal, options.timeoutMs);
  } finally {
    journal.close();
    unlock();
  }
  return resultOf(run, folder, driver.warnings);
}

interface Started {
  readonly run: PipelineRun;
  readonly path: string;
  readonly journal: RunJournal;
  readonly unlock: () => void;
}

function start(pipeline: Pipeline, options: RunPipelineOptions): Started {
  if (options.validate ?? true) refuseErrors(pipeline, options);
  const { runtimeConfig, parameters, artifacts, profile, afterFailure, limits } = options;
  const root = rootOf(options);
  const now = new Date();
  const name = `${safeName(pipeline.spec.pipelineInfo?.name || "pipeline")}-${stamp(now)}`;
  const given = { runtimeConfig, parameters, artifacts, profile, afterFailure, limits };
  const startOptions = (runId: string, path: string): RunOptions => ({
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    runId,
    pipelineRoot: root,
    at: now.getTime(),
    facts: {
      pipeline_job_create_time_utc: now.toISOString(),
      pipeline_job_schedule_time_utc: now.toISOString(),
      workspace_path: workspaceOf(path),
    },
  });
  // What is wrong with the parameters is told before there is a folder.
  startRun(pipeline, startOptions(name, join(root, name)));
  const path = makeRunFolder(root, name);
  const unlock = lockRun(path);
  const run = startRun(pipeline, startOptions(basename(path), path));
  mkdirSync(workspaceOf(path), { recursive: true });
  return { run, path, journal: RunJournal.start(path, run.snapshot()), unlock };
}

function resume(pipeline: Pipeline, folder: string): Started {
  const path = resolve(folder);
  const unlock = lockRun(path);
  try {
    const { journal, snapshot } = RunJournal.resume(path);
    const run = resumeRun(snapshot);
    if (JSON.stringify(snapshot.pipeline) !== JSON.stringify(pipeline)) {
      throw new PipelineRunError(
        "snapshot",
        `the run in ${path} is of another pipeline, or of another version of it`,
      );
    }
    for (const { id, state, kind } of run.tasks) {
      if (state !== "RUNNING" || kind === "dag" || kind === "loop") continue;
      const report = { state: "QUEUED", at: Date.now() } as const;
      run.report(id, report);
      journal.append({ kind: "report", task: id, report });
    }
    return { run, path, journal, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

function refuseErrors(pipeline: Pipeline, { profile = "kfp" }: RunPipelineOptions): void {
  const { ok, problems } = validatePipeline(pipeline, { profile });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (!ok) throw new PipelineRunError("pipeline", "the pipeline has errors, and is not run", errors);
}

function makeRunFolder(root: string, name: string): string {
  mkdirSync(root, { recursive: true });
  for (let number = 1; ; number++) {
    const path = join(root, number === 1 ? name : `${name}-${number}`);
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST") || number > 1000)
        throw error;
    }
  }
}

function rootOf({ pipelineRoot = "./local_outputs" }: RunPipelineOptions): string {
  const path = localPath(pipelineRoot);
  if (path === undefined) {
    throw new TypeError(
      `the option "pipelineRoot" of runPipeline is a folder on this machine, not ${pipelineRoot}`,
    );
  }
  return resolve(path);
}

/** A moment as part of a name: `2026-01-31-13-05-59-123`. */
function stamp(moment: Date): string {
  return moment.toISOString().replace(/[T:.]/g, "-").replace("Z", "");
}

function resultOf(run: PipelineRun, folder: RunFolder, warnings: readonly string[]): RunResult {
  const { state, outputs, error, events } = run;
  if (state === "RUNNING" || state === "CANCELLING") throw new Error("the run has not ended");
  const tasks = run.tasks.map((task) => {
    const log = folder.log({ id: task.id, attempt: task.attempts });
    return { ...task, folder: folder.of(task), log: existsSync(log) ? log : undefined };
  });
  return { state, folder: folder.path, outputs, error, tasks, events, warnings };
}

function checkRunPipelineOptions(options: RunPipelineOptions): void {
  checkOptions("runPipeline", options, {
    runtimeConfig: "any",
    parameters: "any",
    artifacts: "any",
    profile: ["kfp", "spec"],
    afterFailure: ["continue", "stop"],
    limits: "any",
    pipelineRoot: "any",
    executor: "any",
    concurrency: "any",
    cache: "any",
    stores: "any",
    resolve: "any",
    signal: "any",
    timeoutMs: "any",
    onEvent: "any",
    onLog: "any",
    resumeFrom: "any",
    validate: [true, false],
  });
  const { concurrency, timeoutMs } = options;
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new TypeError(
      `the option "concurrency" of runPipeline is a whole number from 1, not ${concurrency}`,
    );
  }
  // Node fires timers that are longer at once.
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw new TypeError(`the option "timeoutMs" of runPipeline is between 0 and 2^31 ms, not ${timeoutMs}`);
  }
}

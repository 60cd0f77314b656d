import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import type { TaskInputs, TaskOutputs } from "@wye/pipeline-resolver";
import { checkPipeline, type Pipeline } from "@wye/pipeline-spec";
import type { PipelineRun } from "../pipeline-run.js";
import type { RunEvent } from "../run-event.js";
import type { RunTask, TaskError } from "../run-task.js";
import { ArtifactAccess } from "./artifact-access.js";
import { folderOption } from "./folder-option.js";
import { type OpenRun, resumeInFolder, startInFolder } from "./open-run.js";
import { ResultCache } from "./result-cache.js";
import { RunDriver } from "./run-driver.js";
import { RunFolder } from "./run-folder.js";
import { checkRunPipelineOptions, type RunPipelineOptions } from "./run-pipeline-options.js";
import { subprocessExecutor } from "./subprocess-executor.js";

/** How a run ended. */
export interface RunResult {
  readonly pipeline: Pipeline;
  readonly state: "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** The folder with the files of the run. */
  readonly folder: string;
  /** The inputs of the pipeline, with its defaults. */
  readonly inputs: TaskInputs;
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
  checkPipeline("runPipeline", pipeline);
  checkRunPipelineOptions(options);
  const { resumeFrom, executor = subprocessExecutor(), cache: kept } = options;
  const cache = typeof kept === "string" ? folderOption("cache", kept) : (kept ?? false);
  const opened = await (resumeFrom === undefined ? startInFolder : resumeInFolder)(pipeline, options);
  try {
    return { pipeline, ...(await drive(opened, { ...options, executor, cache })) };
  } finally {
    opened.close();
  }
}

async function drive(
  { run, path, journal, events, warnings }: OpenRun,
  options: RunPipelineOptions & Required<Pick<RunPipelineOptions, "executor">>,
): Promise<Omit<RunResult, "pipeline">> {
  const folder = new RunFolder(path, run);
  const { spec, platform } = run.snapshot().pipeline;
  const pipelineName = spec.pipelineInfo?.name ?? "";
  const { cache } = options;
  const cacheFolder = cache === true ? join(dirname(path), ".cache") : cache;
  const driver = new RunDriver(run, {
    journal,
    concurrency: options.concurrency ?? availableParallelism(),
    cache: cacheFolder ? new ResultCache(cacheFolder, pipelineName) : undefined,
    onEvent: options.onEvent,
    onLog: options.onLog,
    tools: {
      executor: options.executor,
      folder,
      hostFolder: journal.startedIn,
      artifacts: new ArtifactAccess(join(path, "fetched"), options.stores ?? {}),
      facts: run.facts,
      pipelineName,
      resolve: options.resolve,
    },
  });
  if (Object.keys(platform?.platforms ?? {}).length > 0) {
    const names = Object.keys(platform?.platforms ?? {}).join(", ");
    driver.warn(`settings of platforms do not hold here, such as secrets and volumes: ${names}`);
  }
  for (const warning of warnings) driver.warn(warning);
  const { state } = run;
  if (options.resumeFrom !== undefined && (state === "SUCCEEDED" || state === "FAILED"))
    driver.warn(overBefore[state]);
  driver.tell(events);
  await driver.run(options.signal, options.timeoutMs);
  for (const warning of run.warnings) driver.warn(warning);
  return resultOf(run, folder, driver.warnings);
}

/** What had ended before a run was resumed; what was cancelled goes on. */
const overBefore = {
  SUCCEEDED: "the run had succeeded before: nothing was done",
  FAILED:
    "the run had failed before: nothing was done again; start it anew, with the cache for what had succeeded",
} as const;

function resultOf(
  run: PipelineRun,
  folder: RunFolder,
  warnings: readonly string[],
): Omit<RunResult, "pipeline"> {
  const { state, inputs, outputs, error, events } = run;
  if (state === "RUNNING" || state === "CANCELLING") throw new Error("the run has not ended");
  const tasks = run.tasks.map((task) => {
    const log = folder.log({ id: task.id, attempt: task.attempts });
    return { ...task, folder: folder.of(task), log: existsSync(log) ? log : undefined };
  });
  return { state, folder: folder.path, inputs, outputs, error, tasks, events, warnings };
}

import { checkOptions, describeValue, isObject } from "@wye/pipeline-spec";
import type { RunEvent } from "../run-event.js";
import type { RunOptions } from "../start-run.js";
import type { ArtifactStores } from "./artifact-access.js";
import type { ArtifactResolver } from "./artifact-resolver.js";
import { checkTimes } from "./check-times.js";
import type { Executor } from "./executor.js";

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
  /** Whether results of earlier runs are taken, for tasks that allow it: `true`, or the folder of the cache, a path or `file://`. Off by default. */
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
  /**
   * The folder of a run whose process has ended, or that was cancelled, or `true` for the last run of the pipeline below `pipelineRoot`: what
   * had finished stays, the rest is done again.
   */
  readonly resumeFrom?: string | true;
  /** Whether the pipeline is validated first, and refused when it has errors; true by default. */
  readonly validate?: boolean;
}

/** What a run is started with, and a run that is resumed has already. */
const ofStart = ["runtimeConfig", "parameters", "artifacts", "profile", "afterFailure", "limits"] as const;

const isText = (value: unknown) => typeof value === "string";
const has = (value: unknown, name: string) => isObject(value) && typeof value[name] === "function";
const isOf = {
  pipelineRoot: { what: "the path of a folder", holds: isText },
  resumeFrom: {
    what: "the folder of a run, or true for the last one",
    holds: (value: unknown) => isText(value) || value === true,
  },
  cache: {
    what: "true, false, or the path of a folder",
    holds: (value: unknown) => isText(value) || typeof value === "boolean",
  },
  executor: {
    what: "an object with a function `execute`",
    holds: (value: unknown) => has(value, "execute"),
  },
  signal: { what: "an AbortSignal", holds: (value: unknown) => has(value, "addEventListener") },
  stores: {
    what: "an object of stores by scheme, each with a function `fetch`",
    holds: (value: unknown) => isObject(value) && Object.values(value).every((one) => has(one, "fetch")),
  },
};
const aFunction = { what: "a function", holds: (value: unknown) => typeof value === "function" };
const isFunction = { onEvent: aFunction, onLog: aFunction, resolve: aFunction };

/** Refuses what would fail in the middle of a run, before there is anything of it. */
export function checkRunPipelineOptions(options: RunPipelineOptions): void {
  checkOptions("runPipeline", options, {
    runtimeConfig: "object",
    parameters: "object",
    artifacts: "object",
    profile: ["kfp", "spec"],
    afterFailure: ["continue", "stop"],
    limits: "object",
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
  const { concurrency, timeoutMs, resumeFrom } = options;
  const kinds = { ...isOf, ...isFunction };
  for (const [name, { what, holds }] of Object.entries(kinds)) {
    const value: unknown = Object.entries(options).find(([key]) => key === name)?.[1];
    if (value !== undefined && !holds(value))
      throw new TypeError(`the option "${name}" of runPipeline is ${what}, not ${describeValue(value)}`);
  }
  const contrary = resumeFrom === undefined ? [] : ofStart.filter((name) => options[name] !== undefined);
  if (contrary.length > 0) {
    const message = `runPipeline resumes a run as it was started: it takes no ${contrary.join(", ")}`;
    throw new TypeError(message);
  }
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new TypeError(
      `the option "concurrency" of runPipeline is a whole number from 1, not ${concurrency}`,
    );
  }
  checkTimes("runPipeline", { timeoutMs });
  checkTimes("the executor of runPipeline", { endsWithinMs: options.executor?.endsWithinMs });
}

import type { TaskOutputs } from "@wye/pipeline-resolver";
import type { ExecutorInput } from "@wye/pipeline-spec";
import type { ReadyContainer } from "../ready-task.js";

/** What carries out the containers of a run. */
export interface Executor {
  /** One attempt of a task. What it throws fails the attempt, as `ok: false` does. */
  execute(work: Work, context: WorkContext): Promise<WorkResult>;
  /**
   * How long an attempt may take to end once its signal is aborted, half a minute by default: then the run ends without it, and says so in its
   * warnings.
   */
  readonly endsWithinMs?: number;
  /**
   * What results of a task depend on beside what the pipeline says, as a value of JSON: what an image means here, and who carries it out. The cache takes
   * only results for which it was the same.
   */
  readonly cacheKey?: (task: ReadyContainer) => unknown;
}

/** A container with everything filled in. */
export interface Work {
  readonly task: ReadyContainer;
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly environment: { readonly [name: string]: string };
  /** Says where inputs are and where outputs go; the folders of all outputs exist. */
  readonly executorInput: ExecutorInput;
  /** The folder of the task: what it leaves there is kept. */
  readonly folder: string;
  /** The folder that the tasks of the run share. */
  readonly shared: string;
}

/** What surrounds an attempt. */
export interface WorkContext {
  /** Aborted when the run is cancelled or its time is over: the attempt is to end soon, with everything that it started. */
  readonly signal: AbortSignal;
  /** Takes what the task prints. */
  readonly log: (chunk: Uint8Array | string) => void;
  /** Takes what the user should know although the attempt goes on; told once however often it is said. */
  readonly warn: (message: string) => void;
}

/** How an attempt ended. */
export type WorkResult =
  /** Well. Outputs that are not given are read from the files of the executor input. */
  | {
      readonly ok: true;
      readonly outputs?: Partial<TaskOutputs>;
      /** True when the program saw only what it was given: other paths of this machine that it names are not believed. */
      readonly isConfined?: boolean;
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** The exit code of a process. */
      readonly code?: number;
      /** False when another attempt cannot do better, as without the program. */
      readonly retry?: boolean;
    };

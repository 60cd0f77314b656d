import type { TaskInputs, TaskOutputs } from "@wye/pipeline-resolver";
import type { TaskState } from "./task-state.js";

/**
 * What a task is: a DAG, a loop, one iteration of a loop that is a DAG, or something that a host carries out. An iteration that
 * is no DAG has the kind of what it runs.
 */
export type TaskKind = "dag" | "loop" | "container" | "importer" | "resolver" | "custom-job";

/** Why a task failed. */
export interface TaskError {
  readonly message: string;
  /** The exit code of a process, or whatever the host tells. */
  readonly code?: number;
  /** The task inside this one that failed. */
  readonly task?: string;
}

/** A task of a run as it is now: plain data. */
export interface RunTask {
  /** Unique in the run: the names of the tasks around it and its own, with the number of the iteration; `loop[2]/train`. */
  readonly id: string;
  /** Its key in the DAG. */
  readonly name: string;
  /** The name for people. */
  readonly displayName: string;
  readonly kind: TaskKind;
  /** JSON pointer of the task in the specification. */
  readonly path: string;
  /** The id of the task around it; the empty text is the run. */
  readonly parent: string;
  /** Which iteration of the loop around it this is, from 0. */
  readonly iteration?: number;
  readonly state: TaskState;
  /** How often it was started. */
  readonly attempts: number;
  /** Why it is in this state. */
  readonly reason: string;
  readonly inputs?: TaskInputs;
  readonly outputs?: TaskOutputs;
  /** True when the outputs are those of an earlier run. */
  readonly cached?: true;
  readonly error?: TaskError;
  /** When its first attempt started and when it ended, by the clock of the host. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

import type { LoopIterations, TaskOutputs } from "@wye/pipeline-resolver";
import type { ComponentNode, RetryPolicy } from "@wye/pipeline-spec";
import type { ReadyTask } from "./ready-task.js";
import type { RunTask } from "./run-task.js";
import type { TaskPlan } from "./task-plan.js";

/** A task of a run: what everybody may see of it, and what only the machine needs. */
export interface Execution {
  readonly view: { -readonly [K in keyof RunTask]: RunTask[K] };
  /** Undefined for the root. */
  readonly plan: TaskPlan | undefined;
  readonly parent: Execution | undefined;
  readonly component: ComponentNode;
  /** How many DAGs and loops are around it. */
  readonly depth: number;
  /** Its own policy, or that of what is around it. */
  readonly retry: RetryPolicy | undefined;
  /** How many siblings it still waits for. */
  waiting: number;
  /** How many attempts have failed. */
  failures: number;
  /** When the next attempt may start. */
  notBefore: number;
  /** Says what a host is told of it while it is in the queue. */
  ready: (() => ReadyTask) | undefined;
  /** The tasks of a DAG that has started. */
  dag: DagScope | undefined;
  /** The iterations of a loop that has started. */
  loop: LoopScope | undefined;
}

/** A DAG that has started. */
export interface DagScope {
  readonly tasks: ReadonlyMap<string, Execution>;
  /** What the tasks that succeeded have made. */
  readonly outputs: Map<string, TaskOutputs>;
  /** How many have not ended. */
  open: number;
}

/** A loop that has started. */
export interface LoopScope {
  readonly inputsOf: LoopIterations["inputsOf"];
  readonly iterations: readonly Execution[];
  /** The first iteration that has not started. */
  next: number;
  running: number;
  open: number;
}

import type { RunState, TaskState } from "./task-state.js";

/** A change of the state of a task, or of the whole run. */
export interface RunEvent {
  /** Counts from 1. */
  readonly number: number;
  /** When the host says that it happened; undefined when it does not say. */
  readonly at?: number;
  /** The id of the task; the empty text is the run. */
  readonly task: string;
  readonly state: TaskState | RunState;
  /** Which attempt began or ended, from 1. */
  readonly attempt?: number;
  /** How many tasks or iterations are in it, when a DAG or a loop begins. */
  readonly inside?: number;
  /** Why, in words for people. */
  readonly reason: string;
}

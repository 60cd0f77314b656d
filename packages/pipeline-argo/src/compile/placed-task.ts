import { type PipelineTaskSpec, TriggerStrategy } from "@wye/pipeline-spec";
import type { ArgoTask } from "../argo-workflow.js";
import type { ComponentRecord } from "./component-record.js";

/** A task of a DAG on the way. */
export interface NamedTask {
  readonly name: string;
  readonly path: string;
  readonly spec: PipelineTaskSpec;
  /** Where its retry policy stands: with the task, or with one that has handed it down. */
  readonly retryPath: string | undefined;
  /** What it runs, when that exists. */
  readonly component: ComponentRecord | undefined;
}

/** A task with retries handed down and the producers of its inputs among its dependencies. */
export interface CompletedTask extends NamedTask {
  /** What drivers get to read: its JSON text. */
  readonly text: string;
}

/** A task where it is compiled. */
export interface PlacedTask {
  readonly task: CompletedTask;
  /** Its name in the template: that of the task, or another one in the template of an iteration. */
  readonly name: string;
  /** What the back end puts before what it says about it. */
  readonly context: string;
  /** The item of a loop that it runs for. */
  readonly iterationIndex?: string;
  /** What runs after it. */
  readonly exitTemplate?: string;
}

/** True for tasks that run when others have ended, in a hook. */
export function isExitTask({ triggerPolicy }: PipelineTaskSpec): boolean {
  return triggerPolicy?.strategy === TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED;
}

/** What the driver of a task waits for: nothing inside an iteration or a hook. */
export function dependenciesOf({ task, iterationIndex }: PlacedTask): readonly string[] {
  return iterationIndex === undefined && !isExitTask(task.spec) ? task.spec.dependentTasks : [];
}

/** The hook that starts what runs after a task. */
export function exitHook({ exitTemplate }: PlacedTask, parentDagId: string): Pick<ArgoTask, "hooks"> {
  if (exitTemplate === undefined) return {};
  const parameters = [{ name: "parent-dag-id", value: parentDagId }];
  return { hooks: { exit: { template: exitTemplate, arguments: { parameters } } } };
}

/** The condition of a task, by what its driver has found. */
export function condition({ task }: PlacedTask, found: string): Pick<ArgoTask, "when"> {
  return task.spec.triggerPolicy?.condition ? { when: `${found} != false` } : {};
}

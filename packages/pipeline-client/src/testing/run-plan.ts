import { isObject } from "@wye/pipeline-spec";
import type { JsonObject } from "../wire/read-message.js";
import type { PlannedStep, RunRow, TaskRow } from "./rows.js";

/** What a plan is made for. */
export interface PlannedRun {
  readonly runId: string;
  readonly displayName: string;
  readonly parameters: JsonObject;
  /** The names of the tasks of the root. */
  readonly tasks: readonly string[];
}

/** What happens to a run, and when. */
export interface RunStep {
  /** Milliseconds after the run was made, or retried. */
  readonly afterMs: number;
  /** Of the run: `RUNNING`, `SUCCEEDED`, `FAILED` and the like. */
  readonly state: string;
  /** Why, for a step that fails. */
  readonly message?: string;
  /** States of tasks, by name; those that are not named stay as they are. */
  readonly tasks?: Readonly<Record<string, string>>;
}

/** Tells what happens to a run by itself. A run without steps stays where it is until a workflow is reported. */
export type RunPlan = (run: PlannedRun) => readonly RunStep[];

/** A run that starts after a second, and succeeds two seconds later. */
export const defaultPlan: RunPlan = ({ tasks }) => [
  { afterMs: 1000, state: "RUNNING", tasks: Object.fromEntries(tasks.map((name) => [name, "RUNNING"])) },
  { afterMs: 3000, state: "SUCCEEDED", tasks: Object.fromEntries(tasks.map((name) => [name, "SUCCEEDED"])) },
];

/** How long after a request to end it a run has ended. */
const terminationMs = 1000;

/** The steps of a plan, at moments. */
export function planned(steps: readonly RunStep[], fromMs: number): PlannedStep[] {
  return steps
    .map(({ afterMs, ...step }) => ({ ...step, atMs: fromMs + afterMs }))
    .sort((a, b) => a.atMs - b.atMs);
}

/** What becomes of a run that is to end: a failure, as on a cluster. */
export function plannedEnd(run: RunRow, nowMs: number): PlannedStep[] {
  const running = run.tasks.filter(({ state }) => state === "RUNNING" || state === "PENDING");
  return [
    // Only when the engine reports it, it gets into the history.
    { atMs: nowMs + terminationMs / 2, state: "CANCELING" },
    {
      atMs: nowMs + terminationMs,
      state: "FAILED",
      message: "Stopped with strategy 'Terminate'",
      tasks: Object.fromEntries(running.map(({ name }) => [name, "FAILED"])),
    },
  ];
}

/** Lets everything happen that is due. */
export function advance(run: RunRow, nowMs: number, newId: () => string): void {
  for (let step = run.plan[0]; step !== undefined && step.atMs <= nowMs; step = run.plan[0]) {
    run.plan.shift();
    takeStep(run, step, newId);
  }
}

function takeStep(
  run: RunRow,
  { state, message = "", tasks = {}, atMs }: PlannedStep,
  newId: () => string,
): void {
  const at = Math.floor(atMs / 1000);
  for (const [name, taskState] of Object.entries(tasks)) {
    const task = run.tasks.find((one) => one.name === name) ?? addTask(run, name, at, newId());
    task.state = taskState;
    task.history.push({ at, state: taskState });
    if (isEnd(taskState)) task.endedAt = at;
    if (taskState === "FAILED") task.message = message;
  }
  if (state !== run.history.at(-1)?.state) run.history.push({ at, state });
  run.state = state;
  run.phase = state.charAt(0) + state.slice(1).toLowerCase();
  run.message = state === "FAILED" ? message : "";
  run.finishedAt = isEnd(state) ? at : 0;
}

function addTask(run: RunRow, name: string, at: number, id: string): TaskRow {
  const task: TaskRow = {
    ...{ id, nodeId: id, name, createdAt: at, startedAt: at, endedAt: 0, state: "PENDING", message: "" },
    ...{ history: [], children: [] },
  };
  run.tasks.push(task);
  return task;
}

const isEnd = (state: string): boolean => /^(SUCCEEDED|FAILED|SKIPPED|CANCELED)$/.test(state);

/** The names of the tasks in the root of a specification. */
export function rootTasks(spec: JsonObject): readonly string[] {
  const own = isObject(spec.pipeline_spec) ? spec.pipeline_spec : spec;
  const dag = isObject(own.root) && isObject(own.root.dag) ? own.root.dag : {};
  return isObject(dag.tasks) ? Object.keys(dag.tasks) : [];
}

import { expect, test } from "vitest";
import { badEndOf } from "./bad-end-of.js";
import { countStates } from "./count-states.js";
import type { Execution } from "./execution.js";
import { iterationId, taskId } from "./execution-id.js";
import type { RunTask } from "./run-task.js";
import { signOf } from "./state-sign.js";
import { placeOf } from "./task-place.js";
import { finalState } from "./task-scope.js";
import { isFinal, type RunState, type TaskState } from "./task-state.js";

const states = ["PENDING", "QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "SKIPPED", "CANCELLED"] as const;

test("tasks are counted by state, those that have ended well first, and no DAGs and loops", () => {
  const tasks = [...states, "FAILED", "QUEUED"].map((state) => ({ kind: "container", state }) as RunTask);
  expect(countStates(tasks)).toEqual([
    "1 succeeded",
    "2 failed",
    "1 skipped",
    "1 cancelled",
    "1 running",
    "2 queued",
    "1 pending",
  ]);
  expect(countStates([])).toEqual([]);
  const kinds = ["dag", "loop", "container", "importer", "resolver", "custom-job"] as const;
  expect(countStates(kinds.map((kind) => ({ kind, state: "RUNNING" })))).toEqual(["4 running"]);
});

test("each state has a sign, and some are final", () => {
  expect([...states, "CANCELLING" as const].map(signOf).join("")).toBe("··>✓✗-××");
  expect(states.filter(isFinal)).toEqual(["SUCCEEDED", "FAILED", "SKIPPED", "CANCELLED"]);
});

test("what a task is told of how another ended is that it was not triggered, where it was neither run nor cancelled", () => {
  const told = states.filter(isFinal).map((state) => [state, finalState(state)]);
  expect(Object.fromEntries(told)).toEqual({
    SUCCEEDED: "SUCCEEDED",
    FAILED: "FAILED",
    SKIPPED: "NOT_TRIGGERED",
    CANCELLED: "CANCELLED",
  });
});

test.each<[parent: string, name: string, id: string]>([
  ["", "train", "train"],
  ["outer", "train", "outer/train"],
  ["", "", "%"],
  ["outer", "", "outer/%"],
  ["", "a/b", "a%2Fb"],
  ["", "a%b", "a%25b"],
  ["", "a[0]", "a%5B0%5D"],
  ["", "é #", "é #"],
])("in %j the task %j is %j", (parent, name, id) => {
  expect(taskId(parent, name)).toBe(id);
  const iteration = iterationId(id, 12);
  expect(iteration).toBe(`${id}[12]`);
  expect(placeOf(iteration)).toEqual({ parent: id, name, iteration: 12 });
});

/** Tasks that have ended, or not, and with which error. */
const ended = (...all: readonly (readonly [id: string, state: TaskState, error?: RunTask["error"]])[]) =>
  all.map(([id, state, error]) => ({ view: { id, state, error } }) as Execution);

test.each<[tasks: Execution[], run: RunState, end: object | undefined]>([
  [[], "RUNNING", undefined],
  [ended(["a", "SUCCEEDED"], ["b", "SKIPPED"]), "RUNNING", undefined],
  [ended(["a", "SUCCEEDED"], ["b", "SKIPPED"]), "CANCELLING", undefined],
  [ended(["a", "CANCELLED"]), "RUNNING", undefined],
  [ended(["a", "CANCELLED"]), "CANCELLING", { state: "CANCELLED", reason: "the run was cancelled" }],
  [
    ended(["a", "FAILED", { message: "no" }], ["b", "CANCELLED"]),
    "CANCELLING",
    { state: "CANCELLED", reason: "the run was cancelled" },
  ],
  [
    ended(["a", "FAILED", { message: "no" }]),
    "CANCELLING",
    { state: "FAILED", reason: "a failed: no", error: { message: "no", task: "a" } },
  ],
  [
    ended(
      ["a", "SUCCEEDED"],
      ["b", "FAILED", { message: "no", code: 3 }],
      ["c", "FAILED", { message: "other" }],
    ),
    "RUNNING",
    { state: "FAILED", reason: "b failed: no", error: { message: "no", code: 3, task: "b" } },
  ],
  [
    ended(["b", "FAILED", { message: "no", code: 0, task: "b/deep" }]),
    "RUNNING",
    { state: "FAILED", reason: "b/deep failed: no", error: { message: "no", code: 0, task: "b/deep" } },
  ],
  [
    ended(["b", "FAILED"]),
    "RUNNING",
    { state: "FAILED", reason: "b failed: ", error: { message: "", task: "b" } },
  ],
])("what is around %o ends in a run that is %s", (tasks, run, end) => {
  expect(badEndOf(tasks, run)).toStrictEqual(end);
});

import { describe, expect, test } from "vitest";
import type { Run, RunTaskDetail } from "../wire/run.js";
import { ProgressEvents } from "./progress-events.js";
import { isFinalState } from "./run-state.js";
import { failedTasks, isPipelineTask } from "./run-tasks.js";

const task = (
  taskId: string | undefined,
  state?: string,
  more: Partial<RunTaskDetail> = {},
): RunTaskDetail => ({
  ...(taskId !== undefined && { taskId, displayName: `name of ${taskId}` }),
  ...(state !== undefined && { state }),
  ...more,
});
const at = (second: number): Date => new Date(second * 1000);

test.each([
  ["SUCCEEDED", true],
  ["failed", true],
  ["Skipped", true],
  ["CANCELED", true],
  ["CANCELING", false],
  ["PAUSED", false],
  ["RUNNING", false],
  ["", false],
  [undefined, false],
])("whether %s is an end: %s", (state, is) => expect(isFinalState(state)).toBe(is));

describe("a task of the pipeline", () => {
  const run: Run = { runId: "r", runDetails: { taskDetails: [task("w"), task("x")] } };

  test.each<readonly [displayName: string | undefined, taskId: string, is: boolean]>([
    ["train", "x", true],
    ["", "x", false],
    [undefined, "x", false],
    ...(
      [
        "root",
        "executor",
        "iteration-1",
        "iteration-iterations-2",
        "iteration-",
        "a-driver",
        "a-iterator",
      ] as const
    ).map((name) => [name, "x", false] as const),
    ...(
      [
        "roots",
        "Root",
        "A-Driver",
        "my-root",
        "executor-1",
        "iteration",
        "driver",
        "a-drivers",
        "my-iteration-1",
      ] as const
    ).map((name) => [name, "x", true] as const),
    ["hello-a1b2c", "w", false],
    ["hello-a1b2c", "x", true],
    ["hello-a1b2cd", "w", true],
    ["hello-A1b2c", "w", true],
    ["hello-a1b2", "w", true],
    ["hello_a1b2c", "w", true],
    ["hello-a1b2c-x", "w", true],
  ])("is called %j, with the id %s: %s", (displayName, taskId, is) => {
    expect(isPipelineTask({ taskId, ...(displayName !== undefined && { displayName }) }, run)).toBe(is);
  });
});

describe("the tasks that have failed", () => {
  const idsOf = (...taskDetails: readonly RunTaskDetail[]) =>
    failedTasks({ runId: "r", runDetails: { taskDetails } }).map(({ taskId }) => taskId);
  const failed = (id: string, more: Partial<RunTaskDetail> = {}) => task(id, "FAILED", more);

  test.each<readonly [what: string, tasks: readonly RunTaskDetail[], ids: readonly string[]]>([
    ["none", [task("a", "SUCCEEDED"), task("b")], []],
    ["in whatever letters", [task("a", "Failed"), task("b", "SKIPPED")], ["a"]],
    ["those of the pipeline alone", [failed("a", { displayName: "root" }), failed("b")], ["b"]],
    ["those of the engine where there are no others", [failed("a", { displayName: "root" })], ["a"]],
    ["what is inside before what it is in", [failed("a"), failed("b", { parentTaskId: "a" })], ["b", "a"]],
    [
      "what the engine failed inside of after what has nothing inside",
      [
        failed("a", { startTime: at(2) }),
        failed("b", { startTime: at(1) }),
        failed("c", { displayName: "executor", parentTaskId: "a" }),
      ],
      ["b", "a"],
    ],
    [
      "what says why before what does not",
      [failed("a"), failed("b", { error: { message: "why" } })],
      ["b", "a"],
    ],
    [
      "what says nothing as what does not",
      [failed("a"), failed("b", { error: { message: "" } })],
      ["a", "b"],
    ],
    [
      "what leads to fewer others before",
      [failed("a", { childTasks: [{}, {}] }), failed("b", { childTasks: [{}] }), failed("c")],
      ["c", "b", "a"],
    ],
    [
      "what has started last before",
      [
        failed("a", { startTime: at(1) }),
        failed("b", { startTime: at(3) }),
        failed("c", { startTime: at(2) }),
      ],
      ["b", "c", "a"],
    ],
    ["what has started before what has not", [failed("a"), failed("b", { startTime: at(1) })], ["b", "a"]],
    ["as they are listed, else", [failed("a"), failed("b"), failed("c")], ["a", "b", "c"]],
    [
      "parents last, whatever else there is of them",
      [failed("a", { error: { message: "x" }, startTime: at(9) }), failed("b", { parentTaskId: "a" })],
      ["b", "a"],
    ],
    [
      "what says why before what leads to fewer",
      [failed("a"), failed("b", { error: { message: "x" }, childTasks: [{}] })],
      ["b", "a"],
    ],
    [
      "what leads to fewer before what has started last",
      [failed("a", { childTasks: [{}], startTime: at(9) }), failed("b", { startTime: at(1) })],
      ["b", "a"],
    ],
  ])("are %s", (_, tasks, ids) => expect(idsOf(...tasks)).toEqual(ids));

  test("are none of a run that has no tasks", () => {
    expect([failedTasks({ runId: "r" }), failedTasks({ runId: "r", runDetails: {} })]).toEqual([[], []]);
  });
});

describe("events for a view of progress", () => {
  const run: Run = { runId: "r", createdAt: at(1), runDetails: { taskDetails: [task("w")] } };
  const take = (changes: Parameters<ProgressEvents["take"]>[1], of: Run = run) =>
    new ProgressEvents().take(of, changes);

  test.each([
    ["PENDING", "PENDING", "PENDING"],
    ["running", "RUNNING", "RUNNING"],
    ["PAUSED", "RUNNING", "RUNNING"],
    ["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"],
    ["SKIPPED", "SKIPPED", "SKIPPED"],
    ["FAILED", "FAILED", "FAILED"],
    ["CANCELING", "CANCELLING", "RUNNING"],
    ["CANCELED", "CANCELLED", "CANCELLED"],
  ])("call the state %s of a run %s, and of a task %s", (state, ofRun, ofTask) => {
    const events = take([{ state }, { task: task("a"), state }]);
    expect(events.map((event) => event.state)).toEqual([ofRun, ofTask]);
  });

  test("have numbers, names and reasons, and leave out what they have no word for", () => {
    const events = new ProgressEvents();
    const error = { message: "why" };
    const first = events.take(run, [
      { state: "NEWER" },
      { task: task("a", "RUNNING", { displayName: "train a/b" }), state: "RUNNING" },
      { task: task("b", "RUNNING", { displayName: "train a/b" }), state: "RUNNING" },
      { task: task("e", "RUNNING", { displayName: "root" }), state: "RUNNING" },
      { state: "RUNNING", from: "PENDING" },
    ]);
    expect(first).toEqual([
      { number: 1, task: "train%20a%2Fb", state: "RUNNING", reason: "running" },
      { number: 2, task: "train%20a%2Fb%20(2)", state: "RUNNING", reason: "running" },
      { number: 3, at: 1000, task: "", state: "RUNNING", reason: "pending → running" },
    ]);
    const failing: Run = { ...run, error: { message: "of the run" } };
    const second = events.take(failing, [
      { task: task("b", "FAILED", { displayName: "train a/b", error }), state: "FAILED", from: "RUNNING" },
      { task: task("a", "FAILED", { displayName: "train a/b" }), state: "FAILED", from: "RUNNING" },
      { state: "FAILED", from: "RUNNING" },
    ]);
    expect(second.map(({ number, task, reason }) => [number, task, reason])).toEqual([
      [4, "train%20a%2Fb%20(2)", "why"],
      [5, "train%20a%2Fb", "running → failed"],
      [6, "", "of the run"],
    ]);
  });

  test("have the states as their reason where the message of an error is empty", () => {
    const error = { message: "" };
    const changes = [
      { task: task("a", "FAILED", { error }), state: "FAILED", from: "RUNNING" },
      { state: "FAILED", from: "RUNNING" },
    ];
    const reasons = take(changes, { ...run, error }).map(({ reason }) => reason);
    expect(reasons).toEqual(["running → failed", "running → failed"]);
  });

  test("count the tasks of one name, however many there are", () => {
    const started = (taskId: string, displayName: string) => ({
      task: task(taskId, "RUNNING", { displayName }),
      state: "RUNNING",
    });
    const events = new ProgressEvents();
    const first = events.take(run, [
      started("a", "train a"),
      started("b", "test"),
      started("c", "train a"),
      started("d", "train a"),
    ]);
    const second = events.take(run, [started("e", "train a"), started("c", "train a"), started("f", "test")]);
    expect([...first, ...second].map((event) => event.task)).toEqual([
      ...["train%20a", "test", "train%20a%20(2)", "train%20a%20(3)"],
      ...["train%20a%20(4)", "train%20a%20(2)", "test%20(2)"],
    ]);
  });

  test.each<readonly [state: string, times: Partial<RunTaskDetail>, moment: number | undefined]>([
    ["RUNNING", { createTime: at(1), startTime: at(2), endTime: at(3) }, 2000],
    ["PENDING", { createTime: at(1), startTime: at(2), endTime: at(3) }, 2000],
    ["SUCCEEDED", { createTime: at(1), startTime: at(2), endTime: at(3) }, 3000],
    ["SUCCEEDED", { createTime: at(1), startTime: at(2) }, 2000],
    ["FAILED", { createTime: at(1) }, 1000],
    ["FAILED", {}, undefined],
  ])("of a task that is %s are at the moment of %j", (state, times, moment) => {
    const [event] = take([{ task: task("a", state, times), state }]);
    expect([event?.at, "at" in Object(event)]).toEqual([moment, moment !== undefined]);
  });

  test.each<readonly [times: Partial<Run>, moment: number | undefined]>([
    [
      { createdAt: at(1), stateHistory: [{ updateTime: at(2) }, { updateTime: at(3) }], finishedAt: at(4) },
      4000,
    ],
    [{ createdAt: at(1), stateHistory: [{ updateTime: at(2) }, { updateTime: at(3) }] }, 3000],
    [{ createdAt: at(1), stateHistory: [] }, 1000],
    [{}, undefined],
  ])("of a run are at the moment of %j", (times, moment) => {
    const [event] = take([{ state: "FAILED" }], { runId: "r", ...times });
    expect([event?.at, "at" in Object(event)]).toEqual([moment, moment !== undefined]);
  });
});

import { describe, expect, test } from "vitest";
import { isRunError, RunError } from "./run-error.js";
import type { Run, RunTaskDetail } from "./wire/run.js";

const run = (members: Partial<Run> = {}): Run => ({ runId: "r1", state: "FAILED", ...members });
const withTasks = (taskDetails: readonly RunTaskDetail[], members: Partial<Run> = {}): Run =>
  run({ runDetails: { taskDetails }, ...members });
const task = (displayName: string, members: RunTaskDetail = {}): RunTaskDetail => ({
  taskId: displayName,
  displayName,
  state: "FAILED",
  ...members,
});

describe("an error of a run says", () => {
  test.each<readonly [message: string, run: Run]>([
    ["the run r1 has ended as FAILED", run()],
    ["the run r1 has ended as SKIPPED", run({ state: "SKIPPED" })],
    ["the run r1 has ended as FAILED", { runId: "r1" }],
    ["the run r1 has ended as FAILED", run({ displayName: "" })],
    ['the run "a b" (r1) has ended as FAILED', run({ displayName: "a\nb" })],
    ["the run r1 has ended as FAILED: away", run({ error: { message: "away" } })],
    [
      "the run r1 has ended as FAILED: late",
      run({ stateHistory: [{ error: { message: "early" } }, { error: { message: "late" } }] }),
    ],
    [
      "the run r1 has ended as FAILED: own",
      run({ error: { message: "own" }, stateHistory: [{ error: { message: "late" } }] }),
    ],
    ['the run r1 has ended as FAILED: task "train" failed', withTasks([task("train")])],
    [
      'the run r1 has ended as FAILED: task "train" failed: no disk',
      withTasks([task("train", { error: { message: "no\ndisk" } })], { error: { message: "own" } }),
    ],
    [
      'the run r1 has ended as FAILED: task "train" failed (and 1 more): own',
      withTasks([task("train"), task("test")], { error: { message: "own" } }),
    ],
    ['the run r1 has ended as FAILED: task "t1" failed', withTasks([{ taskId: "t1", state: "FAILED" }])],
    ['the run r1 has ended as FAILED: task "" failed', withTasks([{ state: "FAILED" }])],
    ['the run r1 has ended as FAILED: task "t1" failed', withTasks([task("", { taskId: "t1" })])],
    [
      'the run r1 has ended as FAILED: task "train" failed: own',
      withTasks([task("train", { error: { message: "" } })], { error: { message: "own" } }),
    ],
    [
      "the run r1 has ended as FAILED: late",
      run({ error: { message: "" }, stateHistory: [{ error: { message: "late" } }] }),
    ],
  ])("%s", (message, given) => expect(new RunError(given).message).toBe(message));

  test.each<[wasTerminated: boolean, run: Run, asked?: boolean]>([
    [false, run()],
    [true, run(), true],
    [true, run({ state: "CANCELED" })],
    [true, run({ state: "canceling" })],
    [true, run({ stateHistory: [{ state: "CANCELING" }, { state: "FAILED" }] })],
    [false, run({ state: "NOT_CANCELED", stateHistory: [{}] })],
  ])("whether somebody has ended it: %s", (wasTerminated, given, asked) => {
    const error = new RunError(given, asked);
    expect([error.wasTerminated, error.message.includes("the run r1 was terminated")]).toEqual([
      wasTerminated,
      wasTerminated,
    ]);
  });

  test("what it is about", () => {
    const given = withTasks([task("train"), task("test")], { state: "CANCELED" });
    const error = new RunError(given);
    expect({ ...error }).toEqual({
      name: "RunError",
      runId: "r1",
      state: "CANCELED",
      run: given,
      task: error.failedTasks[0],
      failedTasks: [task("train"), task("test")],
      wasTerminated: true,
    });
    expect(new RunError({ runId: "r1" })).toMatchObject({
      state: "FAILED",
      task: undefined,
      failedTasks: [],
    });
  });
});

test("an error of another copy of this package is one too", () => {
  const other = Object.assign(new Error("x"), { name: "RunError" });
  expect(
    [new RunError(run()), other, new Error("x"), { name: "RunError" }, undefined].map(isRunError),
  ).toEqual([true, true, false, false, false]);
});

describe("of the tasks that failed the first one", () => {
  const idsOf = (...tasks: readonly RunTaskDetail[]) =>
    new RunError(withTasks(tasks)).failedTasks.map(({ displayName }) => displayName);
  const at = (second: number) => ({ startTime: new Date(second * 1000) });

  test.each<[what: string, ids: readonly string[], ...tasks: RunTaskDetail[]]>([
    ["has failed", ["b", "c"], task("a", { state: "SUCCEEDED" }), task("b"), task("c", { state: "failed" })],
    ["has not failed because of another", ["b", "a"], task("a"), task("b", { parentTaskId: "a" })],
    ["says why", ["b", "a"], task("a"), task("b", { error: { message: "no" } })],
    [
      "says why, though it is about no other",
      ["b", "a"],
      task("a", { error: { message: "no" } }),
      task("b", { parentTaskId: "a" }),
    ],
    ["has led to less", ["b", "a"], task("a", { childTasks: [{}] }), task("b", { childTasks: [] })],
    [
      "says why, rather than led to less",
      ["a", "b"],
      task("a", { error: { message: "n" }, childTasks: [{}] }),
      task("b"),
    ],
    ["has started last", ["b", "a"], task("a", at(1)), task("b", at(2))],
    [
      "has led to less, rather than started last",
      ["a", "b"],
      task("a", at(1)),
      task("b", { ...at(2), childTasks: [{}] }),
    ],
    ["is told first, else", ["a", "b"], task("a"), task("b")],
    ["is of the pipeline", ["a"], task("root"), task("a"), task("a-driver"), task("executor")],
    ["is of the workflow, if no other is", ["root", "a-driver"], task("root"), task("a-driver")],
  ])("%s", (_, ids, ...tasks) => expect(idsOf(...tasks)).toEqual(ids));

  test.each([
    ["iteration-item-0", false],
    ["iterations", true],
    ["iteration", true],
    ["executor", false],
    ["executors", true],
    ["my-root", true],
    ["a-driver", false],
    ["driver", true],
    ["a-iterator", false],
    ["a-iterators", true],
    ["a-driver-b", true],
    ["", false],
    ["pipeline-ab12c", true],
  ])("of %j is one of the pipeline: %s", (name, isTask) => {
    expect(idsOf(task("always"), task(name)).includes(name)).toBe(isTask);
  });

  test.each([
    ["pipeline-ab12c", false],
    ["pipeline-AB12C", true],
    ["pipeline-ab12", true],
    ["pipeline-ab12cd", true],
    ["pipelineab12c", true],
    ["pipeline-ab12c-x", true],
  ])("of the first node, %s, is one of the pipeline: %s", (name, isTask) => {
    expect(idsOf(task(name), task("always")).includes(name)).toBe(isTask);
  });
});

import { describe, expect, test } from "vitest";
import type { RunRow } from "./rows.js";
import { advance, defaultPlan, planned, plannedEnd, rootTasks } from "./run-plan.js";

function row(given: Partial<RunRow> = {}): RunRow {
  return {
    ...{
      id: "r",
      displayName: "d",
      description: "",
      experimentId: "e",
      namespace: "",
      storageState: "AVAILABLE",
    },
    ...{ pipelineId: "", versionId: "", spec: undefined, parameters: undefined, pipelineRoot: "" },
    ...{ serviceAccount: "", createdAt: 1, scheduledAt: 1, finishedAt: 0, state: "PENDING", phase: "" },
    ...{ message: "", recurringRunId: "", history: [{ at: 1, state: "PENDING" }], tasks: [], plan: [] },
    ...given,
  };
}

const task = (name: string, state: string) => ({
  ...{ id: `id of ${name}`, nodeId: name, name, createdAt: 1, startedAt: 1, endedAt: 0, state, message: "" },
  ...{ history: [], children: [] },
});

test("a run that nobody has planned starts after a second, and succeeds two seconds later", () => {
  expect(defaultPlan({ runId: "r", displayName: "d", parameters: {}, tasks: ["a", "b"] })).toEqual([
    { afterMs: 1000, state: "RUNNING", tasks: { a: "RUNNING", b: "RUNNING" } },
    { afterMs: 3000, state: "SUCCEEDED", tasks: { a: "SUCCEEDED", b: "SUCCEEDED" } },
  ]);
});

test("steps are at moments, in order", () => {
  expect(
    planned(
      [
        { afterMs: 20, state: "B", message: "m" },
        { afterMs: 10, state: "A", tasks: { a: "X" } },
      ],
      5,
    ),
  ).toEqual([
    { atMs: 15, state: "A", tasks: { a: "X" } },
    { atMs: 25, state: "B", message: "m" },
  ]);
});

test("a run that is to end is canceling after half a second, and has failed after one, with what ran of it", () => {
  const tasks = [task("a", "RUNNING"), task("b", "PENDING"), task("c", "SUCCEEDED"), task("d", "FAILED")];
  expect(plannedEnd(row({ tasks }), 5000)).toEqual([
    { atMs: 5500, state: "CANCELING" },
    {
      atMs: 6000,
      state: "FAILED",
      message: "Stopped with strategy 'Terminate'",
      tasks: { a: "FAILED", b: "FAILED" },
    },
  ]);
});

describe("what is due happens", () => {
  const at = (atMs: number, state: string, more: object = {}) => ({ atMs, state, ...more });
  const ids = () => {
    let count = 0;
    return () => `new ${++count}`;
  };

  test("up to now, and the rest waits", () => {
    const run = row({ plan: [at(2000, "RUNNING"), at(3999, "PAUSED"), at(4000, "SUCCEEDED")] });
    advance(run, 1999, ids());
    expect([run.state, run.plan.length]).toEqual(["PENDING", 3]);
    advance(run, 3999, ids());
    expect([run.state, run.phase, run.finishedAt, run.plan.length]).toEqual(["PAUSED", "Paused", 0, 1]);
    advance(run, 9000, ids());
    expect([run.state, run.phase, run.finishedAt, run.plan]).toEqual(["SUCCEEDED", "Succeeded", 4, []]);
    expect(run.history).toEqual([
      { at: 1, state: "PENDING" },
      { at: 2, state: "RUNNING" },
      { at: 3, state: "PAUSED" },
      { at: 4, state: "SUCCEEDED" },
    ]);
  });

  test("and a state that stays is no change", () => {
    const run = row({ plan: [at(2000, "PENDING"), at(3000, "RUNNING"), at(4000, "RUNNING")] });
    advance(run, 9000, ids());
    expect(run.history.map(({ at, state }) => [at, state])).toEqual([
      [1, "PENDING"],
      [3, "RUNNING"],
    ]);
  });

  test.each([
    ["SUCCEEDED", 2, ""],
    ["FAILED", 2, "why"],
    ["SKIPPED", 2, ""],
    ["CANCELED", 2, ""],
    ["CANCELING", 0, ""],
    ["XSUCCEEDED", 0, ""],
    ["FAILEDX", 0, ""],
  ])("whether %s is an end, and has a message", (state, end, message) => {
    const run = row({ plan: [at(2999, state, { message: "why", tasks: { a: state } })] });
    advance(run, 2999, ids());
    expect([run.finishedAt, run.message]).toEqual([end, message]);
    expect(run.tasks.map(({ endedAt, message }) => [endedAt, message])).toEqual([[end, message]]);
  });

  test("to tasks, which are new where nobody has named them before", () => {
    const run = row({
      tasks: [task("a", "RUNNING")],
      plan: [at(2000, "RUNNING", { tasks: { a: "SUCCEEDED", b: "RUNNING" } }), at(3000, "FAILED")],
    });
    advance(run, 9000, ids());
    expect(run.tasks).toEqual([
      { ...task("a", "SUCCEEDED"), endedAt: 2, history: [{ at: 2, state: "SUCCEEDED" }] },
      {
        ...{
          id: "new 1",
          nodeId: "new 1",
          name: "b",
          createdAt: 2,
          startedAt: 2,
          endedAt: 0,
          state: "RUNNING",
        },
        ...{ message: "", history: [{ at: 2, state: "RUNNING" }], children: [] },
      },
    ]);
    expect(run.message).toBe("");
  });
});

test.each<readonly [spec: object, names: readonly string[]]>([
  [{ root: { dag: { tasks: { a: {}, b: {} } } } }, ["a", "b"]],
  [{ pipeline_spec: { root: { dag: { tasks: { c: {} } } } }, root: { dag: { tasks: { a: {} } } } }, ["c"]],
  [{ root: { dag: {} } }, []],
  [{ root: { dag: "x" } }, []],
  [{ root: "x" }, []],
  [{}, []],
])("the tasks of %j are %j", (spec, names) => expect(rootTasks({ ...spec })).toEqual(names));

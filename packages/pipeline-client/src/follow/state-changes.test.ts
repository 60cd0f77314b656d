import { describe, expect, test } from "vitest";
import { stateChanges, withKnownTasks } from "./state-changes.js";

interface Task {
  readonly taskId?: string;
  readonly state?: string;
}
const task = (taskId: string, state?: string): Task => ({ taskId, ...(state !== undefined && { state }) });

describe("what has changed since a cursor", () => {
  const before = { state: "RUNNING", tasks: { a: "RUNNING", gone: "SUCCEEDED" } };

  test.each([
    [
      "a task that has come to another state",
      [task("a", "FAILED")],
      { a: "FAILED" },
      [["a", "RUNNING", "FAILED"]],
    ],
    ["a task that stays as it was", [task("a", "RUNNING")], {}, []],
    ["a task of which no state is said", [task("a")], {}, []],
    ["a new task", [task("b", "RUNNING")], { b: "RUNNING" }, [["b", undefined, "RUNNING"]]],
    ["a new task of which no state is said", [task("b")], { b: "PENDING" }, [["b", undefined, "PENDING"]]],
    ["a task without an id", [{ state: "FAILED" }], {}, []],
    [
      "what follows a task without an id",
      [{ state: "FAILED" }, task("b", "RUNNING")],
      { b: "RUNNING" },
      [["b", undefined, "RUNNING"]],
    ],
    ["no task at all", undefined, {}, []],
    [
      "the last one of two with one id",
      [task("a", "FAILED"), task("b", "RUNNING"), task("a", "SUCCEEDED")],
      { a: "SUCCEEDED", b: "RUNNING" },
      [
        ["a", "RUNNING", "SUCCEEDED"],
        ["b", undefined, "RUNNING"],
      ],
    ],
  ])("is told of %s", (_, tasks, known, told) => {
    const { cursor, changes } = stateChanges<Task>({ state: "RUNNING", tasks }, before);
    expect(cursor).toEqual({ state: "RUNNING", tasks: { ...before.tasks, ...known } });
    expect(changes.map(({ task: one, from, state }) => [one?.taskId, from, state])).toEqual(told);
    // What nothing was before is left out.
    expect(changes.every((one) => !("from" in one) || one.from !== undefined)).toBe(true);
    expect(before).toEqual({ state: "RUNNING", tasks: { a: "RUNNING", gone: "SUCCEEDED" } });
  });

  test.each([
    { state: "FAILED", since: before, told: [{ from: "RUNNING", state: "FAILED" }] },
    { state: "RUNNING", since: before, told: [] },
    { state: undefined, since: before, told: [] },
    { state: "RUNNING", since: undefined, told: [{ state: "RUNNING" }] },
    { state: undefined, since: undefined, told: [{ state: "PENDING" }] },
  ])("is told of the whole that is $state", ({ state, since, told }) => {
    const { cursor, changes } = stateChanges({ state }, since);
    expect(changes).toEqual(told);
    expect(cursor).toEqual({
      state: state ?? since?.state ?? "PENDING",
      tasks: since === undefined ? {} : since.tasks,
    });
  });

  test("ends with the whole, behind what has ended in it", () => {
    const { changes } = stateChanges({ state: "FAILED", tasks: [task("a", "FAILED")] }, before);
    expect(changes).toEqual([
      { task: task("a", "FAILED"), from: "RUNNING", state: "FAILED" },
      { from: "RUNNING", state: "FAILED" },
    ]);
  });
});

describe("the tasks of an answer", () => {
  const known = [task("a", "RUNNING"), task("b", "failed"), task("c")];

  test.each([
    ["are those of before, when it says nothing of them", undefined, "RUNNING", known],
    ["are those of before, when it has none", [], "RUNNING", known],
    [
      "have the states of before, where it says none",
      [task("b"), task("a")],
      "RUNNING",
      [task("b", "failed"), task("a", "RUNNING")],
    ],
    ["have their own states", [task("a", "SUCCEEDED")], "RUNNING", [task("a", "SUCCEEDED")]],
    ["may have no state at all", [task("c"), task("d")], "RUNNING", [task("c"), task("d")]],
    [
      "have those that had failed, when it has failed by none of them",
      [task("a")],
      "Failed",
      [task("a", "RUNNING"), task("b", "failed")],
    ],
    [
      "have no others, when it has failed by one of them",
      [task("a", "FAILED")],
      "FAILED",
      [task("a", "FAILED")],
    ],
    [
      "have none twice",
      [task("a"), task("b", "SUCCEEDED")],
      "FAILED",
      [task("a", "RUNNING"), task("b", "SUCCEEDED")],
    ],
    ["have no others, when it has not failed", [task("a")], "CANCELED", [task("a", "RUNNING")]],
  ])("%s", (_, tasks, state, merged) => {
    expect(withKnownTasks({ state, tasks }, known)).toEqual(merged);
  });

  test("are what it says, when nothing is known", () => {
    expect(withKnownTasks({ state: "FAILED", tasks: [task("a")] }, undefined)).toEqual([task("a")]);
    expect(withKnownTasks({ state: "FAILED", tasks: [] }, undefined)).toEqual([]);
    expect(withKnownTasks({ state: "FAILED" }, undefined)).toBeUndefined();
  });
});

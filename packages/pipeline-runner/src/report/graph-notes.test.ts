import { describe, expect, test } from "vitest";
import { graphNotes, type NotedTask } from "./graph-notes.js";
import { taskSpans } from "./task-spans.js";
import { TextBudget } from "./text-budget.js";

const noted = (id: string, more: Partial<NotedTask> = {}): NotedTask => ({
  ...{ id, name: id, parent: "", state: "SUCCEEDED", attempts: 1 },
  ...more,
});
/** An iteration of the loop `l`, and the task `t` in it. */
const iteration = (at: number, state: NotedTask["state"]): readonly NotedTask[] => [
  noted(`l[${at}]`, { name: "l", parent: "l", iteration: at, state }),
  noted(`l[${at}]/t`, { name: "t", parent: `l[${at}]`, state }),
];
const loop = (states: readonly NotedTask["state"][], more: Partial<NotedTask> = {}) =>
  graphNotes([
    noted("l", { state: "RUNNING", ...more }),
    ...states.flatMap((state, at) => iteration(at, state)),
  ]);

describe("the note of a box", () => {
  test.each<[Partial<NotedTask>, string, string]>([
    [{ state: "PENDING", attempts: 0 }, "·", "waits"],
    [{ state: "QUEUED", attempts: 0 }, "·", "ready"],
    [{ state: "RUNNING" }, ">", "running"],
    [{ state: "RUNNING", attempts: 2 }, ">", "running · attempt 2"],
    [{ state: "RUNNING", startedAt: 5 }, ">", "running"],
    [{ state: "SUCCEEDED" }, "✓", "succeeded"],
    [{ state: "SUCCEEDED", startedAt: 0, endedAt: 1500 }, "✓", "succeeded · 1.5 s"],
    [{ state: "SUCCEEDED", startedAt: 0, endedAt: 1500, attempts: 3 }, "✓", "succeeded · attempt 3 · 1.5 s"],
    [{ state: "SUCCEEDED", cached: true, startedAt: 0, endedAt: 1500 }, "✓", "succeeded · cached"],
    [{ state: "SUCCEEDED", startedAt: 1000, endedAt: 2500 }, "✓", "succeeded · 1.5 s"],
    [{ state: "FAILED", endedAt: 1500 }, "✗", "failed"],
    [{ state: "SKIPPED", attempts: 0 }, "-", "skipped"],
    [{ state: "CANCELLED" }, "×", "cancelled"],
  ])("of one task, %j", (more, sign, note) => {
    expect([...graphNotes([noted("a", more)])]).toEqual([
      ["/a", { state: more.state, sign, note, task: "a" }],
    ]);
  });

  test.each<[readonly NotedTask["state"][], Partial<NotedTask>, string]>([
    [[], {}, "running"],
    [[], { inside: 3 }, "running"],
    [["PENDING", "PENDING"], {}, "running · 0/2"],
    [["SUCCEEDED", "FAILED", "RUNNING"], {}, "running · 2/3"],
    [["SUCCEEDED"], { inside: 5 }, "running · 1/5"],
    [["SUCCEEDED", "SUCCEEDED"], { inside: 1 }, "running · 2/2"],
  ])("of a loop with iterations %j, %j", (states, more, note) => {
    expect(loop(states, more).get("/l")?.note).toBe(note);
  });

  test.each<[readonly NotedTask["state"][], NotedTask["state"], string]>([
    [["SUCCEEDED", "SUCCEEDED"], "SUCCEEDED", "2 succeeded"],
    [["SUCCEEDED", "FAILED", "SUCCEEDED"], "FAILED", "1 failed · 2 succeeded"],
    [["SKIPPED", "SUCCEEDED"], "SUCCEEDED", "1 succeeded · 1 skipped"],
    [["SKIPPED", "SUCCEEDED", "FAILED"], "FAILED", "1 failed · 1 succeeded …"],
    [["CANCELLED", "FAILED", "SUCCEEDED", "SKIPPED"], "FAILED", "1 failed · 1 cancelled …"],
    [["RUNNING", "SUCCEEDED"], "RUNNING", "running · 1/2"],
    [["RUNNING", "FAILED", "QUEUED"], "FAILED", "failed · 1/3"],
    [["QUEUED", "CANCELLED"], "CANCELLED", "cancelled · 1/2"],
    [["PENDING", "QUEUED"], "QUEUED", "ready · 0/2"],
    [["PENDING", "SUCCEEDED"], "PENDING", "waits · 1/2"],
  ])("that stands for many, %j", (states, state, note) => {
    expect(loop(states).get("/l/t")).toMatchObject({ state, note, task: "l[0]/t" });
  });

  test("is of no run", () => {
    expect(graphNotes([noted("")]).size).toBe(0);
    expect([...graphNotes([noted(""), noted("a"), noted("b")]).keys()]).toEqual(["/a", "/b"]);
  });
});

describe("what a task did when", () => {
  const event = (state: NotedTask["state"], at?: number) => ({
    ...{ number: 1, task: "a", state, reason: "" },
    ...(at === undefined ? {} : { at }),
  });
  test.each<[string, readonly ReturnType<typeof event>[], readonly (readonly [string, number, number])[]]>([
    [
      "waits and runs",
      [event("QUEUED", 1), event("RUNNING", 2), event("SUCCEEDED", 4)],
      [
        ["waits", 1, 2],
        ["runs", 2, 4],
      ],
    ],
    ["fails", [event("RUNNING", 2), event("FAILED", 4)], [["failed", 2, 4]]],
    [
      "fails and waits for another attempt",
      [event("RUNNING", 2), event("QUEUED", 4), event("RUNNING", 7), event("CANCELLED", 8)],
      [
        ["failed", 2, 4],
        ["waits", 4, 7],
        ["runs", 7, 8],
      ],
    ],
    ["waits, and fails before it runs", [event("QUEUED", 1), event("FAILED", 3)], [["waits", 1, 3]]],
    [
      "waits twice",
      [event("QUEUED", 1), event("QUEUED", 3), event("SKIPPED", 4)],
      [
        ["waits", 1, 3],
        ["waits", 3, 4],
      ],
    ],
    ["goes on", [event("QUEUED", 1), event("RUNNING", 2)], [["waits", 1, 2]]],
    ["has no times", [event("QUEUED"), event("RUNNING"), event("SUCCEEDED", 3)], []],
  ])("%s", (_, events, spans) => {
    const found = taskSpans(events).get("a") ?? [];
    expect(found.map(({ kind, from, to }) => [kind, from, to])).toEqual(spans);
  });
});

describe("room for texts", () => {
  test("is taken until there is none, and what is cut is counted", () => {
    const budget = new TextBudget(10);
    expect(budget.head("abc", 3)).toBe("abc");
    expect(budget.head("abcd", 3)).toBe("abc… (1 more characters)");
    expect(budget.tail("abc", 3)).toBe("abc");
    expect(budget.tail("abcd", 3)).toBe("(3 characters before) …d");
    expect([budget.head("ab", 3), budget.tail("ab", 3), budget.head("", 3)]).toEqual([
      "… (2 more characters)",
      "(2 characters before) …",
      "",
    ]);
  });

  test("is what is left of it, also for the end of a text", () => {
    expect(new TextBudget(9).tail("abcd", 2)).toBe("(2 characters before) …cd");
    expect(new TextBudget(4).tail("abcd", 9)).toBe("abcd");
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunEvent } from "../../run-event.js";
import type { FinishedTask, RunResult } from "../run-pipeline.js";
import { plainLine } from "./plain-line.js";
import { paint } from "./state-paint.js";
import { summaryLines } from "./summary-lines.js";

const [control, shown] = ["\u001b", "\\u{1b}"];

const eventAt = (when: { readonly at?: number }): RunEvent => {
  return { number: 1, task: "", state: "RUNNING", reason: "", ...when };
};

/** What a summary tells of a run. */
const told = (result: Partial<RunResult>, colors = false) =>
  summaryLines(
    {
      ...{ state: "SUCCEEDED", folder: "/run", tasks: [], warnings: [], error: undefined },
      events: [eventAt({ at: 1000 }), eventAt({}), eventAt({ at: 4000 })],
      ...result,
    } as RunResult,
    colors,
  );
const task = (id: string, more: Partial<FinishedTask> = {}) =>
  ({ id, kind: "container", state: "SUCCEEDED", log: undefined, ...more }) as FinishedTask;

/** What a summary tells of a task that has printed this, below its message. */
function toldOfLog(text: string, name = "log") {
  const folder = mkdtempSync(join(tmpdir(), "wye-summary-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = join(folder, name);
  writeFileSync(log, text);
  const tasks = [task("other"), task("bad", { state: "FAILED", log })];
  const lines = told({ state: "FAILED", tasks, error: { message: "no luck", task: "bad" } });
  return { log, said: lines.slice(4, -1), place: lines.at(-1) };
}

describe("a summary", () => {
  test.each<[Partial<RunResult>, readonly string[]]>([
    [{ state: "SUCCEEDED" }, ["✓ the run succeeded after 3.0 s: no tasks", "  files: /run"]],
    [
      { state: "CANCELLED", tasks: [task("a"), task("b", { state: "CANCELLED" })] },
      ["× the run was cancelled after 3.0 s: 1 succeeded, 1 cancelled", "  files: /run"],
    ],
    [
      { state: "FAILED", error: { message: "too large" }, events: [] },
      ["✗ the run failed after 0.0 s: no tasks", "  files: /run", "", "the run failed: too large"],
    ],
    [
      { state: "FAILED", error: { message: "no luck", task: "a" }, tasks: [task("a", { state: "FAILED" })] },
      ["✗ the run failed after 3.0 s: 1 failed", "  files: /run", "", "a failed: no luck"],
    ],
  ])("tells of %j", (result, lines) => expect(told(result)).toEqual(lines));

  test("takes no order from names, messages and what is printed", () => {
    const [odd, harmless] = [`a${control}b`, `a${shown}b`];
    expect(told({ folder: odd, warnings: [odd], error: { message: odd, task: odd } })).toEqual([
      `warning: ${harmless}`,
      "✓ the run succeeded after 3.0 s: no tasks",
      `  files: ${harmless}`,
      "",
      `${harmless} failed: ${harmless}`,
    ]);
    const { log, said, place } = toldOfLog(odd, odd);
    expect([said, place]).toEqual([[`  | ${harmless}`], `  log: ${log.replace(odd, harmless)}`]);
  });

  test("has the last twelve lines of the log, each with its first 500 characters", () => {
    const lines = Array.from({ length: 14 }, (_, at) => `line ${at}`);
    expect(toldOfLog(lines.join("\n")).said).toEqual(lines.slice(2).map((line) => `  | ${line}`));
    expect(toldOfLog("x".repeat(500)).said).toEqual([`  | ${"x".repeat(500)}`]);
    expect(toldOfLog("x".repeat(501)).said).toEqual([`  | ${"x".repeat(499)}…`]);
  });

  test("has the last 8 KiB of the log at most", () => {
    const line = `${"x".repeat(1023)}\n`;
    expect(toldOfLog(`1\n${line.repeat(8)}`).said).toHaveLength(8);
    expect(toldOfLog(`${"long ".repeat(10)}\n${line.repeat(7)}`).said).toHaveLength(8);
  });

  test("says nothing of a log that is empty but where it is", () => {
    const { log, said, place } = toldOfLog("");
    expect([said, place]).toEqual([[], `  log: ${log}`]);
  });

  test("has colours for how it went, where there are any", () => {
    const lines = told({ state: "FAILED", error: { message: "no" } }, true);
    const red = (text: string) => `${control}[31m${text}${control}[0m`;
    expect(lines).toEqual([
      `${red("✗ the run failed after 3.0 s")}: no tasks`,
      "  files: /run",
      "",
      red("the run failed: no"),
    ]);
  });
});

test.each<[Partial<RunEvent>, string | undefined]>([
  [{ state: "RUNNING", attempt: 1 }, "    2.0 s  > a: started"],
  [{ state: "RUNNING" }, "    2.0 s  > a: started"],
  [{ state: "RUNNING", attempt: 2 }, "    2.0 s  > a: because"],
  [{ state: "RUNNING", inside: 3 }, "    2.0 s  > a: because"],
  [{ state: "RUNNING", inside: 0 }, "    2.0 s  > a: because"],
  [{ state: "QUEUED", attempt: 1 }, undefined],
  [{ state: "QUEUED", attempt: 2 }, "    2.0 s  · a: because"],
  [{ state: "SUCCEEDED" }, "    2.0 s  ✓ a: because"],
  [{ state: "SKIPPED", reason: `b${control}` }, `    2.0 s  - a: b${shown}`],
  [{ state: "FAILED", task: `a${control}` }, `    2.0 s  ✗ a${shown}: because`],
  [{ state: "CANCELLING", task: "" }, "    2.0 s  × the run: because"],
  [{ state: "CANCELLED", task: "" }, undefined],
  [{ state: "SUCCEEDED", task: "" }, undefined],
])("the line of the event %j is %j", (event, line) => {
  expect(plainLine({ number: 1, task: "a", state: "RUNNING", reason: "because", ...event }, 2000)).toBe(line);
});

test("each state has its colour", () => {
  const states = [
    "QUEUED",
    "RUNNING",
    "SUCCEEDED",
    "FAILED",
    "SKIPPED",
    "CANCELLED",
    "CANCELLING",
    "dim",
  ] as const;
  const codes = states.map((state) => paint("x", state, true).split(control)[1]);
  expect(codes).toEqual(["[2mx", "[36mx", "[32mx", "[31mx", "[2mx", "[33mx", "[33mx", "[2mx"]);
  expect([paint("x", "FAILED", false), paint("", "FAILED", true)]).toEqual(["x", ""]);
});

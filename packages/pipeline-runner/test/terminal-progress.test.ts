import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { RunEvent } from "../src/index.js";
import { functionExecutor, type RunResult, runPipeline, terminalProgress } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";
import { Terminal } from "./terminal.js";

const event = (task: string, state: RunEvent["state"], more: Partial<RunEvent> = {}): RunEvent => ({
  ...{ number: 1, at: Date.now(), task, state, reason: "because" },
  ...more,
});

const started = (task: string) => event(task, "RUNNING", { attempt: 1 });

describe("in a terminal", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("pictures are drawn over each other, at most ten in a second", () => {
    const stream = new Terminal(40, 10);
    const progress = terminalProgress({ stream, live: true });
    for (let index = 0; index < 1000; index++) progress.onEvent(started(`task-${index}`));
    expect(stream.writes).toBe(0);
    vi.advanceTimersByTime(100);
    expect(stream.writes).toBe(1);
    expect(stream.text.split("\n")).toHaveLength(9);
    for (let index = 0; index < 999; index++) progress.onEvent(event(`task-${index}`, "SUCCEEDED"));
    vi.advanceTimersByTime(1000);
    expect(stream.writes).toBeLessThanOrEqual(11);
    expect(stream.text).toContain("> task-999");
    expect(stream.text.match(/1\.1 s · 1 running · 999 succeeded/g)).toHaveLength(1);
    progress.end();
    const { writes } = stream;
    vi.advanceTimersByTime(1000);
    expect(stream.writes).toBe(writes);
  });

  test.each([1e9, -1, Number.NaN, 0.5])("a size that no terminal has is taken for one: %d", (size) => {
    let text = "";
    const stream = { columns: size, rows: size, write: (more: string) => (text += more) };
    const progress = terminalProgress({ stream, live: true });
    progress.onEvent(started("task"));
    vi.advanceTimersByTime(100);
    expect(text.length).toBeLessThan(5000);
    expect(text).not.toBe("");
    progress.end();
  });

  test("nothing is left of a larger picture", () => {
    const stream = new Terminal(40, 20);
    const progress = terminalProgress({ stream, live: true });
    progress.onEvent(event("loop", "RUNNING", { inside: 5 }));
    for (let index = 0; index < 5; index++) progress.onEvent(started(`loop[${index}]`));
    vi.advanceTimersByTime(100);
    expect(stream.text.split("\n")).toHaveLength(7);
    for (let index = 0; index < 5; index++) progress.onEvent(event(`loop[${index}]`, "SUCCEEDED"));
    progress.onEvent(event("loop", "SUCCEEDED"));
    vi.advanceTimersByTime(100);
    expect(stream.text.split("\n")).toEqual([
      expect.stringMatching(/^✓ loop {2}5\/5 +0\.1 s$/),
      "0.2 s · 5 succeeded",
    ]);
  });

  test("nothing is left of a picture in a terminal that has become narrower", () => {
    const stream = new Terminal(60, 20);
    const progress = terminalProgress({ stream, live: true });
    for (const task of ["prepare", "train"]) progress.onEvent(started(task));
    vi.advanceTimersByTime(100);
    stream.narrow(25);
    vi.advanceTimersByTime(100);
    expect(stream.text.split("\n")).toEqual([
      expect.stringMatching(/^> prepare +0\.2 s$/),
      expect.stringMatching(/^> train +0\.2 s$/),
      "0.2 s · 2 running",
    ]);
  });

  test("a reader that is slow is not overrun", () => {
    const stream = new Terminal(40, 10);
    const progress = terminalProgress({ stream, live: true });
    progress.onEvent(started("train"));
    stream.writableNeedDrain = true;
    vi.advanceTimersByTime(5000);
    expect(stream.writes).toBe(0);
    stream.writableNeedDrain = false;
    vi.advanceTimersByTime(100);
    expect(stream.writes).toBe(1);
  });

  test("a terminal that is gone is left alone", () => {
    const stream = {
      isTTY: true,
      tried: 0,
      write() {
        this.tried++;
        throw new Error("EIO");
      },
    };
    const progress = terminalProgress({ stream, live: true });
    progress.onEvent(started("train"));
    vi.advanceTimersByTime(1000);
    progress.end();
    expect(stream.tried).toBe(1);
  });
});

describe("without a terminal", () => {
  const linesOf = async (
    tasks: Parameters<typeof shellPipeline>[0],
  ): Promise<{ readonly lines: readonly string[]; readonly result: RunResult }> => {
    let text = "";
    const stream = { write: (part: string) => (text += part) };
    const { onEvent, onLog, end } = terminalProgress({ stream });
    const options = { pipelineRoot: makeFolder(), concurrency: 1, onEvent, onLog };
    const result = await runPipeline(shellPipeline(tasks), options);
    end(result);
    return { lines: text.split("\n").map((line) => line.replace(/\d+(\.\d)? s/, "TIME").trim()), result };
  };

  test("each change is a line, and the end of a failed task and its log come last", async () => {
    const { lines, result } = await linesOf({
      good: { run: "echo fine" },
      bad: { run: "printf 'one\\ntwo \\033[2J\\n' >&2; exit 3", after: ["good"] },
      never: { run: "true", after: ["bad"] },
    });
    expect(lines).toEqual([
      "TIME  > good: started",
      "TIME  ✓ good: it has succeeded",
      "TIME  > bad: started",
      expect.stringMatching(/^TIME {2}✗ bad: .*3/),
      "TIME  - never: not run, because bad failed",
      "warning: the image alpine is not used: its commands run with what this machine has",
      "✗ the run failed after TIME: 1 succeeded, 1 failed, 1 skipped",
      `files: ${result.folder}`,
      "",
      expect.stringMatching(/^bad failed: .*3/),
      "| one",
      "| two \\u{1b}[2J",
      `log: ${result.folder}/bad/log-1.txt`,
      "",
    ]);
  });
});

test.each([
  ["a terminal", true, {}, true],
  ["a file", undefined, {}, false],
  ["a terminal without colours", true, { NO_COLOR: "1" }, false],
  ["a terminal with an empty NO_COLOR", true, { NO_COLOR: "" }, true],
  ["a terminal that can do nothing", true, { TERM: "dumb" }, false],
])("%s is drawn on: %s", (_, isTTY, variables, isLive) => {
  for (const [name, value] of Object.entries({ NO_COLOR: "", TERM: "xterm", ...variables }))
    vi.stubEnv(name, value);
  let text = "";
  const write = (part: string) => (text += part);
  const progress = terminalProgress({ stream: { ...(isTTY ? { isTTY } : {}), write } });
  vi.unstubAllEnvs();
  progress.onEvent(started("train"));
  progress.end();
  expect(text.includes("\u001b[?2026h")).toBe(isLive);
});

test("options that do not exist are refused by name", () => {
  // @ts-expect-error the option has another name
  expect(() => terminalProgress({ lives: true })).toThrow(/lives/);
});

test("the summary of a run without failures is two lines", async () => {
  let text = "";
  const progress = terminalProgress({ stream: { write: (part: string) => (text += part) } });
  const executor = functionExecutor({ one: () => ({}) });
  const result = await runPipeline(shellPipeline({ one: { run: "" } }), {
    pipelineRoot: makeFolder(),
    executor,
  });
  progress.end(result);
  progress.end(result);
  expect(text).toMatch(/^✓ the run succeeded after [\d.]+ s: 1 succeeded\n {2}files: \S+\n$/);
});

test.each([true, false])("when it is over nothing more is shown; drawn over lines: %s", (live) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let text = "";
  const progress = terminalProgress({ live, stream: { write: (part: string) => (text += part) } });
  progress.onEvent(started("train"));
  progress.end();
  const before = text;
  progress.onEvent(started("more"));
  progress.onLog("train", new TextEncoder().encode("said"));
  vi.advanceTimersByTime(1000);
  progress.end();
  expect([before.includes("train"), text, vi.getTimerCount()]).toEqual([true, before, 0]);
});

test("what is drawn keeps no process alive", () => {
  const start = vi.spyOn(globalThis, "setInterval");
  onTestFinished(() => start.mockRestore());
  const progress = terminalProgress({ stream: new Terminal(40, 10), live: true });
  progress.onEvent(started("a"));
  expect(start.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  progress.end();
});

test("what has changed is drawn also while much happens", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stream = new Terminal(40, 10);
  const progress = terminalProgress({ stream, live: true });
  for (const task of ["a", "b"]) {
    progress.onEvent(started(task));
    vi.advanceTimersByTime(60);
  }
  expect(stream.writes).toBe(1);
  progress.end();
});

test("a view of which nothing was heard shows nothing", () => {
  const stream = new Terminal(40, 10);
  terminalProgress({ stream, live: true }).end();
  expect(stream.text).toBe("");
});

test.each([true, false])(
  "how a run has ended is told in colours where lines are drawn over: %s",
  async (live) => {
    let text = "";
    const progress = terminalProgress({ live, stream: { write: (part: string) => (text += part) } });
    const executor = functionExecutor({ one: () => ({}) });
    const pipeline = shellPipeline({ one: { run: "" } });
    progress.end(await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor }));
    expect(text.includes("\u001b[32m✓ the run succeeded")).toBe(live);
  },
);

test("lines have the time since the first event, by the clock of the events", () => {
  let text = "";
  const { onEvent } = terminalProgress({ live: false, stream: { write: (part: string) => (text += part) } });
  for (const at of [1000, 3500, 5000]) onEvent(event("a", "SUCCEEDED", { at }));
  expect(text.match(/[\d.]+ s/g)).toEqual(["0.0 s", "2.5 s", "4.0 s"]);
});

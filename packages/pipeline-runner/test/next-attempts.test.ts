import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Executor, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

// A run that waits for the times of next attempts: nothing else wakes it.

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

const waiting = (backoffDuration: string, maxRetryCount: number) => ({
  run: "",
  task: { retryPolicy: { maxRetryCount, backoffDuration } },
});

/** Runs tasks whose first attempts fail, and notes when attempts begin, in seconds. */
function start(tasks: Parameters<typeof shellPipeline>[0], failures: Readonly<Record<string, number>>) {
  const user = new AbortController();
  onTestFinished(() => user.abort());
  const since = Date.now();
  const begun: (readonly [task: string, second: number])[] = [];
  const executor: Executor = {
    execute: async ({ task: { id, attempt } }) => {
      begun.push([id, (Date.now() - since) / 1000]);
      return attempt > (failures[id] ?? 0) ? { ok: true } : { ok: false, message: "not yet" };
    },
  };
  let ended = 0;
  const running = runPipeline(shellPipeline(tasks), {
    pipelineRoot: makeFolder(),
    executor,
    concurrency: 2,
    signal: user.signal,
    onEvent: ({ task, state, attempt = 1 }) => {
      if (task !== "" && (state === "SUCCEEDED" || (state === "QUEUED" && attempt > 1))) ended++;
    },
  });
  /** Goes to the next moment at which something is to happen, once so many attempts have ended. */
  const next = async (count: number) => {
    while (ended < count) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersToNextTimerAsync();
  };
  return { running, begun, next };
}

test.each<("slow" | "fast")[]>([
  ["slow", "fast"],
  ["fast", "slow"],
])(
  "an attempt begins when its time has come, and nothing is looked at before: %s first",
  async (...order) => {
    const both = { slow: waiting("3600s", 1), fast: waiting("60s", 2) };
    const tasks = Object.fromEntries(order.map((name) => [name, both[name]]));
    const { running, begun, next } = start(tasks, { slow: 1, fast: 2 });
    for (const ended of [2, 3, 4]) await next(ended);
    expect((await running).state).toBe("SUCCEEDED");
    expect(begun.toSorted(([a, x], [b, y]) => x - y || a.localeCompare(b))).toEqual([
      ["fast", 0],
      ["slow", 0],
      ["fast", 60],
      ["fast", 180],
      ["slow", 3600],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test.each([
  ["has succeeded", { ok: true } as const],
  ["has failed", { ok: false, message: "no" } as const],
])("a run that %s waits neither for the end of its time nor for its signal any more", async (_, result) => {
  const { signal } = new AbortController();
  const options = { pipelineRoot: makeFolder(), executor: { execute: async () => result }, signal };
  await runPipeline(shellPipeline({ a: { run: "" } }), { ...options, timeoutMs: 60_000 });
  expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
});

test("a run whose time is over says how long that was", async () => {
  const executor: Executor = {
    execute: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ ok: false, message: "stopped" }));
      }),
  };
  const running = runPipeline(shellPipeline({ a: { run: "" } }), {
    pipelineRoot: makeFolder(),
    executor,
    timeoutMs: 2500,
  });
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(2500);
  const { state, events } = await running;
  expect([state, events.at(-1)?.reason]).toEqual(["CANCELLED", "the run was cancelled"]);
  expect(vi.getTimerCount()).toBe(0);
  expect(events.find((event) => event.state === "CANCELLING")?.reason).toBe("its time of 2.5 s is over");
});

test("a run that goes on where the clock has been put back has no event before the others", async () => {
  const tasks = shellPipeline({ a: { run: "" }, b: { run: "", after: ["a"] } });
  const pipelineRoot = makeFolder();
  vi.setSystemTime(Date.UTC(2026, 0, 31, 12));
  const user = new AbortController();
  const stopped: Executor = {
    execute: async () => {
      user.abort();
      return { ok: false, message: "stopped" };
    },
  };
  const first = await runPipeline(tasks, { pipelineRoot, executor: stopped, signal: user.signal });
  vi.setSystemTime(Date.UTC(2026, 0, 31, 11));
  const executor: Executor = { execute: async () => ({ ok: true }) };
  const { state, events } = await runPipeline(tasks, { resumeFrom: first.folder, executor });
  const times = events.map(({ at = 0 }) => at);
  expect([state, times]).toEqual(["SUCCEEDED", times.toSorted((a, b) => a - b)]);
  expect(events.map((event) => event.reason)).toContain("the attempt was lost");
  expect(times[0]).toBe(Date.UTC(2026, 0, 31, 12));
});

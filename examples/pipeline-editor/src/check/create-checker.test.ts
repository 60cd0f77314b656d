import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CheckAnswer, CheckRequest } from "./check-messages.js";
import { type CheckWorker, createChecker } from "./create-checker.js";

/** The other end of the line, played by the test. */
class Worker implements CheckWorker {
  readonly asked: CheckRequest[] = [];
  isEnded = false;
  private readonly target = new EventTarget();
  addEventListener(type: string, listener: (event: MessageEvent<CheckAnswer>) => void): void {
    // The events below are of this kind.
    this.target.addEventListener(type, listener as (event: Event) => void);
  }
  postMessage(request: CheckRequest): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.isEnded = true;
  }
  answer(id: number, kind: "report" | "graph"): void {
    const data: CheckAnswer =
      kind === "report"
        ? {
            id,
            kind,
            report: { ok: true, problems: [], counts: { error: 0, warning: 0, info: 0 }, unchecked: [] },
            aids: [],
          }
        : { id, kind, graph: { state: "unreadable" } };
    this.target.dispatchEvent(new MessageEvent("message", { data }));
  }
  fail(): void {
    this.target.dispatchEvent(new Event("error", { cancelable: true }));
  }
}

const workers: Worker[] = [];
const heard: string[] = [];
const newChecker = () =>
  createChecker({
    startWorker: () => {
      const worker = new Worker();
      workers.push(worker);
      return worker;
    },
    onAnswer: ({ id, kind }) => heard.push(`${kind} ${id}`),
    onGiveUp: (reason) => heard.push(reason),
    pauseMs: 100,
    patienceMs: 1_000,
  });

beforeEach(() => {
  vi.useFakeTimers();
  workers.length = 0;
  heard.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a checker", () => {
  test("asks once typing pauses, for the text of then", () => {
    const checker = newChecker();
    for (const text of ["a", "ab", "abc"]) {
      checker.check(text, "kfp");
      vi.advanceTimersByTime(99);
    }
    expect(workers).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(workers[0]?.asked).toEqual([{ id: 3, text: "abc", profile: "kfp", wantsSarif: false }]);
  });

  test("hands on what is said of the newest text, and nothing older", () => {
    const checker = newChecker();
    checker.check("a", "kfp");
    vi.advanceTimersByTime(100);
    workers[0]?.answer(1, "report");
    checker.check("ab", "spec");
    workers[0]?.answer(1, "graph");
    vi.advanceTimersByTime(100);
    workers[0]?.answer(2, "report");
    workers[0]?.answer(2, "graph");
    vi.advanceTimersByTime(60_000);
    expect(heard).toEqual(["report 1", "report 2", "graph 2"]);
    expect(workers).toHaveLength(1);
  });

  test("ends a worker that hangs, says so once, and starts another for the next text", () => {
    const checker = newChecker();
    checker.check("a", "kfp");
    vi.advanceTimersByTime(1_099);
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(heard).toEqual(["hangs"]);
    expect(workers[0]?.isEnded).toBe(true);
    checker.check("ab", "kfp");
    vi.advanceTimersByTime(100);
    workers[0]?.answer(2, "report");
    workers[1]?.answer(2, "report");
    workers[1]?.answer(2, "graph");
    vi.advanceTimersByTime(60_000);
    expect(heard).toEqual(["hangs", "report 2", "graph 2"]);
  });

  test("does not wait longer for a worker that hangs because more is typed", () => {
    const checker = newChecker();
    for (let count = 0; count < 10; count++) {
      checker.check(`text ${count}`, "kfp");
      vi.advanceTimersByTime(120);
    }
    expect(heard).toEqual(["hangs"]);
    expect(workers).toHaveLength(2);
  });

  test("expects nothing of a worker that has answered all, however long is typed on without a pause", () => {
    const checker = newChecker();
    checker.check("a", "kfp");
    vi.advanceTimersByTime(100);
    checker.check("ab", "kfp");
    workers[0]?.answer(1, "report");
    workers[0]?.answer(1, "graph");
    for (let count = 0; count < 100; count++) {
      checker.check(`a${count}`, "kfp");
      vi.advanceTimersByTime(50);
    }
    expect([heard, workers.length]).toEqual([[], 1]);
  });

  test("takes each answer for a sign of life", () => {
    const checker = newChecker();
    checker.check("a", "kfp");
    vi.advanceTimersByTime(1_000);
    workers[0]?.answer(1, "report");
    vi.advanceTimersByTime(999);
    expect(heard).toEqual(["report 1"]);
    vi.advanceTimersByTime(1);
    expect(heard).toEqual(["report 1", "hangs"]);
  });

  test("replaces a worker that fails", () => {
    const checker = newChecker();
    checker.check("a", "kfp");
    vi.advanceTimersByTime(100);
    workers[0]?.fail();
    expect([heard, workers[0]?.isEnded]).toEqual([["fails"], true]);
    checker.check("ab", "kfp");
    vi.advanceTimersByTime(100);
    expect(workers[1]?.asked).toHaveLength(1);
  });
});

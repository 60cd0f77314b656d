import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../run-event.js";
import { LiveScreen, type ScreenSize } from "./live-screen.js";
import { plainLine } from "./plain-line.js";
import { ProgressModel, type ProgressTask } from "./progress-model.js";
import { paint, unpainted } from "./state-paint.js";

let number = 0;
const event = (task: string, state: RunEvent["state"], more: Partial<RunEvent> = {}): RunEvent => ({
  ...{ number: ++number, task, state, reason: `${task} is ${state}` },
  ...more,
});
const labels = (tasks: Iterable<ProgressTask>) => [...tasks].map(({ label }) => label);
const bytes = (text: string) => new TextEncoder().encode(text);

describe("what is known of a run", () => {
  test("is where each task is", () => {
    const model = new ProgressModel();
    model.take(event("", "RUNNING"), 100);
    for (const name of ["a", "b", "c", "d"]) model.take(event(name, "QUEUED", { attempt: 1 }), 101);
    model.take(event("a", "RUNNING", { attempt: 1 }), 102);
    model.take(event("b", "RUNNING", { inside: 2 }), 103);
    model.take(event("c", "SKIPPED"), 104);
    expect([model.queued, model.running, model.open, model.ended].map(labels)).toEqual([
      ["d"],
      ["a"],
      ["b"],
      ["c"],
    ]);
    model.take(event("a", "QUEUED", { attempt: 2 }), 105);
    model.take(event("b", "FAILED"), 106);
    expect([model.queued, model.running, model.open, model.ended].map(labels)).toEqual([
      ["d", "a"],
      [],
      [],
      ["c", "b"],
    ]);
    expect(model.counts).toEqual({ SUCCEEDED: 0, FAILED: 0, SKIPPED: 1, CANCELLED: 0 });
    expect([model.run, model.startedAt]).toEqual(["RUNNING", 100]);
    model.take(event("", "CANCELLING", { at: 5 }), 107);
    expect([model.run, model.startedAt]).toEqual(["CANCELLING", 100]);
  });

  test("is when it happened, by the event where that says so", () => {
    const model = new ProgressModel();
    model.take(event("a", "QUEUED", { at: 7, attempt: 1 }), 100);
    const [task] = model.queued;
    expect([model.startedAt, task?.since, task?.endedAt]).toEqual([7, undefined, undefined]);
    model.take(event("a", "RUNNING", { at: 8 }), 100);
    expect([task?.since, task?.attempt]).toEqual([8, 1]);
    model.take(event("a", "RUNNING", { attempt: 2 }), 100);
    expect([task?.since, task?.attempt, task?.state]).toEqual([100, 2, "RUNNING"]);
    model.take(event("a", "SUCCEEDED", { at: 110, reason: "it\nhas" }), 100);
    expect([task?.endedAt, task?.state, task?.reason]).toEqual([110, "SUCCEEDED", "it\\u{a}has"]);
    expect(model.counts.SUCCEEDED).toBe(1);
  });

  test("is what is around each, and how much of it has ended", () => {
    const model = new ProgressModel();
    model.take(event("loop", "RUNNING", { inside: 2 }), 1);
    model.take(event("loop[0]", "RUNNING", { inside: 1 }), 2);
    model.take(event("loop[0]/a%2Fb", "RUNNING"), 3);
    model.take(event("loop[1]", "RUNNING"), 4);
    model.take(event("other", "SUCCEEDED"), 4);
    const [loop, first] = model.open;
    expect([loop?.parent, first?.parent, first?.label]).toEqual([undefined, loop, "[0]"]);
    expect([...model.running].map(({ label, parent, number: one }) => [label, parent, one])).toEqual([
      ["a/b", first, 3],
      ["[1]", loop, 4],
    ]);
    model.take(event("loop[0]/a%2Fb", "SUCCEEDED"), 5);
    expect([loop?.ended, first?.ended, labels(model.ended)]).toEqual([0, 1, ["other", "a/b"]]);
    model.take(event("loop[0]", "SUCCEEDED"), 6);
    // What was in it is told by it from now on.
    expect([loop?.ended, labels(model.ended)]).toEqual([1, ["other", "[0]"]]);
    expect(model.counts.SUCCEEDED).toBe(2);
    model.take(event("loop[1]", "FAILED"), 7);
    model.take(event("loop", "FAILED"), 8);
    expect([loop?.ended, labels(model.ended)]).toEqual([2, ["other", "loop"]]);
    expect(model.counts).toEqual({ SUCCEEDED: 2, FAILED: 1, SKIPPED: 0, CANCELLED: 0 });
  });

  test("is forgotten but for the last two hundred that have ended", () => {
    const model = new ProgressModel();
    for (let i = 0; i < 202; i++) model.take(event(`t${i}`, "SUCCEEDED"), i);
    expect([model.ended.size, labels(model.ended)[0], model.counts.SUCCEEDED]).toEqual([200, "t2", 202]);
    model.print("t201", bytes("late"));
    expect([...model.ended].at(-1)?.said).toBe("");
  });

  test("is what each has printed last, as far as that is a line", () => {
    const model = new ProgressModel();
    model.print("a", bytes("nobody"));
    model.take(event("a", "RUNNING"), 1);
    const [task] = model.running;
    const said = (chunk: string) => {
      model.print("a", bytes(chunk));
      return task?.said;
    };
    expect(said("one\n")).toBe("one");
    expect(said("two\n  three  \n\n")).toBe("three");
    expect(said("\n \r\n")).toBe("three");
    expect(said("10%\r20%\r")).toBe("20%");
    expect(said("\u001b[2J")).toBe("\\u{1b}[2J");
    expect(said(`begin${"x".repeat(500)}`)).toBe("x".repeat(400));
    expect(said(`${"y".repeat(500)}\nlast\n`)).toBe("last");
    expect(said(`before\n${"z".repeat(399)}\n`)).toBe("z".repeat(399));
    // The end of a line that is longer than what is looked at is better than none.
    expect(said(`before\nbegin${"z".repeat(395)}end\n${" ".repeat(4)}`)).toBe(`${"z".repeat(392)}end`);
    expect(said(`last\n${" ".repeat(400)}`)).toBe(`${"z".repeat(392)}end`);
    model.take(event("a", "SUCCEEDED"), 2);
    expect(task?.said).toBe("");
  });
});

describe("what a log says of an event", () => {
  test.each<[given: Partial<RunEvent> & Pick<RunEvent, "state">, line: string | undefined]>([
    [{ task: "", state: "RUNNING", reason: "r" }, undefined],
    [{ task: "", state: "SUCCEEDED", reason: "r" }, undefined],
    [{ task: "", state: "CANCELLING", reason: "stop\n" }, "    1.0 s  × the run: stop\\u{a}"],
    [{ state: "QUEUED", reason: "r", attempt: 1 }, undefined],
    [{ state: "QUEUED", reason: "r" }, undefined],
    [{ state: "QUEUED", reason: "again", attempt: 2 }, "    1.0 s  · a: again"],
    [{ state: "RUNNING", reason: "r", attempt: 1 }, "    1.0 s  > a: started"],
    [{ state: "RUNNING", reason: "r" }, "    1.0 s  > a: started"],
    [{ state: "RUNNING", reason: "attempt 2", attempt: 2 }, "    1.0 s  > a: attempt 2"],
    [{ state: "RUNNING", reason: "a loop", inside: 0 }, "    1.0 s  > a: a loop"],
    [{ state: "FAILED", reason: "no", task: "a\u202e" }, "    1.0 s  ✗ a\\u{202e}: no"],
    [{ state: "SUCCEEDED", reason: "yes" }, "    1.0 s  ✓ a: yes"],
  ])("%j", (given, line) => {
    expect(plainLine({ number: 1, task: "a", reason: "", ...given }, 1000)).toBe(line);
  });
  test("is as wide for all times that are usual", () => {
    const width = (ms: number) => plainLine(event("a", "SUCCEEDED"), ms)?.indexOf("✓");
    expect([0, 12_000, 185_000, 7_620_000].map(width)).toEqual([11, 11, 12, 12]);
  });
});

test("a text has the colour of its state, and none where there are none", () => {
  expect(paint("a", "FAILED", true)).toBe("\x1b[31ma\x1b[0m");
  expect(paint("a", "FAILED", false)).toBe("a");
  expect(paint("", "FAILED", true)).toBe("");
  const states = [
    "PENDING",
    "QUEUED",
    "RUNNING",
    "SUCCEEDED",
    "FAILED",
    "SKIPPED",
    "CANCELLED",
    "CANCELLING",
    "dim",
  ] as const;
  expect(states.map((state) => paint("a", state, true).slice(2, -4))).toEqual([
    "2ma",
    "2ma",
    "36ma",
    "32ma",
    "31ma",
    "2ma",
    "33ma",
    "33ma",
    "2ma",
  ]);
  for (const state of states)
    expect(unpainted(`b${paint("a", state, true)}${paint("c", "dim", true)}`)).toBe("bac");
});

describe("a picture at the end of a terminal", () => {
  /** A stream that keeps what is written, and who listens to it. */
  function streamOf(size: Partial<ScreenSize> & { writableNeedDrain?: boolean; fails?: boolean } = {}) {
    const written: string[] = [];
    const listeners = new Set<unknown>();
    const stream = {
      ...size,
      written,
      listeners,
      write(text: string, done?: (error?: Error | null) => void) {
        if (size.fails) throw new Error("gone");
        written.push(text);
        done?.();
      },
      on: (_: "error", listener: (error: unknown) => void) => listeners.add(listener),
      off: (_: "error", listener: (error: unknown) => void) => listeners.delete(listener),
    };
    return stream;
  }
  const picture = (moves: string, text: string) =>
    `\x1b[?2026h\x1b[?7l${moves}${text}\x1b[K\x1b[J\x1b[?7h\x1b[?2026l`;

  test("is drawn over the one before, once for each that is another", () => {
    const stream = streamOf({ columns: 10, rows: 5 });
    const screen = new LiveScreen(stream);
    const sizes: ScreenSize[] = [];
    const draw = (...lines: readonly string[]) =>
      screen.draw((size) => {
        sizes.push(size);
        return lines;
      });
    draw("a", "b");
    draw("a", "b");
    draw("c");
    draw("d", "e", "f");
    expect(stream.written).toEqual([
      picture("\r", "a\x1b[K\r\nb"),
      picture("\r\x1b[1A", "c"),
      picture("\r", "d\x1b[K\r\ne\x1b[K\r\nf"),
    ]);
    expect(sizes).toEqual(new Array(4).fill({ columns: 10, rows: 5 }));
    screen.print([]);
    screen.print(["x", "y"]);
    screen.end(["z"]);
    expect(stream.written.slice(3)).toEqual(["x\ny\n", "\nz\n"]);
    expect(stream.listeners.size).toBe(0);
    screen.end(["after"]);
    expect(stream.written.at(-1)).toBe("after\n");
  });

  test("takes the rows that its lines take in a terminal that has become narrower, and no more than there are", () => {
    const stream = streamOf({ columns: 40, rows: 5 });
    const screen = new LiveScreen(stream);
    const moves = (columns: number, rows: number) => {
      screen.draw(() => ["漢".repeat(10), paint("y".repeat(10), "FAILED", true), ""]);
      Object.assign(stream, { columns, rows });
      screen.draw(() => ["z"]);
      Object.assign(stream, { columns: 40, rows: 5 });
      const [, drawn = ""] = (stream.written.at(-1) ?? "").split("\x1b[?7l");
      return drawn.slice(0, drawn.indexOf("z"));
    };
    expect(moves(40, 5)).toBe("\r\x1b[2A");
    expect(moves(20, 5)).toBe("\r\x1b[2A");
    expect(moves(19, 5)).toBe("\r\x1b[3A");
    expect(moves(10, 9)).toBe("\r\x1b[3A");
    expect(moves(9, 9)).toBe("\r\x1b[5A");
    expect(moves(9, 4)).toBe("\r\x1b[3A");
    expect(moves(9, 1)).toBe("\r");
  });

  test.each<[said: Partial<ScreenSize>, size: ScreenSize]>([
    [{}, { columns: 80, rows: 24 }],
    [
      { columns: 0, rows: 0 },
      { columns: 80, rows: 24 },
    ],
    [
      { columns: 1, rows: 1 },
      { columns: 1, rows: 1 },
    ],
    [
      { columns: Number.NaN, rows: -1 },
      { columns: 80, rows: 24 },
    ],
    [
      { columns: 1000, rows: 1001 },
      { columns: 1000, rows: 1000 },
    ],
    [
      { columns: Number.POSITIVE_INFINITY, rows: 3 },
      { columns: 1000, rows: 3 },
    ],
  ])("of a stream that says %j is for %j", (said, size) => {
    let asked: ScreenSize | undefined;
    new LiveScreen(streamOf(said)).draw((given) => {
      asked = given;
      return [];
    });
    expect(asked).toEqual(size);
  });

  test("waits for a reader that is slow, and is not drawn for one that is gone", () => {
    const slow = streamOf({ writableNeedDrain: true });
    const screen = new LiveScreen(slow);
    screen.draw(() => expect.unreachable("nobody takes it"));
    screen.print(["kept"]);
    expect(slow.written).toEqual(["kept\n"]);
    const broken = streamOf({ fails: true });
    const other = new LiveScreen(broken);
    other.print(["a"]);
    Object.assign(broken, { write: () => expect.unreachable("it is gone") });
    other.print(["b"]);
    other.end([]);
    const failing = streamOf();
    const third = new LiveScreen(failing);
    for (const listener of failing.listeners)
      if (typeof listener === "function") listener(new Error("EPIPE"));
    third.print(["c"]);
    third.end(["d"]);
    expect(failing.written).toEqual([]);
  });

  test("listens to its stream until what it writes last is there", () => {
    const stream = streamOf();
    const held: ((error?: Error | null) => void)[] = [];
    Object.assign(stream, {
      write: (_: string, done?: (error?: Error | null) => void) => held.push(done ?? (() => {})),
    });
    const screen = new LiveScreen(stream);
    expect(stream.listeners.size).toBe(1);
    screen.end([]);
    held[0]?.(new Error("EPIPE"));
    expect(stream.listeners.size).toBe(1);
    held[0]?.(null);
    expect(stream.listeners.size).toBe(0);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../run-event.js";
import { columnsOf } from "../../visible-text.js";
import { progressLines } from "./progress-lines.js";
import { ProgressModel } from "./progress-model.js";
import { unpainted } from "./state-paint.js";

type Told = Pick<RunEvent, "task" | "state"> & Partial<RunEvent>;

const wide = { columns: 60, rows: 12, now: 5000, colors: false };

function modelOf(...events: readonly Told[]): ProgressModel {
  const model = new ProgressModel();
  for (const [index, event] of events.entries())
    model.take({ number: index + 1, at: 0, reason: "because", ...event }, 0);
  return model;
}

/** Lines without the room between their halves. */
const linesOf = (model: ProgressModel, view = wide) =>
  progressLines(model, view).map((line) => line.replace(/ {3,}/g, " ~ "));

const started = (task: string, more: Partial<RunEvent> = {}): Told => ({
  task,
  state: "RUNNING",
  attempt: 1,
  ...more,
});

describe("the lines of a view", () => {
  test.each<[string, readonly Told[], readonly string[]]>([
    [
      "tell state and time",
      [started("prepare"), { task: "prepare", state: "SUCCEEDED", at: 1500 }, started("train", { at: 2000 })],
      ["✓ prepare ~ 1.5 s", "> train ~ 3.0 s", "5.0 s · 1 running · 1 succeeded"],
    ],
    [
      "tell the attempt, and why it waits",
      [{ task: "train", state: "QUEUED", attempt: 2, reason: "attempt 1 of 3 failed" }],
      ["· train  attempt 2  attempt 1 of 3 failed", "5.0 s · 1 ready"],
    ],
    [
      "count what has ended in a loop",
      [
        { task: "loop", state: "RUNNING", inside: 20 },
        started("loop[0]"),
        { task: "loop[0]", state: "SUCCEEDED", at: 1000 },
        started("loop[1]", { at: 1000 }),
      ],
      ["> loop  1/20 ~ 5.0 s", "  ✓ [0] ~ 1.0 s", "  > [1] ~ 4.0 s", "5.0 s · 1 running · 1 succeeded"],
    ],
    [
      "fold a DAG that has ended",
      [
        { task: "sub", state: "RUNNING", inside: 1 },
        started("sub/a"),
        { task: "sub/a", state: "SUCCEEDED" },
        { task: "sub", state: "SUCCEEDED", at: 1000 },
      ],
      ["✓ sub  1/1 ~ 1.0 s", "5.0 s · 1 succeeded"],
    ],
    [
      "say why a task failed or is left out",
      [
        started("train"),
        { task: "train", state: "FAILED", reason: "exit code 1", at: 1000 },
        { task: "deploy", state: "SKIPPED", reason: "not run, because train failed" },
      ],
      [
        "✗ train  exit code 1 ~ 1.0 s",
        "- deploy  not run, because train failed",
        "5.0 s · 1 failed · 1 skipped",
      ],
    ],
    [
      "show names as they are, and let them order nothing",
      [started("a%2Fb%5B0%5D"), started("\u001b]0;x\u0007"), started("100%25")],
      ["> a/b[0] ~ 5.0 s", "> \\u{1b}]0;x\\u{7} ~ 5.0 s", "> 100% ~ 5.0 s", "5.0 s · 3 running"],
    ],
  ])("%s", (_, events, lines) => {
    expect(linesOf(modelOf(...events))).toEqual(lines);
  });

  test.each<[string, readonly Told[], string]>([
    ["waits for the first time", [{ task: "a", state: "QUEUED", attempt: 1 }], "· a"],
    ["waits again", [{ task: "a", state: "QUEUED", attempt: 2 }], "· a  attempt 2  because"],
    ["runs", [started("a")], "> a ~ 5.0 s"],
    ["runs again", [started("a", { attempt: 2 })], "> a  attempt 2 ~ 5.0 s"],
    ["went well", [started("a"), { task: "a", state: "SUCCEEDED" }], "✓ a ~ 0.0 s"],
    [
      "was found in the cache",
      [{ task: "a", state: "SUCCEEDED", reason: "the result was found in the cache" }],
      "✓ a  the result was found in the cache",
    ],
    ["went wrong", [started("a"), { task: "a", state: "FAILED" }], "✗ a  because ~ 0.0 s"],
    ["was left out", [{ task: "a", state: "SKIPPED" }], "- a  because"],
    ["was stopped", [started("a"), { task: "a", state: "CANCELLED" }], "× a  because ~ 0.0 s"],
  ])("say of a task that %s no more than there is to know", (_, events, line) => {
    expect(linesOf(modelOf(...events))[0]).toBe(line);
  });

  test("count at their end how many tasks are where, and that a run is being cancelled", () => {
    const end = (task: string, state: RunEvent["state"]): Told => ({ task, state });
    const events = [
      started("r"),
      end("q", "QUEUED"),
      ...[end("s", "SUCCEEDED"), end("s2", "SUCCEEDED"), end("f", "FAILED")],
      ...[end("k", "SKIPPED"), end("c", "CANCELLED")],
    ];
    const counts = "1 running · 1 ready · 2 succeeded · 1 failed · 1 skipped · 1 cancelled";
    const view = { ...wide, columns: 100 };
    expect(linesOf(modelOf(...events), view).at(-1)).toBe(`5.0 s · ${counts}`);
    const cancelling = modelOf(...events, { task: "", state: "CANCELLING" });
    expect(linesOf(cancelling, view).at(-1)).toBe(`cancelling · 5.0 s · ${counts}`);
    expect(linesOf(modelOf(), view)).toEqual(["0.0 s"]);
  });

  test("show what a task has printed last", () => {
    const model = modelOf(started("train"));
    model.print("train", new TextEncoder().encode("epoch 1\nepoch 2\u001b[0K\n\n"));
    expect(linesOf(model)[0]).toBe("> train  epoch 2\\u{1b}[0K ~ 5.0 s");
  });

  test.each([
    [0, "…", "…"],
    [1, "…", "…"],
    [2, "…", "…"],
    [3, ">…", "5…"],
    [8, "> prep…", "5.0 s …"],
    [14, "> prepare", "5.0 s · 1 ru…"],
    [15, "> prep…  5.0 s", "5.0 s · 1 run…"],
    [17, "> prepare  5.0 s", "5.0 s · 1 runni…"],
    [18, "> prepare   5.0 s", "5.0 s · 1 running"],
    [26, "> prepare           5.0 s", "5.0 s · 1 running"],
    [27, "> prepare  epoch 1…  5.0 s", "5.0 s · 1 running"],
    [30, "> prepare  epoch 1234…  5.0 s", "5.0 s · 1 running"],
    [31, "> prepare  epoch 123456  5.0 s", "5.0 s · 1 running"],
    [32, "> prepare  epoch 123456   5.0 s", "5.0 s · 1 running"],
  ])("say first what a task is, and then when and what, in %i columns", (columns, ...lines) => {
    const model = modelOf(started("prepare"));
    model.print("prepare", new TextEncoder().encode("epoch 123456"));
    expect(progressLines(model, { ...wide, columns })).toEqual(lines);
  });

  test("show what runs and what failed rather than what has ended, where there is little room", () => {
    const many = Array.from({ length: 50 }, (_, index) => `task-${index}`);
    const model = modelOf(
      started("broken"),
      { task: "broken", state: "FAILED" },
      ...many.flatMap((task): Told[] => [started(task), { task, state: "SUCCEEDED" }]),
      started("last"),
    );
    expect(linesOf(model, { ...wide, rows: 5 })).toEqual([
      "✗ broken  because ~ 0.0 s",
      "✓ task-49 ~ 0.0 s",
      "> last ~ 5.0 s",
      "5.0 s · 1 running · 50 succeeded · 1 failed",
    ]);
  });

  test("are coloured on request, which changes no width", () => {
    const model = modelOf(started("train"));
    const colored = progressLines(model, { ...wide, colors: true });
    expect(colored[0]).toContain("\u001b[36m> train");
    expect(colored.map(unpainted)).toEqual(progressLines(model, wide));
  });
});

test("no line is wider than the terminal, and they leave a row free, whatever the names and the words are", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
  const task = fc.record({
    name: text,
    word: text,
    told: fc.constantFrom<Partial<RunEvent>>(
      { state: "RUNNING", inside: 3 },
      { state: "RUNNING" },
      { state: "QUEUED", attempt: 2 },
      { state: "FAILED", attempt: 12 },
      { state: "SKIPPED" },
    ),
  });
  const size = fc.record({
    columns: fc.integer({ min: 1, max: 100 }),
    rows: fc.integer({ min: 1, max: 10 }),
  });
  fc.assert(
    fc.property(fc.array(task, { minLength: 1, maxLength: 8 }), size, (path, { columns, rows }) => {
      const model = new ProgressModel();
      let id = "";
      for (const { name, word, told } of path) {
        id += `${id === "" ? "" : "/"}${encodeURIComponent(name)}`;
        model.take({ number: 1, task: id, state: "RUNNING", at: 0, reason: word, ...told }, 0);
        model.print(id, new TextEncoder().encode(word));
      }
      const lines = progressLines(model, { columns, rows, now: 5000, colors: false });
      expect(lines.length).toBeLessThan(Math.max(2, rows));
      for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(Math.max(1, columns - 1));
    }),
    { seed: 1607 },
  );
});

test("a run of many thousand tasks takes little room and time", () => {
  const model = new ProgressModel();
  const count = 50_000;
  model.take({ number: 0, at: 0, task: "loop", state: "RUNNING", inside: count, reason: "" }, 0);
  for (let index = 0; index < count; index++) {
    const task = `loop[${index}]`;
    model.take({ number: 0, at: 0, task, state: "RUNNING", attempt: 1, reason: "" }, 0);
    model.take({ number: 0, at: 0, task, state: "SUCCEEDED", reason: "" }, 0);
  }
  expect(model.ended.size).toBeLessThanOrEqual(200);
  expect(linesOf(model).at(0)).toContain(`${count}/${count}`);
});

test.each([
  [60, [0, 2, 4, 6, 8, 10, 12, 14, 15, 15]],
  [43, [0, 2, 4, 6, 8, 10, 10, 10, 10, 10]],
])("what is deep inside is indented by a fourth of %i columns at most", (columns, indents) => {
  const names = "abcdefghij".split("");
  const open = names.map((_, at) => started(names.slice(0, at + 1).join("/"), { inside: 1 }));
  const lines = progressLines(modelOf(...open), { ...wide, columns }).slice(0, -1);
  expect(lines.map((line) => line.search(/\S/))).toEqual(indents);
});

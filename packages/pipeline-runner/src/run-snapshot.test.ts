import { expect, test } from "vitest";
import { PipelineRunError } from "./run-error.js";
import { checkSnapshot, type RunCommand, type RunSnapshot, withoutCancellation } from "./run-snapshot.js";

const good = { format: 1, pipeline: {}, options: {}, commands: [] };
const report = { kind: "report", task: "a", report: { state: "RUNNING" } };
const cancel = { kind: "cancel", options: {} };

test.each([[good], [{ ...good, commands: [report, cancel] }], [{ ...good, more: 1 }]])(
  "%j is a snapshot",
  (snapshot) => expect(() => checkSnapshot(snapshot)).not.toThrow(),
);

test.each<[snapshot: unknown, problem: string]>([
  [undefined, "it is no object"],
  [null, "it is no object"],
  ["{}", "it is no object"],
  [[good], "it is no object"],
  [{}, "its format is undefined, this version reads format 1"],
  [{ ...good, format: 2 }, "its format is 2, this version reads format 1"],
  [{ ...good, format: "1" }, 'its format is "1", this version reads format 1'],
  [{ ...good, pipeline: undefined }, "it has no pipeline"],
  [{ ...good, pipeline: "a" }, "it has no pipeline"],
  [{ ...good, options: null }, "it has no options"],
  [{ ...good, options: [] }, "it has no options"],
  [{ ...good, commands: undefined }, "it has no list of commands"],
  [{ ...good, commands: {} }, "it has no list of commands"],
  ...[
    5,
    {},
    { ...cancel, options: undefined },
    { ...cancel, kind: "stop" },
    { ...report, task: 5 },
    { ...report, report: "RUNNING" },
    { ...report, kind: "reports" },
  ].flatMap((wrong): [unknown, string][] => [
    [{ ...good, commands: [wrong] }, "/commands/0 is neither a report nor a cancellation"],
    [{ ...good, commands: [report, wrong, 5] }, "/commands/1 is neither a report nor a cancellation"],
  ]),
])("%j is none", (snapshot, problem) => {
  const error = new PipelineRunError("snapshot", `this is no snapshot of a run: ${problem}`);
  expect(() => checkSnapshot(snapshot)).toThrow(error);
  expect(() => checkSnapshot(snapshot)).toThrow(expect.objectContaining({ code: "snapshot", problems: [] }));
  expect(() => withoutCancellation(snapshot as RunSnapshot)).toThrow(error);
});

test("without its cancellation a run has neither what cancelled it nor what was stopped by that", () => {
  const of = (...states: readonly string[]): RunCommand[] =>
    states.map((state, index) => ({ kind: "report", task: `t${index}`, report: { state } }) as RunCommand);
  const [running, stopped, done] = of("RUNNING", "CANCELLED", "SUCCEEDED");
  const snapshot = (...commands: readonly unknown[]) => ({ ...good, commands }) as unknown as RunSnapshot;
  const kept = snapshot(running, done);
  expect(withoutCancellation(kept)).toBe(kept);
  expect(withoutCancellation(snapshot(running, cancel, stopped, done))).toEqual(kept);
  expect(withoutCancellation(snapshot(running, done, cancel))).toEqual(kept);
  expect(withoutCancellation(snapshot(running, stopped, done))).toEqual(kept);
});

test("an error tells ten of its problems, and nothing that a terminal would obey", () => {
  const problem = (path: string) => ({ code: "c", severity: "error", path, message: "no\u001b[2J" }) as const;
  const problems = Array.from({ length: 11 }, (_, index) => problem(`/${index}`));
  const error = new PipelineRunError("pipeline", "it\nis\u202e wrong", problems);
  expect(error.message.split("\n")).toEqual([
    "it",
    "is\\u{202e} wrong",
    ...problems.slice(0, 10).map(({ path }) => `  ${path}: no\\u{1b}[2J`),
  ]);
  expect([error.name, error.code, error.problems]).toEqual(["PipelineRunError", "pipeline", problems]);
  expect(new PipelineRunError("task", "none").message).toBe("none");
});

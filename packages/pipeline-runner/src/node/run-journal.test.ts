import files, { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { shellPipeline } from "../../test/shell-pipeline.js";
import type { RunCommand, RunSnapshot } from "../run-snapshot.js";
import { RunJournal } from "./run-journal.js";

const snapshot = (...commands: readonly RunCommand[]): RunSnapshot => {
  return { format: 1, pipeline: shellPipeline({ a: { run: "true" } }), options: {}, commands };
};
const cancel = (reason: string): RunCommand => ({ kind: "cancel", options: { reason } });

/** The files that are open, by their numbers. */
const open = new Set<number>();
let isFull = false;

beforeEach(() => {
  const { openSync, closeSync, writeSync } = files;
  const change = (calls: object): void => {
    Object.assign(files, calls);
    syncBuiltinESMExports();
  };
  open.clear();
  isFull = false;
  change({
    openSync: (path: string, flags: string) => {
      const file = openSync(path, flags);
      open.add(file);
      return file;
    },
    closeSync: (file: number) => {
      closeSync(file);
      open.delete(file);
    },
    writeSync: (file: number, bytes: Uint8Array, at: number) => {
      if (isFull) throw new Error("ENOSPC");
      // Systems need not take all at once.
      return writeSync(file, bytes, at, Math.min(100, bytes.length - at));
    },
  });
  onTestFinished(() => change({ openSync, closeSync, writeSync }));
});

test("a journal that says something else from now on has one file, and says that and what comes after it", () => {
  const folder = makeFolder();
  const journal = RunJournal.start(folder, snapshot(cancel("former")));
  // Somebody was killed while he did the same.
  writeFileSync(join(folder, "run.jsonl.part"), "half of it");
  journal.replace(snapshot(cancel("other"), cancel("one more")));
  journal.append(cancel("last"));
  expect(open.size).toBe(1);
  journal.close();
  expect([open.size, readdirSync(folder)]).toEqual([0, ["run.jsonl"]]);
  const resumed = RunJournal.resume(folder);
  resumed.journal.close();
  expect(resumed.snapshot.commands).toEqual([cancel("other"), cancel("one more"), cancel("last")]);
});

test("a journal that cannot say something else stays what it was, and goes on", () => {
  const folder = makeFolder();
  const journal = RunJournal.start(folder, snapshot(cancel("former")));
  isFull = true;
  expect(() => journal.replace(snapshot())).toThrow(/run\.jsonl cannot be written: .*ENOSPC/);
  expect([open.size, readdirSync(folder)]).toEqual([1, ["run.jsonl"]]);
  isFull = false;
  journal.append(cancel("last"));
  journal.close();
  const resumed = RunJournal.resume(folder);
  resumed.journal.close();
  expect([open.size, resumed.snapshot.commands]).toEqual([0, [cancel("former"), cancel("last")]]);
});

test("after a line that could not be written there is no other, for the same reason", () => {
  const folder = makeFolder();
  const journal = RunJournal.start(folder, snapshot());
  isFull = true;
  const append = () => journal.append(cancel("lost"));
  expect(append).toThrow(expect.objectContaining({ name: "PipelineRunError", code: "folder" }));
  isFull = false;
  expect(append).toThrow("ENOSPC; with resumeFrom the run goes on");
  journal.close();
  const resumed = RunJournal.resume(folder);
  resumed.journal.close();
  expect(resumed.snapshot.commands).toEqual([]);
});

test("paths keep the meaning that they had where the run was started", () => {
  const folder = makeFolder();
  const elsewhere = makeFolder();
  const { cwd } = process;
  onTestFinished(() => void Object.assign(process, { cwd }));
  Object.assign(process, { cwd: () => elsewhere });
  RunJournal.start(folder, snapshot()).close();
  Object.assign(process, { cwd });
  for (let time = 0; time < 2; time++) {
    const { journal } = RunJournal.resume(folder);
    expect(journal.startedIn).toBe(elsewhere);
    journal.replace(snapshot());
    journal.close();
  }
});

test("a journal that was removed says so, and takes nothing more", () => {
  const folder = makeFolder();
  const journal = RunJournal.start(folder, snapshot());
  rmSync(join(folder, "run.jsonl"));
  const message = `the journal ${join(folder, "run.jsonl")} was removed, or another process goes on with the run: it is given up here`;
  for (const reason of ["first", "second"])
    expect(() => journal.append(cancel(reason))).toThrow(expect.objectContaining({ message }));
  journal.close();
  expect(readdirSync(folder)).toEqual([]);
});

test("a journal with letters of several bytes goes on behind its last whole line", () => {
  const folder = makeFolder();
  RunJournal.start(folder, snapshot(cancel("größer als 数据"))).close();
  appendFileSync(join(folder, "run.jsonl"), '{"kind":"cancel","options":{"reason":"hälf');
  const { journal } = RunJournal.resume(folder);
  journal.append(cancel("last"));
  journal.close();
  const resumed = RunJournal.resume(folder);
  resumed.journal.close();
  expect(resumed.snapshot.commands).toEqual([cancel("größer als 数据"), cancel("last")]);
});

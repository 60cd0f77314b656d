import { randomUUID } from "node:crypto";
import files, { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { lockRun } from "./run-lock.js";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The folder of a run, and the place of its lock. */
function setUp(content?: string) {
  const folder = makeFolder();
  const lock = join(folder, "run.lock");
  if (content !== undefined) writeFileSync(lock, content);
  return { folder, lock };
}

/** Makes a file older, by the clock of the file system. */
function age(path: string, ms: number): void {
  const then = new Date(statSync(path).mtimeMs - ms);
  utimesSync(path, then, then);
}
const hour = 3_600_000;

const elsewhere = "1 5 @ another machine";

describe("the lock of a process that cannot be seen from here", () => {
  test.each([elsewhere, ""])("is kept for half a minute after its last beat: %j", (content) => {
    const { folder, lock } = setUp(content);
    age(lock, 15_000);
    expect(() => lockRun(folder)).toThrow("is working on the run in");
    expect(readFileSync(lock, "utf8")).toBe(content);
    age(lock, 16_000);
    lockRun(folder)();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is told of with where it is and when it was heard of", () => {
    const { folder, lock } = setUp(elsewhere);
    const told =
      /^a process in another container or on another machine \(1 of another machine, heard of \d+ s ago\) is working on the run in .*; if it is not, remove .*run\.lock$/;
    expect(() => lockRun(folder)).toThrow(
      expect.objectContaining({ code: "state", message: expect.stringMatching(told) }),
    );
    expect(readdirSync(folder)).toEqual(["run.lock"]);
    // Clocks of file systems may be ahead.
    age(lock, -hour);
    expect(() => lockRun(folder)).toThrow("heard of 0 s ago");
  });
});

test("what was left by who took the lock goes after a minute, and nothing else does", () => {
  const { folder } = setUp();
  const draft = () => `run.lock.${randomUUID()}`;
  const [young, old, others] = [
    draft(),
    draft(),
    [`run.lock.x${randomUUID()}`, "run.lock.old", `a.${draft()}`],
  ];
  for (const name of [young, old, ...others]) writeFileSync(join(folder, name), "");
  for (const name of others) age(join(folder, name), hour);
  age(join(folder, young), 30_000);
  age(join(folder, old), 61_000);
  lockRun(folder)();
  expect(readdirSync(folder).sort()).toEqual([young, ...others].sort());
});

describe("who has a lock", () => {
  test("writes it anew every five seconds, until it is given back", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { folder, lock } = setUp();
    const unlock = lockRun(folder);
    const content = readFileSync(lock, "utf8");
    const silence = () => Date.now() - statSync(lock).mtimeMs;
    for (let beat = 0; beat < 2; beat++) {
      age(lock, hour);
      vi.advanceTimersByTime(4999);
      expect(silence()).toBeGreaterThan(hour / 2);
      vi.advanceTimersByTime(1);
      expect(silence()).toBeLessThan(hour / 2);
    }
    expect(readFileSync(lock, "utf8")).toBe(content);
    unlock();
    expect([existsSync(lock), vi.getTimerCount()]).toEqual([false, 0]);
  });

  test("leaves it alone once it is another's", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { folder, lock } = setUp();
    const unlock = lockRun(folder);
    writeFileSync(lock, elsewhere);
    age(lock, hour);
    const before = statSync(lock).mtimeMs;
    vi.advanceTimersByTime(5000);
    expect([vi.getTimerCount(), statSync(lock).mtimeMs]).toEqual([0, before]);
    unlock();
    expect(readFileSync(lock, "utf8")).toBe(elsewhere);
  });

  test("may end without giving it back", () => {
    const start = vi.spyOn(globalThis, "setInterval");
    const unlock = lockRun(setUp().folder);
    const [beat] = start.mock.results;
    expect(beat?.type === "return" && beat.value.hasRef()).toBe(false);
    unlock();
  });
});

test("a lock that somebody else has taken over first is given back to him", () => {
  const { folder, lock } = setUp("999999999");
  const { renameSync } = files;
  const answer = (call: typeof renameSync): void => {
    files.renameSync = call;
    syncBuiltinESMExports();
  };
  onTestFinished(() => answer(renameSync));
  answer((from, to) => {
    // Another process was quicker, and lives.
    writeFileSync(lock, String(process.pid));
    renameSync(from, to);
    answer(renameSync);
  });
  expect(() => lockRun(folder)).toThrow(`process ${process.pid} is working on the run`);
  expect([readdirSync(folder), readFileSync(lock, "utf8")]).toEqual([["run.lock"], String(process.pid)]);
});

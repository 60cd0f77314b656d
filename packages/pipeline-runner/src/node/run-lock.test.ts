import { randomUUID } from "node:crypto";
import files, { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
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
/** Lets a call of the file system be another one until the test is over. */
function replace<K extends "openSync" | "readlinkSync" | "renameSync" | "rmSync" | "writeSync">(
  name: K,
  make: (usual: (typeof files)[K]) => unknown,
): void {
  const usual = files[name];
  const answer = (call: unknown): void => {
    Object.assign(files, { [name]: call });
    syncBuiltinESMExports();
  };
  answer(make(usual));
  onTestFinished(() => answer(usual));
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
    const found: string[] = [];
    replace("writeSync", (write) => (file: number, text: string, place: number) => {
      found.push(readFileSync(lock, "utf8"));
      return write(file, text, place);
    });
    for (let beat = 0; beat < 2; beat++) {
      age(lock, hour);
      vi.advanceTimersByTime(4999);
      expect(silence()).toBeGreaterThan(hour / 2);
      vi.advanceTimersByTime(1);
      expect(silence()).toBeLessThan(hour / 2);
    }
    // Who looks at it meanwhile never finds it empty.
    expect([...found, readFileSync(lock, "utf8")]).toEqual([content, content, content]);
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

describe("the lock of a process of which the system tells how it is", () => {
  const [pid, numbers] = [process.ppid, "1 ".repeat(18)];

  /** What becomes of the lock of a process that was started at 77. */
  function fateOf(stat: string | undefined, name = `${pid} 77`): string {
    const { folder } = setUp(name);
    const told = join(makeFolder(), "stat");
    if (stat !== undefined) writeFileSync(told, stat);
    replace("openSync", (open) => (path: string, flags: string) => {
      return open(path === `/proc/${pid}/stat` ? told : path, flags);
    });
    try {
      lockRun(folder)();
      return "is taken over";
    } catch (error) {
      return String(error).replace(/ on the run in .*/, "");
    }
  }
  const isKept = `PipelineRunError: process ${pid} is working`;

  test.each<[string, string | undefined, string]>([
    ["works", `${pid} (sh) S ${numbers}77 0`, isKept],
    ["is called by brackets and spaces", `${pid} (a) b (c) R ${numbers}77 0`, isKept],
    ["has ended, and whose parent has not asked how", `${pid} (sh) Z ${numbers}77 0`, "is taken over"],
    ["is dead", `${pid} (sh) X ${numbers}77 0`, "is taken over"],
    ["was started later, with the number of one before it", `${pid} (sh) S ${numbers}78 0`, "is taken over"],
    ["is not there", undefined, "is taken over"],
  ])("of one that %s", (_, stat, fate) => expect(fateOf(stat)).toBe(fate));

  test("is known by the number alone where the system has told no more", () => {
    expect([fateOf(undefined, `${pid}`), fateOf(`${pid} (sh) Z`, `${pid}`)]).toEqual([isKept, isKept]);
  });

  test.each(["0", "-1", "1.5", "no number"])("is nobody's when the number is none: %s", (name) => {
    expect(fateOf(undefined, name)).toBe("is taken over");
  });
});

test("a process is known by its machine, when that was started, and its container", () => {
  const [boot, container] = [join(makeFolder(), "boot_id"), "pid:[4026531836]"];
  writeFileSync(boot, "0b7f\n");
  const isBoot = (path: string) => path === "/proc/sys/kernel/random/boot_id";
  replace("openSync", (open) => (path: string, flags: string) => open(isBoot(path) ? boot : path, flags));
  replace("readlinkSync", () => () => container);
  const { folder, lock } = setUp();
  const unlock = lockRun(folder);
  const [, place] = readFileSync(lock, "utf8").split(" @ ");
  unlock();
  expect(place).toBe(`${hostname()} 0b7f ${container}`);
});

test("a lock that has been taken is held although its draft cannot be removed", () => {
  const { folder, lock } = setUp();
  replace("rmSync", () => () => {
    throw new Error("EROFS");
  });
  const unlock = lockRun(folder);
  expect(existsSync(lock)).toBe(true);
  unlock();
});

test("a lock that is taken over again and again is given up", () => {
  const { folder, lock } = setUp("999999999");
  let times = 0;
  replace("renameSync", (rename) => (from: string, to: string) => {
    times++;
    rename(from, to);
    // Another process was quicker, and is gone as well.
    writeFileSync(lock, "999999999");
  });
  expect(() => lockRun(folder)).toThrow(
    expect.objectContaining({
      code: "state",
      message: `the run in ${folder} is locked again and again by others`,
    }),
  );
  expect([times, readdirSync(folder)]).toEqual([10, ["run.lock"]]);
});

test("a lock that somebody else has taken over first is given back to him", () => {
  const { folder, lock } = setUp("999999999");
  let isFirst = true;
  replace("renameSync", (rename) => (from: string, to: string) => {
    // Another process was quicker, and lives.
    if (isFirst) writeFileSync(lock, String(process.pid));
    isFirst = false;
    rename(from, to);
  });
  expect(() => lockRun(folder)).toThrow(`process ${process.pid} is working on the run`);
  expect([readdirSync(folder), readFileSync(lock, "utf8")]).toEqual([["run.lock"], String(process.pid)]);
});

test("a process that lives here keeps its lock, however long it was stopped", () => {
  const { folder, lock } = setUp();
  const unlock = lockRun(folder);
  age(lock, hour);
  expect(() => lockRun(folder)).toThrow(`process ${process.pid} is working on the run`);
  unlock();
  expect(readdirSync(folder)).toEqual([]);
});

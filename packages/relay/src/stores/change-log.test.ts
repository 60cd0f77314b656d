import {
  appendFile,
  copyFile,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseItem, tombstone } from "@wye/flag-evaluator";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import { ChangeLog } from "./change-log.js";
import { fileStore } from "./file-store.js";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "relay-changes-"));
});
afterEach(() => rm(directory, { recursive: true }));

const never = new AbortController().signal;
const flag = (key: string, version: number, text = "") =>
  parseItem("flags", key, JSON.stringify({ key, version, text }));
const context = { environment: "prod", envId: undefined, filter: undefined, logger: silentLogger };
const store = () => fileStore({ directory })({ ...context, clock: createManualClock() });

async function paths() {
  const names = (await readdir(directory)).sort();
  const [file = "", log = ""] = names.map((name) => join(directory, name));
  return { names, file, log };
}

const first = [flag("a", 1, "é\n"), flag("b", 1)];

test("a change is written beside the file, which stays as it is", async () => {
  const own = store();
  await own.replace(first, never);
  const { file } = await paths();
  const before = await readFile(file);
  expect(await own.upsert([flag("a", 2), flag("b", 1), flag("c", 5, "é\n\u2028")], never)).toEqual([
    first[1],
  ]);
  await own.upsert([tombstone("flags", "b", 4)], never);
  expect((await paths()).names).toHaveLength(2);
  expect(await readFile(file)).toEqual(before);
  const now = [flag("a", 2), tombstone("flags", "b", 4), flag("c", 5, "é\n\u2028")];
  expect(await own.read(never)).toEqual(now);
  expect(await store().read(never)).toEqual(now);
  // What is not newer is not written either.
  const { size } = await stat((await paths()).log);
  await own.upsert([flag("a", 2), flag("b", 3)], never);
  expect((await stat((await paths()).log)).size).toBe(size);
});

test("a relay that starts anew goes on where the last one ended", async () => {
  await store().replace(first, never);
  for (let version = 2; version < 6; version++) await store().upsert([flag("a", version, "é")], never);
  const { names, log } = await paths();
  expect(names).toHaveLength(2);
  // The head, and a line for each.
  expect((await readFile(log, "utf8")).split("\n")).toHaveLength(1 + 4 + 1);
  expect(await store().read(never)).toEqual([flag("a", 5, "é"), first[1]]);
});

test("a whole set takes the place of the file and of the changes", async () => {
  const own = store();
  await own.replace(first, never);
  await own.upsert([flag("a", 9)], never);
  await own.replace(first, never);
  expect((await paths()).names).toHaveLength(1);
  expect(await store().read(never)).toEqual(first);
});

describe("changes that cannot be used, or only in part", () => {
  const damages: Record<string, { damage: (text: string) => string; left: number }> = {
    "cut in the last line": { damage: (text) => text.slice(0, -5), left: 2 },
    "cut behind the last line": { damage: (text) => text.slice(0, -1), left: 2 },
    "with one letter changed": { damage: (text) => text.replace("three", "thre3"), left: 2 },
    "with a line that is none": { damage: (text) => text.replace("\n", "\nx\n"), left: 1 },
    "of another file": { damage: (text) => text.replace(/"follows":"./, '"follows":"'), left: 1 },
    "of another layout": { damage: (text) => text.replace('"layout":1', '"layout":2'), left: 1 },
    "cut in the head": { damage: (text) => text.slice(0, 10), left: 1 },
    empty: { damage: () => "", left: 1 },
  };
  for (const [name, { damage, left }] of Object.entries(damages)) {
    test(name, async () => {
      const own = store();
      await own.replace(first, never);
      await own.upsert([flag("a", 2, "two")], never);
      await own.upsert([flag("a", 3, "three")], never);
      const { log } = await paths();
      await writeFile(log, damage(await readFile(log, "utf8")));
      const next = store();
      expect((await next.read(never))?.[0]?.version).toBe(left);
      // What follows is not lost behind what is broken.
      await next.upsert([flag("b", 7)], never);
      expect((await store().read(never))?.map(({ version }) => version)).toEqual([left, 7]);
    });
  }
});

test("changes that follow on another file are left alone", async () => {
  const own = store();
  await own.replace(first, never);
  await own.upsert([flag("a", 9)], never);
  const { log } = await paths();
  await copyFile(log, `${log}.old`);
  await own.replace([flag("a", 2)], never);
  // As if the process had ended between the two.
  await copyFile(`${log}.old`, log);
  expect(await store().read(never)).toEqual([flag("a", 2)]);
});

test("when somebody else has written meanwhile, everything is written anew", async () => {
  const [one, two] = [store(), store()];
  await one.replace(first, never);
  await one.upsert([flag("a", 2)], never);
  await two.read(never);
  await two.upsert([flag("b", 2)], never);
  // The changes are longer than it knows.
  await one.upsert([flag("a", 3)], never);
  expect((await store().read(never))?.find(({ key }) => key === "a")?.version).toBe(3);
  await two.replace([flag("z", 1)], never);
  // The file is another one.
  await one.upsert([flag("a", 4)], never);
  expect((await store().read(never))?.find(({ key }) => key === "a")?.version).toBe(4);
});

test("changes take as much as the file, and a mebibyte, at most", async () => {
  const own = store();
  await own.replace([flag("a", 1), flag("b", 1, "x".repeat(2_000_000))], never);
  const text = "y".repeat(100_000);
  let most = 0;
  for (let version = 2; version <= 60; version++) {
    await own.upsert([flag("a", version, text)], never);
    const { log } = await paths();
    most = Math.max(most, log === "" ? 0 : (await stat(log)).size);
  }
  expect(most).toBeGreaterThan(1_900_000);
  expect(most).toBeLessThan(2_400_000);
  expect((await store().read(never))?.[0]?.version).toBe(60);
});

test("an aborted change has no effect", async () => {
  const own = store();
  await own.replace(first, never);
  await own.upsert([flag("b", 2)], never);
  await expect(own.upsert([flag("a", 2)], AbortSignal.abort())).rejects.toThrow();
  expect(await store().read(never)).toEqual([first[0], flag("b", 2)]);
  await own.upsert([flag("a", 3)], never);
  expect((await store().read(never))?.map(({ version }) => version)).toEqual([3, 2]);
});

test("half a line that is longer than known is not added to", async () => {
  const own = store();
  await own.replace(first, never);
  await own.upsert([flag("a", 2)], never);
  await appendFile((await paths()).log, "half");
  await own.upsert([flag("a", 3)], never);
  expect((await store().read(never))?.[0]?.version).toBe(3);
});

test("what is no file is no empty one, and nothing is added to it, nor where one could not be removed", async () => {
  const path = join(directory, "changes");
  const log = new ChangeLog(path);
  expect(await log.read("of", never)).toEqual([]);
  await mkdir(path);
  await expect(log.read("of", never)).rejects.toMatchObject({ code: "EISDIR" });
  await expect(log.clear()).rejects.toMatchObject({ code: "ERR_FS_EISDIR" });
  await rm(path, { recursive: true });
  expect(await log.add([flag("a", 1)], "of", never)).toBe(false);
  await log.clear();
  expect(await log.add([flag("a", 1)], "of", never)).toBe(true);
  expect(await new ChangeLog(path).read("of", never)).toEqual([flag("a", 1)]);
});

type FileMethods = Pick<FileHandle, "appendFile" | "datasync" | "stat">;

/** What all open files do. */
async function fileMethods(): Promise<FileMethods> {
  const file = await open(join(directory, "other"), "w");
  await file.close();
  return Object.getPrototypeOf(file);
}

test("nothing is added to what was perhaps added in part, but to what was aborted before", async () => {
  const methods = await fileMethods();
  const log = new ChangeLog(join(directory, "changes"));
  await log.clear();
  const add = (signal = never) => log.add([flag("a", 1)], "of", signal);
  await expect(add(AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  expect(await add()).toBe(true);
  const append = vi.spyOn(methods, "appendFile").mockRejectedValueOnce(new Error("no room"));
  onTestFinished(() => append.mockRestore());
  await expect(add()).rejects.toThrow("no room");
  expect([await add(), append.mock.calls.length]).toEqual([false, 1]);
});

test("changes are their owner's alone, and outlive a loss of power", async () => {
  const path = join(directory, "changes");
  const methods = await fileMethods();
  const sizes: number[] = [];
  const datasync = vi.spyOn(methods, "datasync").mockImplementation(async function (this: FileMethods) {
    sizes.push((await this.stat()).size);
  });
  onTestFinished(() => datasync.mockRestore());
  const log = new ChangeLog(path);
  await log.clear();
  await log.add([flag("a", 1, "é")], "of", never);
  await log.add([flag("a", 2)], "of", never);
  expect(sizes).toHaveLength(2);
  expect([sizes[1], log.size]).toEqual([(await stat(path)).size, sizes[1]]);
  expect((await stat(path)).mode & 0o077).toBe(0);
});

test("no file stays open, whether something was added or not", async () => {
  const path = join(directory, "changes");
  const log = new ChangeLog(path);
  await log.read("of", never);
  const openFiles = async () => (await readdir("/dev/fd")).length;
  const before = await openFiles();
  for (let version = 1; version <= 20; version++)
    expect(await log.add([flag("a", version)], "of", never)).toBe(true);
  await expect(log.add([flag("a", 1)], "of", AbortSignal.abort())).rejects.toThrow();
  await appendFile(path, "x");
  expect(await log.add([flag("a", 21)], "of", never)).toBe(false);
  expect(await openFiles()).toBeLessThan(before + 10);
});

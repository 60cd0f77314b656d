import { execFileSync } from "node:child_process";
import files, { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { isOwn, isWithin, openOwn, readAt } from "./own-file.js";

/** Lets the system read three bytes at a time, and tells which files are open. */
function readSlowly(): ReadonlySet<number> {
  const { openSync, closeSync, readSync } = files;
  const open = new Set<number>();
  const change = (calls: object): void => {
    Object.assign(files, calls);
    syncBuiltinESMExports();
  };
  change({
    openSync: (path: string, flags: number) => {
      const file = openSync(path, flags);
      open.add(file);
      return file;
    },
    closeSync: (file: number) => {
      closeSync(file);
      open.delete(file);
    },
    readSync: (file: number, buffer: Uint8Array, offset: number, length: number, at: number) =>
      readSync(file, buffer, offset, Math.min(3, length), at),
  });
  onTestFinished(() => change({ openSync, closeSync, readSync }));
  return open;
}

test.each([
  [0, 10, "0123456789"],
  [4, 4, "4567"],
  [7, 10, "789"],
  [10, 2, ""],
  [0, 0, ""],
])("the bytes of a file from %i on, %i of them, are %j, however many come at once", (from, length, text) => {
  const path = join(makeFolder(), "file");
  writeFileSync(path, "0123456789");
  const open = readSlowly();
  const read = openOwn(path, (file, size) => [size, Buffer.from(readAt(file, from, length)).toString()]);
  expect([read, open.size]).toEqual([[10, text], 0]);
});

describe("what a task may have left", () => {
  /** A folder of a task beside another one. */
  function places() {
    const run = makeFolder();
    for (const name of ["own", "own/in", "other", "own-not"]) mkdirSync(join(run, name));
    for (const name of ["own/file", "own/in/file", "other/file", "own-not/file"])
      writeFileSync(join(run, name), "x");
    symlinkSync("file", join(run, "own/link"));
    symlinkSync("in", join(run, "own/in-link"));
    symlinkSync(join(run, "other/file"), join(run, "own/out"));
    symlinkSync("nothing", join(run, "own/nowhere"));
    execFileSync("mkfifo", [join(run, "own/pipe")]);
    return (name: string) => join(run, name);
  }

  test.each<[string, number | undefined]>([
    ["own/file", 1],
    ["own/link", 1],
    ["own/in/file", 1],
    ["own/nothing", undefined],
    ["own/nowhere", undefined],
  ])("is read where it is a file of its folder, if it is there: %s", (name, size) => {
    expect(openOwn(places()(name), (_, bytes) => bytes)).toBe(size);
  });

  test.each([
    ["own/in", "is no file: "],
    ["own/pipe", "is no file: "],
    ["own/in-link", "is no file: "],
    ["own/out", "is a link out of its folder: "],
  ])("is not read where it is something else: %s", (name, message) => {
    const path = places()(name);
    const open = readSlowly();
    expect(() => openOwn(path, () => "read")).toThrow(`${message}${path}`);
    expect(open.size).toBe(0);
  });

  test("leaves nothing open where reading fails", () => {
    const path = places()("own/file");
    const open = readSlowly();
    const fail = () => {
      throw new Error("too large");
    };
    expect(() => openOwn(path, fail)).toThrow("too large");
    expect(open.size).toBe(0);
  });

  test.each([
    ["own/file", true, true],
    ["own/in/file", true, true],
    ["own/link", true, true],
    ["own/out", false, false],
    ["own/nowhere", true, true],
    ["own", true, true],
    ["other/file", true, false],
    ["own-not", true, false],
    ["own-not/file", true, false],
  ])("is of its own folder, or in one: %s", (name, own, within) => {
    const place = places();
    expect([isOwn(place(name)), isWithin(place(name), place("own"))]).toEqual([own, within]);
  });
});

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { artifactStamp } from "./artifact-stamp.js";

/** A folder with files `0` to `count - 1`. */
async function folderOf(count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wye-stamp-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `${n}`), "text");
  return folder;
}

test("a folder with as many files as are looked at is the same until one of them changes", async () => {
  const folder = await folderOf(5);
  const before = await artifactStamp(folder, 5);
  expect(await artifactStamp(folder, 5)).toBe(before);
  await utimes(join(folder, "4"), 1, 1);
  expect(await artifactStamp(folder, 5)).not.toBe(before);
});

test("a folder with more files is never the same: the change may be in what is not looked at", async () => {
  const folder = await folderOf(6);
  const stamps = [await artifactStamp(folder, 5), await artifactStamp(folder, 5)];
  expect(new Set(stamps).size).toBe(2);
});

test("small files are told apart by what is in them too, larger ones by size and time alone", async () => {
  const folder = await folderOf(1);
  const file = join(folder, "0");
  const stampsOf = async (text: string) => {
    writeFileSync(file, text);
    await utimes(file, 1, 1);
    return [await artifactStamp(file), await artifactStamp(folder)];
  };
  const [largest, large] = [65_536, 65_537].map((size) => (letter: string) => letter.repeat(size));
  if (largest === undefined || large === undefined) expect.unreachable();
  const [one, other] = [await stampsOf("one"), await stampsOf("two")];
  expect(one.filter((stamp) => other.includes(stamp))).toEqual([]);
  expect(await stampsOf("one")).toEqual(one);
  const [last, changed] = [await stampsOf(largest("a")), await stampsOf(largest("b"))];
  expect(last.filter((stamp) => changed.includes(stamp))).toEqual([]);
  const [before, same] = [await stampsOf(large("a")), await stampsOf(large("b"))];
  expect(same).toEqual(before);
  const longer = await stampsOf(`${large("a")}a`);
  expect(before.filter((stamp) => longer.includes(stamp))).toEqual([]);
});

test("a file of the system that waits for news, to which a link leads, is not waited for", async () => {
  const folder = await folderOf(1);
  symlinkSync("/proc/kmsg", join(folder, "news"));
  expect(await artifactStamp(folder)).toBe(await artifactStamp(folder));
});

test("a large file that is written anew within the same second is another one", async () => {
  const folder = await folderOf(1);
  const file = join(folder, "0");
  writeFileSync(file, "a".repeat(65_537));
  await utimes(file, 1000, 1000.25);
  const before = await artifactStamp(file);
  await utimes(file, 1000, 1000.75);
  expect(await artifactStamp(file)).not.toBe(before);
});

/** A folder with these files, made in this order, all at the same time. */
async function folderWith(...names: readonly string[]): Promise<string> {
  const folder = await folderOf(0);
  mkdirSync(join(folder, "in"));
  for (const name of names) {
    writeFileSync(join(folder, name), "text");
    await utimes(join(folder, name), 1, 1);
  }
  return folder;
}

test("a folder is what is in it, in whichever order and whenever that was made", async () => {
  const [one, other] = [await folderWith("a", "b", "in/c", "d"), await folderWith("d", "in/c", "b", "a")];
  await utimes(other, 5, 5);
  await utimes(join(other, "in"), 5, 5);
  const before = await artifactStamp(one);
  expect(await artifactStamp(other)).toBe(before);
  for (const names of [["a", "b", "in/c"], ["a", "b", "in/d", "d"], ["a", "b", "in/c", "in/d"], []])
    expect(await artifactStamp(await folderWith(...names))).not.toBe(before);
});

test("a link in a folder is another one when it leads elsewhere, although there is the same", async () => {
  const folder = await folderWith("a", "b");
  symlinkSync("a", join(folder, "link"));
  const before = await artifactStamp(folder);
  rmSync(join(folder, "link"));
  symlinkSync("b", join(folder, "link"));
  expect(await artifactStamp(folder)).not.toBe(before);
});

test("links that lead back to where they are are gone through once", async () => {
  const folder = await folderWith("a", "in/b");
  for (const name of ["x", "y", "in/z"]) symlinkSync(folder, join(folder, name));
  const before = await artifactStamp(folder, 10);
  expect(await artifactStamp(folder, 10)).toBe(before);
  writeFileSync(join(folder, "in", "b"), "other");
  expect(await artifactStamp(folder, 10)).not.toBe(before);
});

test.each([
  ["a name that is too long", "x".repeat(300)],
  ["a link to itself", "round"],
])("what cannot be looked at is never the same: %s", async (_, name) => {
  const folder = await folderWith("a");
  symlinkSync("round", join(folder, "round"));
  const stamps = [await artifactStamp(join(folder, name)), await artifactStamp(join(folder, name))];
  expect(stamps).not.toContain(undefined);
  expect(new Set(stamps).size).toBe(2);
});

test("of what is elsewhere or not there nothing is looked at", async () => {
  const folder = await folderWith("a");
  const places = ["", "gs://bucket/key", join(folder, "none"), join(folder, "a/in")];
  expect(await Promise.all(places.map((place) => artifactStamp(place)))).toEqual([
    "elsewhere",
    "elsewhere",
    undefined,
    undefined,
  ]);
});

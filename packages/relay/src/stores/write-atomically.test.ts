import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDirectory } from "./make-directory.js";
import { writeAtomically } from "./write-atomically.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "relay-files-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("the file has all pieces, and nothing is beside it", async () => {
  const path = join(folder, "file");
  const { size } = await writeAtomically(
    path,
    [Buffer.from("a"), Buffer.from("b")],
    new AbortController().signal,
  );
  expect([size, await readFile(path, "utf8"), await readdir(folder)]).toEqual([2, "ab", ["file"]]);
});

test("what is aborted before its first piece, or after the last, has no effect", async () => {
  const path = join(folder, "file");
  await writeFile(path, "old");
  const given = new AbortController();
  given.abort(new Error("too late"));
  // Without a piece nothing looks at the signal before the end.
  for (const pieces of [[Buffer.from("new")], []])
    await expect(writeAtomically(path, pieces, given.signal)).rejects.toThrow();
  expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["old", ["file"]]);
});

test("a folder is made with those above it, once or twice, and not below a file", async () => {
  const path = join(folder, "a", "b", "c");
  await Promise.all([makeDirectory(path), makeDirectory(path)]);
  await makeDirectory(path);
  expect(await readdir(join(folder, "a", "b"))).toEqual(["c"]);
  await writeFile(join(folder, "file"), "");
  await expect(makeDirectory(join(folder, "file", "below"))).rejects.toThrow("ENOTDIR");
});

import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
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

test("the file is its owner's alone", async () => {
  const path = join(folder, "file");
  await writeAtomically(path, [], new AbortController().signal);
  expect((await stat(path)).mode & 0o077).toBe(0);
});

/** What this process has open below the folder. */
async function openFiles(): Promise<readonly string[]> {
  const names = await readdir("/proc/self/fd");
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
  return paths.filter((path) => path.startsWith(folder));
}

test.skipIf(process.platform !== "linux")("nothing stays open, whatever has happened", async () => {
  const path = join(folder, "file");
  await writeAtomically(path, [Buffer.from("a")], new AbortController().signal);
  await expect(writeAtomically(path, [], AbortSignal.abort(new Error("too late")))).rejects.toThrow();
  const piece = [Buffer.from("b")];
  await expect(writeAtomically(path, piece, AbortSignal.abort(new Error("too late")))).rejects.toThrow();
  expect(await openFiles()).toEqual([]);
});

test("the contents outlive a loss of power, and then the name", async () => {
  const file = await open(join(folder, "other"), "w");
  const methods: Pick<FileHandle, "sync" | "stat"> = Object.getPrototypeOf(file);
  await file.close();
  const synced: string[] = [];
  const sync = vi.spyOn(methods, "sync").mockImplementation(async function (this: typeof methods) {
    synced.push((await this.stat()).isDirectory() ? "folder" : `${(await readdir(folder)).length} files`);
  });
  onTestFinished(() => sync.mockRestore());
  await writeAtomically(join(folder, "file"), [Buffer.from("a")], new AbortController().signal);
  expect(synced).toEqual(["2 files", "folder"]);
});

test("a folder is made with those above it, once or twice, and not below a file", async () => {
  const path = join(folder, "a", "b", "c");
  await Promise.all([makeDirectory(path), makeDirectory(path)]);
  await makeDirectory(path);
  expect(await readdir(join(folder, "a", "b"))).toEqual(["c"]);
  await writeFile(join(folder, "file"), "");
  await expect(makeDirectory(join(folder, "file", "below"))).rejects.toThrow("ENOTDIR");
});

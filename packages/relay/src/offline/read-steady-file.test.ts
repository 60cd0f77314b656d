import { execFileSync } from "node:child_process";
import {
  appendFile,
  type FileHandle,
  mkdtemp,
  open,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readSteadyFile, stampOfFile } from "./read-steady-file.js";

const text = "0123456789";
const otherText = "9876543210";

/** A file of ten bytes and a time that `utimes` can put back, in a folder of its own. */
async function makeFile() {
  const folder = await mkdtemp(join(tmpdir(), "steady-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "file");
  await writeFile(path, text);
  await utimes(path, 1, 1);
  return { folder, path };
}

const changedAt = async (path: string) => (await stat(path, { bigint: true })).ctimeNs;

/** Counts in ticks, which may be longer than a test: goes on when a change would get another time than the last one of the file. */
async function nextTick({ folder, path }: { readonly folder: string; readonly path: string }) {
  const before = await changedAt(path);
  const probe = join(folder, "probe");
  do await writeFile(probe, text);
  while ((await changedAt(probe)) <= before);
}

/** What every open file has its functions from, to look at them and to put others in their place. */
async function prototypeOfHandles(path: string): Promise<FileHandle> {
  const handle = await open(path);
  await handle.close();
  return Object.getPrototypeOf(handle);
}

test.each<[string, (file: { readonly folder: string; readonly path: string }) => Promise<void>]>([
  ["has other bytes of the same number", ({ path }) => writeFile(path, otherText)],
  ["has more bytes", ({ path }) => appendFile(path, "0")],
  ["has fewer bytes", ({ path }) => truncate(path, 9)],
  ["has another time", ({ path }) => utimes(path, 2, 2)],
  [
    "has other bytes of the same number and had its time put back",
    async ({ path }) => {
      await writeFile(path, otherText);
      await utimes(path, 1, 1);
    },
  ],
  [
    "was replaced by one of the same size and time",
    async ({ folder, path }) => {
      const other = join(folder, "other");
      await writeFile(other, otherText);
      await utimes(other, 1, 1);
      await rename(other, path);
    },
  ],
  [
    "became a link to one of the same size and time",
    async ({ folder, path }) => {
      const other = join(folder, "other");
      await writeFile(other, otherText);
      await utimes(other, 1, 1);
      await rm(path);
      await symlink(other, path);
    },
  ],
])("a file that %s has another stamp, with its contents and without", async (_, change) => {
  const file = await makeFile();
  const before = await stampOfFile(file.path);
  expect(await readSteadyFile(file.path, 10)).toEqual({ bytes: Buffer.from(text), stamp: before });
  await nextTick(file);
  expect(await stampOfFile(file.path)).toBe(before);
  await change(file);
  const after = await stampOfFile(file.path);
  expect(after).not.toBe(before);
  expect((await readSteadyFile(file.path, 11)).stamp).toBe(after);
});

const stats = { dev: 1n, ino: 1n, size: 10n, mtimeNs: 1n, ctimeNs: 1n };

test.each(Object.keys(stats))("a file with another %s than before it was read is refused", async (field) => {
  const { path } = await makeFile();
  const given = [stats, { ...stats, [field]: 2n }].map((one) => ({ ...one, isFile: () => true }));
  const prototype = await prototypeOfHandles(path);
  const looked = vi.spyOn(prototype, "stat").mockImplementation(async () => given.shift() as never);
  onTestFinished(() => looked.mockRestore());
  await expect(readSteadyFile(path, 10)).rejects.toThrow("it was changed while it was read");
});

test("a file that grows while it is read is refused, and its next reading has all of it", async () => {
  const { path } = await makeFile();
  const prototype = await prototypeOfHandles(path);
  const { readFile } = prototype;
  const reading = vi.spyOn(prototype, "readFile").mockImplementationOnce(async function (this: FileHandle) {
    const bytes = await readFile.call(this);
    await appendFile(path, "x");
    return bytes as never;
  });
  onTestFinished(() => reading.mockRestore());
  await expect(readSteadyFile(path, 100)).rejects.toThrow("it was changed while it was read");
  expect(String((await readSteadyFile(path, 100)).bytes)).toBe(`${text}x`);
});

test.each<[string, string, number, string]>([
  ["a file of as many bytes as it may have", "file", 10, text],
  ["a file of a byte more", "file", 9, "Error: it has 10 bytes, and maxBytes is 9"],
  ["a folder", ".", 10, "Error: it is no regular file"],
  ["a pipe into which nobody writes", "pipe", 10, "Error: it is no regular file"],
])("%s gives what is told, and is closed behind it", async (_, name, maxBytes, says) => {
  const { folder, path } = await makeFile();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const prototype = await prototypeOfHandles(path);
  const looked = vi.spyOn(prototype, "stat");
  onTestFinished(() => looked.mockRestore());
  const outcome = await readSteadyFile(join(folder, name), maxBytes).then(
    ({ bytes }) => String(bytes),
    String,
  );
  expect(outcome).toBe(says);
  // An open file has a number of its own.
  expect(new Set((looked.mock.contexts as FileHandle[]).map(({ fd }) => fd))).toEqual(new Set([-1]));
});

test("what is no file has no stamp, and what is not there says so", async () => {
  const { folder } = await makeFile();
  await expect(stampOfFile(folder)).rejects.toThrow("it is no regular file");
  await expect(stampOfFile(join(folder, "gone"))).rejects.toThrow("ENOENT");
});

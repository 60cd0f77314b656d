import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseItem, tombstone } from "@wye/flag-evaluator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStoreContext } from "../testing/store-context.js";
import { fileStore } from "./file-store.js";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "relay-store-"));
});
afterEach(() => rm(directory, { recursive: true }));

const never = new AbortController().signal;
const flag = (version: number) => parseItem("flags", "a", JSON.stringify({ key: "a", version }));

/** What is in the folder, and which files these are. */
async function contents(): Promise<Record<string, unknown>> {
  const names = (await readdir(directory)).sort();
  const look = async (name: string) => {
    const path = join(directory, name);
    return [name, [(await stat(path)).ino, await readFile(path, "utf8")]] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(look)));
}

test("what is known already changes nothing on disk, before and after other changes", async () => {
  const store = fileStore({ directory })(createStoreContext());
  await store.replace([flag(5)], never);
  const known = [flag(5), flag(4), tombstone("flags", "a", 3)];
  for (const version of [5, 6]) {
    const before = await contents();
    expect(Object.keys(before)).toHaveLength(version === 5 ? 1 : 2);
    expect(await store.upsert([], never)).toEqual([]);
    for (const item of known) expect(await store.upsert([item], never)).toEqual([flag(version)]);
    expect(await store.upsert(known, never)).toEqual(known.map(() => flag(version)));
    expect(await contents()).toEqual(before);
    await store.upsert([flag(6)], never);
  }
});

test("what another environment has left is gone at once, and what that one writes afterwards is not read", async () => {
  const context = createStoreContext();
  const before = fileStore({ directory })(context);
  await before.replace([flag(1)], never);
  const [name = ""] = await readdir(directory);
  const path = join(directory, name);
  const store = fileStore({ directory })({ ...context, isStale: true });
  expect(existsSync(path)).toBe(false);
  await before.replace([flag(2)], never);
  expect(await store.read(never)).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  await store.replace([flag(3)], never);
  expect(await fileStore({ directory })(context).read(never)).toEqual([flag(3)]);
});

test("changes beside a small file take a mebibyte before it is written anew", async () => {
  const store = fileStore({ directory })(createStoreContext());
  await store.replace([flag(1)], never);
  const [name = ""] = await readdir(directory);
  const written = async () => (await stat(join(directory, name))).ino;
  const first = await written();
  const text = "x".repeat(100_000);
  const files: number[] = [];
  for (let version = 2; version <= 13; version++) {
    await store.upsert([parseItem("flags", "a", JSON.stringify({ version, text }))], never);
    files.push(await written());
  }
  expect(files.map((ino) => ino === first)).toEqual([...Array(11).fill(true), false]);
});

test("keys are written beside whatever is kept, a full set or not, and not where nothing is", async () => {
  let keys = ["first"];
  const store = fileStore({ directory })(createStoreContext({ keyDigests: () => keys }));
  await store.noteKeys?.(never);
  expect(await readdir(directory)).toEqual([]);
  await store.upsert([flag(1)], never);
  keys = ["second"];
  await store.noteKeys?.(never);
  const [name = ""] = await readdir(directory);
  const [head = ""] = (await readFile(join(directory, name), "utf8")).split("\n");
  expect(JSON.parse(head)).toMatchObject({ complete: false, keys });
});

test("what is kept is read where it is known not to be of others", async () => {
  await fileStore({ directory })(createStoreContext()).replace([flag(1)], never);
  const store = fileStore({ directory })(createStoreContext({ isStale: false }));
  expect(await store.read(never)).toEqual([flag(1)]);
});

test("a key that has come while the relay was away is written beside those that were there", async () => {
  const of = (keys: readonly string[]) =>
    fileStore({ directory })(createStoreContext({ keyDigests: () => keys }));
  await of(["first"]).replace([flag(1)], never);
  const store = of(["second", "first"]);
  expect(await store.read(never)).toEqual([flag(1)]);
  await store.noteKeys?.(never);
  expect(await of(["second"]).read(never)).toEqual([flag(1)]);
});

test("the name of a file begins with up to forty letters of the environment's", async () => {
  const store = fileStore({ directory })(createStoreContext({ environment: `Prod / EU ${"x".repeat(60)}` }));
  await store.replace([], never);
  expect(await readdir(directory)).toEqual([expect.stringMatching(/^prod-eu-x{32}-[0-9a-f]{16}\.flags$/)]);
});

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

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseItem } from "@wye/relay";
import { createStoreContext, type StoreContextOptions } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "./config/load-config.js";
import { storesFrom } from "./databases.js";

const never = new AbortController().signal;

test("a worker that keeps nothing takes no flags out of the folder either, whoever they were of", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "workers-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const { config } = await loadConfig({ cwd, readText: async () => "[Wye]\ndataFolder = data\n" });
  const storeOf = async (worker: number, options: StoreContextOptions) => {
    const { store } = await storesFrom(config, cwd, () => config, worker);
    if (store === undefined) throw new Error("there is no store");
    return store(createStoreContext(options));
  };
  // The environment begins anew in both, in the first one earlier.
  const anew = { isStale: true, keyDigests: () => ["second"] };
  const first = await storeOf(1, anew);
  const items = [parseItem("flags", "a", '{"version":1}')];
  await first.replace(items, never);
  const other = await storeOf(2, anew);
  expect(await other.read(never)).toBeUndefined();
  await other.replace([], never);
  await other.noteKeys?.(never);
  expect(await other.upsert(items, never)).toEqual([]);
  await other.close();
  expect(await readdir(join(cwd, "data"))).toHaveLength(1);
  const again = await storeOf(2, { keyDigests: () => ["second"] });
  expect(await again.read(never)).toEqual(items);
});

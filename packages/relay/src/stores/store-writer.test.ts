import { compileFlags, parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import type { FlagStore } from "./flag-store.js";
import { memoryStore } from "./memory-store.js";
import { createStoreWriter } from "./store-writer.js";

/** A store that can be told to fail. */
function createFailingStore() {
  const kept = memoryStore({ environment: "test", logger: silentLogger });
  let failing = false;
  const guard = <Result>(run: () => Promise<Result>): Promise<Result> =>
    failing ? Promise.reject(new Error("no disk")) : run();
  const store: FlagStore = {
    read: () => guard(() => kept.read()),
    replace: (data) => guard(() => kept.replace(data)),
    upsert: (item) => guard(() => kept.upsert(item)),
    close: () => kept.close(),
  };
  return { store, kept, fail: (value: boolean) => (failing = value) };
}

const item = (version: number) => parseItem("flags", "a", `{"version":${version}}`);
const data = (version: number) => compileFlags({}).apply(put(version));
const put = (version: number) => ({ extent: "full", items: [item(version)] }) as const;
const patch = (version: number) => ({ extent: "partial", items: [item(version)] }) as const;
const start = 1_700_000_000_000;

test("a failed write is made up for with the whole set, and the status tells since when", async () => {
  const { store, kept, fail } = createFailingStore();
  const clock = createManualClock(start);
  const writer = createStoreWriter(store, clock, silentLogger);
  await writer.write(put(1), data(1));
  expect(writer.status).toEqual({ state: "VALID", stateSince: start });
  fail(true);
  clock.advance(5);
  await writer.write(patch(2), data(2));
  expect(writer.status).toEqual({ state: "INTERRUPTED", stateSince: start + 5 });
  await writer.write(patch(3), data(3));
  expect(await writer.read()).toBeUndefined();
  fail(false);
  clock.advance(1000);
  expect(await writer.read()).toMatchObject([{ key: "a", version: 3 }]);
  expect(await kept.read()).toMatchObject([{ key: "a", version: 3 }]);
  expect(writer.status).toEqual({ state: "VALID", stateSince: start + 1005 });
  expect(clock.pending).toBe(0);
});

test("after close nothing is written and nothing is scheduled", async () => {
  const { store, kept, fail } = createFailingStore();
  const clock = createManualClock(start);
  const writer = createStoreWriter(store, clock, silentLogger);
  fail(true);
  await writer.write(put(1), data(1));
  await writer.close();
  fail(false);
  clock.advance(5000);
  await writer.write(patch(2), data(2));
  expect(await kept.read()).toBeUndefined();
  expect(clock.pending).toBe(0);
});

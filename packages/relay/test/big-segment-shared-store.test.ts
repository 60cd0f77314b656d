import { expect, test } from "vitest";
import type { BigSegmentStore } from "../src/big-segments/big-segment-store.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import {
  contentsOf,
  context,
  historyOf,
  modelOf,
  type Running,
  startSynchronizer,
} from "./start-synchronizer.js";

/** A database that can be emptied, or brought back to what it was. */
function replaceableStore(): BigSegmentStore & { restore(store: BigSegmentStore): void } {
  let inner = memoryBigSegmentStore(context);
  return {
    cursor: (signal) => inner.cursor(signal),
    apply: (patch, signal) => inner.apply(patch, signal),
    synchronizedOn: (signal) => inner.synchronizedOn(signal),
    setSynchronizedOn: (timeMs, signal) => inner.setSynchronizedOn(timeMs, signal),
    memberships: (hash, signal) => inner.memberships(hash, signal),
    close: async () => {},
    restore(store) {
      inner = store;
    },
  };
}

const { signal } = new AbortController();
const none = { add: [], remove: [] };

/** Takes steps into a store as another relay does. */
async function takeElsewhere(store: BigSegmentStore, steps: ReturnType<typeof historyOf>): Promise<void> {
  for (const { changes: _, environmentId: __, ...step } of steps)
    await store.apply({ ...step, included: none, excluded: none }, signal);
}

test("a database that was emptied is filled before anybody says that it is in step, and streams are told", async () => {
  const store = replaceableStore();
  const running = await startSynchronizer({ store, history: historyOf(5) });
  await running.until(() => running.synchronizedOn() !== undefined);
  const changes = running.changes();
  expect(running.isInStep()).toBe(true);
  const synchronized = running.synchronizedOn();
  const empty = memoryBigSegmentStore(context);
  store.restore({
    ...empty,
    async setSynchronizedOn(timeMs) {
      expect(await contentsOf(empty)).toEqual(modelOf(running.upstream.history));
      expect(running.isInStep()).toBe(false);
      await empty.setSynchronizedOn(timeMs, signal);
    },
  });
  await running.until(() => running.synchronizedOn() !== synchronized);
  expect(await empty.cursor(signal)).toBe("v5");
  expect(running.changes()).toBeGreaterThan(changes);
  expect(running.told).toEqual([]);
});

/** What a database has after so many steps. */
async function storeAfter(steps: number): Promise<BigSegmentStore> {
  const store = memoryBigSegmentStore(context);
  const running = await startSynchronizer({ store, history: historyOf(steps) });
  await running.until(() => running.synchronizedOn() !== undefined);
  await running.stop();
  return store;
}

/** A synchroniser in step, whose stream is silent. */
async function startSilent(steps: number): Promise<Running & { restore(store: BigSegmentStore): void }> {
  const store = replaceableStore();
  const running = await startSynchronizer({ store, history: historyOf(steps) });
  await running.until(() => running.upstream.streams === 1 && running.synchronizedOn() !== undefined);
  return { ...running, restore: store.restore };
}

test("a database that was brought back to an earlier state catches up within five seconds", async () => {
  const running = await startSilent(5);
  const backup = await storeAfter(2);
  const changes = running.changes();
  running.restore(backup);
  running.clock.advance(5000);
  while ((await backup.cursor(signal)) !== "v5") await new Promise(setImmediate);
  expect(await contentsOf(backup)).toEqual(modelOf(running.upstream.history));
  expect(running.changes()).toBeGreaterThan(changes);
  while (running.isBehind()) await new Promise(setImmediate);
  expect(running.told).toEqual([]);
});

test.each([
  ["is behind", "was brought back to an earlier state", async () => await storeAfter(2), true],
  ["is behind", "was emptied", async () => memoryBigSegmentStore(context), true],
  ["is not behind", "another relay has brought further", async () => await storeAfter(9), false],
])("while upstream cannot be asked a database %s that %s", async (_, __, makeStore, isBehind) => {
  const running = await startSilent(5);
  running.upstream.fail(500, 1_000_000);
  const other = await makeStore();
  const before = running.changes();
  running.restore(other);
  await running.until(() => running.changes() > before);
  expect(running.isBehind()).toBe(isBehind);
  // Another relay, which can ask, catches up.
  const after = running.changes();
  running.restore(await storeAfter(5));
  await running.until(() => running.changes() > after);
  expect(running.isBehind()).toBe(false);
});

test("a database that was brought back lacks nothing when upstream was as well", async () => {
  const store = replaceableStore();
  const running = await startSynchronizer({ store, history: historyOf(5) });
  await running.until(() => running.isInStep() && running.upstream.streams === 1);
  store.restore(await storeAfter(3));
  running.upstream.history.splice(3);
  await running.until(() => !running.isInStep());
  await running.until(() => running.isInStep());
  expect([running.isBehind(), running.told]).toEqual([false, []]);
});

test("a database that answers again is looked at without a pause", async () => {
  const running = await startSilent(5);
  running.restore({ ...(await storeAfter(5)), cursor: () => Promise.reject(new Error("no disk")) });
  await running.until(() => running.told.length > 0);
  const backup = await storeAfter(2);
  running.restore(backup);
  running.wake();
  while ((await backup.cursor(signal)) !== "v5") await new Promise(setImmediate);
  expect(running.told).toEqual(["big segments: no disk; trying again"]);
});

test("steps that another relay has taken are changes for the streams of this one, and nothing to complain about", async () => {
  const store = memoryBigSegmentStore(context);
  // Whatever this relay is told, another one has just done.
  let other: BigSegmentStore["apply"] | undefined;
  const running = await startSynchronizer({
    store: {
      ...store,
      async apply(patch, until) {
        await other?.(patch, until);
        return await store.apply(patch, until);
      },
    },
  });
  const { upstream } = running;
  await running.until(() => upstream.streams === 1 && running.synchronizedOn() !== undefined);
  other = store.apply;
  for (const patch of historyOf(4)) {
    const before = running.changes();
    upstream.history.push(patch);
    upstream.stream([patch]);
    await running.until(() => running.changes() > before);
    expect(await store.cursor(signal)).toBe(patch.version);
  }
  const polls = upstream.requests.length;
  const synchronized = running.synchronizedOn();
  await running.until(() => running.synchronizedOn() !== synchronized);
  expect(running.told).toEqual([]);
  expect(upstream.requests).toHaveLength(polls);
});

test("steps that another relay has left behind already are no gap, nothing to complain about, and cost no pause", async () => {
  const store = memoryBigSegmentStore(context);
  const history = historyOf(12);
  const running = await startSynchronizer({
    store: {
      ...store,
      // Whatever this relay begins with, another one has done all of it.
      async apply(patch, until) {
        await takeElsewhere(store, history.slice(0, 11));
        return await store.apply(patch, until);
      },
    },
  });
  const { upstream, clock } = running;
  await running.until(() => upstream.streams === 1 && running.synchronizedOn() !== undefined);
  const since = clock.now();
  upstream.history.push(...history);
  for (const patch of history) upstream.stream([patch]);
  while ((await store.cursor(signal)) !== "v12") await new Promise((resolve) => setImmediate(resolve));
  expect(running.told).toEqual([]);
  expect(clock.now()).toBe(since);
});

test("a step that was lacking is no longer so when another relay has left it behind", async () => {
  const store = memoryBigSegmentStore(context);
  const running = await startSynchronizer({ store, history: historyOf(1) });
  const { upstream, told } = running;
  await running.until(() => upstream.streams === 1 && running.isInStep());
  const history = historyOf(5);
  upstream.stream(history.slice(2, 3));
  await running.until(() => told.length === 2);
  expect([running.isInStep(), running.isBehind()]).toEqual([false, true]);
  await takeElsewhere(store, history.slice(1));
  upstream.history.push(...history.slice(1));
  await running.until(() => running.isInStep());
  expect(running.isBehind()).toBe(false);
  expect(told).toEqual([
    'big segments: a patch begins at "v2", not at the latest version; skipping',
    'big segments: upstream has nothing that leads to "v3" yet; trying again',
  ]);
});

test("another relay may be ahead by hundreds of steps", async () => {
  const store = memoryBigSegmentStore(context);
  const running = await startSynchronizer({ store, history: historyOf(1), pageSize: 100 });
  const { upstream, told } = running;
  await running.until(() => upstream.streams === 1 && running.isInStep());
  const history = historyOf(900);
  await takeElsewhere(store, history.slice(1));
  upstream.history.push(...history.slice(1));
  const since = running.clock.now();
  upstream.stream(history.slice(1, 2));
  await running.until(() => (running.synchronizedOn() ?? 0) > since);
  expect([told, running.isBehind(), upstream.streams]).toEqual([[], false, 1]);
});

test("what another relay did while upstream was silent here is noticed", async () => {
  const store = memoryBigSegmentStore(context);
  const running = await startSynchronizer({ store });
  await running.until(() => running.upstream.streams === 1 && running.synchronizedOn() !== undefined);
  const [patch] = historyOf(1);
  if (patch === undefined) throw new Error("too few");
  running.upstream.history.push(patch);
  const before = running.changes();
  const lists = { add: [], remove: [] };
  const included = { add: patch.changes.included?.add ?? [], remove: patch.changes.included?.remove ?? [] };
  await store.apply({ ...patch, included, excluded: lists }, signal);
  await running.until(() => running.changes() > before);
});

for (let seed = 1; seed <= 20; seed++) {
  test(`two relays on one database end with the memberships of upstream (seed ${seed})`, async () => {
    const store = memoryBigSegmentStore(context);
    const one = await startSynchronizer({ store, pageSize: 1 + (seed % 4) });
    const two = await startSynchronizer({ store, pageSize: 1 + (seed % 3) });
    const history = historyOf(5 + seed);
    for (const [index, patch] of history.entries()) {
      for (const { upstream } of [one, two]) upstream.history.push(patch);
      const [first, second] = (index * seed) % 3 === 0 ? [two, one] : [one, two];
      first.upstream.stream([patch]);
      if ((index + seed) % 4 === 0) second.upstream.drop();
      else second.upstream.stream([patch]);
      one.clock.advance((index * seed * 977) % 20_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const last = history.at(-1)?.version;
    const changes = [one.changes(), two.changes()];
    await one.until(async () => (await store.cursor(signal)) === last);
    expect(await contentsOf(store)).toEqual(modelOf(history));
    for (const [index, relay] of [one, two].entries()) {
      const since = relay.clock.now();
      await relay.until(() => (relay.synchronizedOn() ?? 0) >= since);
      expect(relay.changes()).toBeGreaterThanOrEqual(changes[index] ?? 0);
      expect(relay.changes()).toBeGreaterThan(0);
    }
  });
}

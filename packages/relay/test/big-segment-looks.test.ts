import { expect, test } from "vitest";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import { contentsOf, context, historyOf, modelOf, startSynchronizer } from "./start-synchronizer.js";

const never = new Promise<never>(() => {});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

/** A synchroniser in step, which is looking where its store stands; that is answered, with what was so then, when the test says so. */
async function startLooking() {
  const memory = memoryBigSegmentStore(context);
  let isHeld = false;
  let isTaking = true;
  let release: (() => void) | undefined;
  const running = await startSynchronizer({
    history: historyOf(1),
    store: {
      ...memory,
      apply: (patch, signal) => (isTaking ? memory.apply(patch, signal) : never),
      async cursor(signal) {
        const cursor = await memory.cursor(signal);
        if (isHeld)
          await new Promise<void>((resolve) => {
            isHeld = false;
            release = resolve;
          });
        return cursor;
      },
    },
  });
  const { upstream, until } = running;
  await until(() => upstream.streams === 1 && running.isInStep());
  isHeld = true;
  await until(() => release !== undefined);
  const takeNothing = () => {
    isTaking = false;
  };
  return { ...running, memory, takeNothing, answer: () => release?.() };
}

test("a step that comes while it is looked where the store stands is taken afterwards: nobody takes it for one that went back", async () => {
  const { upstream, memory, until, answer, changes, isInStep, isBehind, told, clock } = await startLooking();
  const before = changes();
  const history = historyOf(2);
  upstream.history.push(...history.slice(1));
  upstream.stream(history.slice(1));
  await turns();
  answer();
  await until(async () => (await contentsOf(memory)).join() === modelOf(history).join());
  const since = clock.now();
  await until(() => clock.now() - since > 10_000);
  expect([changes() - before, isInStep(), isBehind(), told]).toEqual([1, true, false, []]);
});

test("upstream is not asked again before it is known where the store stands, and the look leaves no timer behind", async () => {
  const { upstream, until, answer, stop, clock, isInStep } = await startLooking();
  const { length } = upstream.requests;
  upstream.drop();
  await expect.poll(() => upstream.streams).toBe(0);
  for (let time = 0; time < 4; time++) {
    await turns();
    clock.advance(5000);
  }
  expect(upstream.requests).toHaveLength(length);
  answer();
  await until(() => upstream.streams === 1 && isInStep());
  await stop();
  expect(clock.pending).toBe(0);
});

test("the end does not wait for a store that takes nothing, when a step was about to be taken", async () => {
  const { upstream, takeNothing, stop, clock, changes, isBehind } = await startLooking();
  const history = historyOf(2);
  const before = changes();
  takeNothing();
  upstream.history.push(...history.slice(1));
  upstream.stream(history.slice(1));
  await turns();
  await stop();
  expect([clock.pending, changes() - before, isBehind()]).toEqual([0, 0, false]);
});

/** A synchroniser whose store counts how often it was asked, and takes steps when the test says so. */
async function startCounting() {
  const memory = memoryBigSegmentStore(context);
  const counts = { looks: 0, told: 0 };
  let taking: Promise<void> = Promise.resolve();
  const running = await startSynchronizer({
    history: historyOf(1),
    store: {
      ...memory,
      cursor(signal) {
        counts.looks++;
        return memory.cursor(signal);
      },
      async apply(patch, signal) {
        await taking;
        return await memory.apply(patch, signal);
      },
      setSynchronizedOn(timeMs, signal) {
        counts.told++;
        return memory.setSynchronizedOn(timeMs, signal);
      },
    },
  });
  // No time has to pass for that.
  await expect.poll(() => running.upstream.streams === 1 && running.isInStep()).toBe(true);
  await turns();
  return {
    ...running,
    counts,
    /** What was asked in so many seconds. */
    async during(seconds: number) {
      Object.assign(counts, { looks: 0, told: 0 });
      for (let passed = 0; passed < seconds; passed += 5) {
        running.clock.advance(5000);
        await turns();
      }
      return counts;
    },
    hold() {
      let release = () => {};
      taking = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

test("where the store stands is looked at every five seconds, and it is told every thirty that it is in step", async () => {
  const { during } = await startCounting();
  expect(await during(60)).toEqual({ looks: 12, told: 2 });
});

test("a step that was taken puts the store in step at that moment, and the looks go on behind it", async () => {
  const { during, upstream, counts } = await startCounting();
  await during(10);
  const history = historyOf(2);
  upstream.history.push(...history.slice(1));
  upstream.stream(history.slice(1));
  await expect.poll(() => counts.told).toBe(1);
  await turns();
  expect(await during(60)).toEqual({ looks: 12, told: 2 });
});

test("nobody looks while a step is taken, however long that lasts", async () => {
  const { during, upstream, hold, counts, changes, told } = await startCounting();
  const release = hold();
  const before = changes();
  const history = historyOf(2);
  upstream.history.push(...history.slice(1));
  upstream.stream(history.slice(1));
  await turns();
  expect(await during(20)).toEqual({ looks: 0, told: 0 });
  release();
  await expect.poll(() => counts.told).toBe(1);
  expect([changes() - before, told]).toEqual([1, []]);
});

test("a step that is behind what upstream was asked for is done, and no reason to begin anew", async () => {
  const running = await startSynchronizer({ history: historyOf(1) });
  const { upstream, until, told, isBehind, store, clock } = running;
  await until(() => upstream.streams === 1 && running.isInStep());
  const history = historyOf(4);
  upstream.history.push(...history.slice(1));
  const since = clock.now();
  upstream.stream(history.slice(2, 3));
  await until(() => (running.synchronizedOn() ?? 0) > since);
  expect(await contentsOf(store)).toEqual(modelOf(history));
  expect(told).toEqual(['big segments: a patch begins at "v2", not at the latest version; skipping']);
  expect([upstream.streams, isBehind()]).toEqual([1, false]);
});

test("steps that others have taken are asked about once, and change nothing", async () => {
  const running = await startSynchronizer({ history: historyOf(1) });
  const { upstream, until, changes, told, store } = running;
  await until(() => upstream.streams === 1 && running.isInStep());
  const history = historyOf(5);
  upstream.history.push(...history.slice(1));
  const lists = (of?: { readonly add?: readonly string[]; readonly remove?: readonly string[] }) => ({
    add: of?.add ?? [],
    remove: of?.remove ?? [],
  });
  const { signal } = new AbortController();
  for (const { changes: all, ...patch } of history.slice(1))
    await store.apply({ ...patch, included: lists(all.included), excluded: lists(all.excluded) }, signal);
  // That is found by a look.
  await until(() => upstream.requests.at(-1) === "/sdk/big-segments/revisions?after=v5 sdk-key");
  await turns();
  const [before, { length }] = [changes(), upstream.requests];
  for (const number of [3, 4, 3]) {
    upstream.stream(history.slice(number - 1, number));
    await expect.poll(() => upstream.requests.length).toBe(length + 1);
    await turns();
  }
  expect(upstream.requests.slice(length)).toEqual(["/sdk/big-segments/revisions?after=v3 sdk-key"]);
  expect([changes(), told, upstream.streams]).toEqual([before, [], 1]);
});

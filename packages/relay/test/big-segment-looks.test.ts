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
  const { upstream, takeNothing, stop, clock } = await startLooking();
  const history = historyOf(2);
  takeNothing();
  upstream.history.push(...history.slice(1));
  upstream.stream(history.slice(1));
  await turns();
  await stop();
  expect(clock.pending).toBe(0);
});

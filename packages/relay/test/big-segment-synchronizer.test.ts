import { expect, test } from "vitest";
import type { BigSegmentStore } from "../src/big-segments/big-segment-store.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import {
  contentsOf,
  context,
  historyOf,
  modelOf,
  type Running,
  randomFrom,
  startSynchronizer,
} from "./start-synchronizer.js";

test("asks for what is missing in pages, opens the stream, asks once more and says that it is in step", async () => {
  const running = await startSynchronizer({ history: historyOf(5) });
  const { upstream, until, clock } = running;
  await until(() => running.synchronizedOn() !== undefined);
  expect(upstream.requests).toEqual([
    "/sdk/big-segments/revisions sdk-key",
    "/sdk/big-segments/revisions?after=v3 sdk-key",
    "/sdk/big-segments/revisions?after=v5 sdk-key",
    "/big-segments sdk-key",
    "/sdk/big-segments/revisions?after=v5 sdk-key",
  ]);
  expect(await contentsOf(running.store)).toEqual(modelOf(upstream.history));
  const before = running.synchronizedOn() ?? 0;
  await until(() => (running.synchronizedOn() ?? 0) >= before + 30_000);
  expect(clock.now() - before).toBeLessThan(60_000);
  expect(running.told).toEqual([]);
});

test("however soon memberships count as old, a store in step is said to be so before", async () => {
  const running = await startSynchronizer({ history: historyOf(1), staleThresholdMs: 10_000 });
  await running.until(() => running.synchronizedOn() !== undefined);
  for (let times = 0; times < 5; times++) {
    const before = running.synchronizedOn() ?? 0;
    await running.until(() => (running.synchronizedOn() ?? 0) > before);
    expect((running.synchronizedOn() ?? 0) - before).toBeLessThan(10_000);
  }
});

test("a step that does not begin at the latest version is skipped, and what is missing is asked for", async () => {
  const running = await startSynchronizer();
  const { upstream, until } = running;
  const [first, second, third] = historyOf(3);
  if (first === undefined || second === undefined || third === undefined) throw new Error("too few");
  upstream.history.push(first);
  await until(() => running.synchronizedOn() !== undefined && upstream.streams === 1);
  upstream.history.push(second, third);
  upstream.stream([third]);
  await until(async () => (await running.store.cursor(new AbortController().signal)) === "v3");
  expect(await contentsOf(running.store)).toEqual(modelOf([first, second, third]));
  expect(running.told).toEqual(['big segments: a patch begins at "v2", not at the latest version; skipping']);
  expect(upstream.streams).toBe(1);
});

test("a step that upstream has not on record yet is taken as soon as what is missing before it was", async () => {
  const running = await startSynchronizer({ history: historyOf(1) });
  const { upstream, until, told } = running;
  await until(() => running.isInStep() && upstream.streams === 1);
  const history = historyOf(3);
  upstream.history.push(...history.slice(1, 2));
  upstream.stream(history.slice(2));
  await until(async () => (await contentsOf(running.store)).join() === modelOf(history).join());
  const since = running.clock.now();
  await until(() => (running.synchronizedOn() ?? 0) > since);
  expect(told).toEqual(['big segments: a patch begins at "v2", not at the latest version; skipping']);
  expect([upstream.streams, running.isBehind()]).toEqual([1, false]);
});

test("patches that fit nowhere end in a pause, not in a storm of requests", async () => {
  const running = await startSynchronizer();
  const [, second] = historyOf(2);
  if (second === undefined) throw new Error("too few");
  running.upstream.history.push(second);
  await running.until(() =>
    running.told.some((message) => message.includes("none of 1 patches begins at nothing")),
  );
  const { length } = running.upstream.requests;
  running.clock.advance(5000);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(running.upstream.requests).toHaveLength(length);
});

const malformed = [
  { name: "no list", data: { segmentId: "a" } },
  { name: "a patch that is a text", data: ["a"] },
  { name: "a version that is a number", data: [{ segmentId: "a", version: 1, previousVersion: "" }] },
  { name: "a version without a name", data: [{ segmentId: "a", version: "", previousVersion: "" }] },
  {
    name: "hashes that are none",
    data: [{ segmentId: "a", version: "v", changes: { included: { add: [1] } } }],
  },
  { name: "changes that are a list", data: [{ segmentId: "a", version: "v", changes: [] }] },
];
for (const { name, data } of malformed) {
  test(`malformed: ${name}`, async () => {
    const running = await startSynchronizer();
    await running.until(() => running.upstream.streams === 1 && running.synchronizedOn() !== undefined);
    running.upstream.stream(data);
    await running.until(() => running.told.length > 0);
    expect(running.told[0]).toMatch(/^big segments: patches of upstream: .*; trying again$/);
    await running.until(() => running.upstream.streams === 1);
    expect(await contentsOf(running.store)).toEqual([]);
  });
}

for (let seed = 1; seed <= 60; seed++) {
  test(`whatever happens on the way, the memberships end as those of upstream (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const running = await startSynchronizer({ pageSize: 1 + random(4) });
    const { upstream, store, clock } = running;
    const history = historyOf(5 + random(25), random);
    while (upstream.history.length < history.length) {
      const next = history.slice(upstream.history.length, upstream.history.length + 1 + random(4));
      upstream.history.push(...next);
      const event = random(9);
      if (event === 0) upstream.drop();
      else if (event === 1) upstream.fail([401, 404, 500][random(3)] ?? 500, 1 + random(3));
      else if (event === 2) await running.restart();
      else if (event === 3) upstream.stream([...next].reverse());
      else if (event === 4) upstream.stream(history.slice(random(history.length)).slice(0, 3));
      else if (event === 5) upstream.stream("rubbish");
      else upstream.stream(next);
      clock.advance(random(20_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    upstream.fail(500, 0);
    const { version } = history.at(-1) ?? { version: "" };
    await running.until(async () => (await store.cursor(new AbortController().signal)) === version);
    expect(await contentsOf(store)).toEqual(modelOf(history));
    const since = clock.now();
    await running.until(() => (running.synchronizedOn() ?? 0) >= since);
    expect(running.changes()).toBeGreaterThan(0);
  });
}

test("a store that fails or never answers is tried again, and closing does not wait for it", async () => {
  const kept = memoryBigSegmentStore(context);
  let mood: "well" | "failing" | "silent" = "failing";
  const guard = <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (mood === "silent") return new Promise(() => {});
    return mood === "failing" ? Promise.reject(new Error("no disk")) : run();
  };
  const store: BigSegmentStore = {
    ...kept,
    cursor: (signal) => guard(() => kept.cursor(signal)),
    apply: (patch, signal) => guard(() => kept.apply(patch, signal)),
    setSynchronizedOn: (timeMs, signal) => guard(() => kept.setSynchronizedOn(timeMs, signal)),
  };
  const running = await startSynchronizer({ store });
  running.upstream.history.push(...historyOf(4));
  await running.until(() => running.told.includes("big segments: no disk; trying again"));
  mood = "silent";
  await running.until(() => running.told.includes("big segments: no answer within 30000 ms; trying again"));
  mood = "well";
  await running.until(() => running.synchronizedOn() !== undefined);
  expect(await contentsOf(kept)).toEqual(modelOf(running.upstream.history));
  mood = "silent";
  running.upstream.drop();
  await running.restart();
  mood = "well";
});

/** The lists that a step may change. */
const lists = [
  { list: "included", change: "add" },
  { list: "included", change: "remove" },
  { list: "excluded", change: "add" },
  { list: "excluded", change: "remove" },
];
test("a store that knows how long a step may take there gets that time", async () => {
  const memory = memoryBigSegmentStore(context);
  let release = () => {};
  let taking = false;
  const store: BigSegmentStore = {
    ...memory,
    timeoutMs: 3_600_000,
    async apply(patch, signal) {
      taking = true;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return await memory.apply(patch, signal);
    },
  };
  const running: Running = await startSynchronizer({ store });
  const [step] = historyOf(1);
  if (step !== undefined) running.upstream.history.push(step);
  await running.until(() => taking);
  const begun = running.clock.now();
  await running.until(() => running.clock.now() - begun > 60_000);
  release();
  await running.until(() => running.synchronizedOn() !== undefined);
  expect(await contentsOf(memory)).toEqual(modelOf(running.upstream.history));
  expect(running.told).toEqual([]);
});

test.each(lists)(
  "a step with many contexts to $change ($list) gets the time that it takes, and until then nobody says that all is in step",
  async ({ list, change }) => {
    const memory = memoryBigSegmentStore(context);
    const contexts = Array.from({ length: 10_000 }, (_, index) => `hash-${index}`);
    const large = {
      environmentId: "any",
      segmentId: "beta.g1",
      previousVersion: "",
      version: "v1",
      changes: { [list]: { [change]: contexts } },
    };
    let asked = 0;
    let taking = false;
    let release = () => {};
    const store: BigSegmentStore = {
      ...memory,
      cursor(signal) {
        // Comes up between the first question and the stream.
        if (++asked === 2) running.upstream.history.push(large);
        return memory.cursor(signal);
      },
      async apply(patch, signal) {
        taking = true;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return await memory.apply(patch, signal);
      },
    };
    const running: Running = await startSynchronizer({ store });
    await running.until(() => taking);
    const begun = running.clock.now();
    await running.until(() => running.clock.now() - begun > 100_000);
    expect(running.synchronizedOn()).toBeUndefined();
    release();
    await running.until(() => running.synchronizedOn() !== undefined);
    expect(await memory.cursor(new AbortController().signal)).toBe("v1");
    expect(running.told).toEqual([]);
  },
);

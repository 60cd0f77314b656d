import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { BigSegmentStore } from "../src/big-segments/big-segment-store.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import { BigSegmentSynchronizer } from "../src/big-segments/synchronizer.js";
import { silentLogger } from "../src/logger.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import {
  type BigSegmentUpstream,
  startBigSegmentUpstream,
  type UpstreamPatch,
} from "./big-segment-upstream.js";

const context = {
  environment: "test",
  envId: undefined,
  filter: undefined,
  logger: silentLogger,
  clock: createManualClock(),
};

/** Numbers that are the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const people = ["alice", "bob", "carol", "dave"].map((key) =>
  createHash("sha256").update(key).digest("base64"),
);
const segments = ["beta.g1", "staff.g4"];

/** A step that changes some lists at random. */
function patchAfter(
  previousVersion: string,
  version: string,
  random: (below: number) => number,
): UpstreamPatch {
  const some = () => people.filter(() => random(3) === 0);
  return {
    environmentId: "any",
    segmentId: segments[random(segments.length)] ?? "",
    previousVersion,
    version,
    changes: { included: { add: some(), remove: some() }, excluded: { add: some(), remove: some() } },
  };
}

/** Who is in what after a history, worked out list by list. */
function modelOf(history: readonly UpstreamPatch[]): readonly string[] {
  const members = new Set<string>();
  for (const { segmentId, changes } of history) {
    for (const list of ["included", "excluded"] as const) {
      for (const hash of changes[list]?.add ?? []) members.add(`${hash} ${list} ${segmentId}`);
      for (const hash of changes[list]?.remove ?? []) members.delete(`${hash} ${list} ${segmentId}`);
    }
  }
  return [...members].sort();
}

async function contentsOf(store: BigSegmentStore): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const lists = await Promise.all(
    people.map(async (hash) => {
      const { included, excluded } = await store.memberships(hash, signal);
      return [
        ...included.map((id) => `${hash} included ${id}`),
        ...excluded.map((id) => `${hash} excluded ${id}`),
      ];
    }),
  );
  return lists.flat().sort();
}

interface Running {
  readonly upstream: BigSegmentUpstream;
  readonly clock: ManualClock;
  readonly store: BigSegmentStore;
  readonly told: string[];
  changes(): number;
  synchronizedOn(): number | undefined;
  restart(): Promise<void>;
  /** Lets time pass until it is so. */
  until(enough: () => boolean | Promise<boolean>): Promise<void>;
}

async function start(
  store: BigSegmentStore = memoryBigSegmentStore(context),
  pageSize = 3,
  history: readonly UpstreamPatch[] = [],
): Promise<Running> {
  const upstream = await startBigSegmentUpstream(pageSize);
  upstream.history.push(...history);
  const clock = createManualClock();
  const told: string[] = [];
  let changes = 0;
  let synchronizedOn: number | undefined;
  const create = () => {
    const created = new BigSegmentSynchronizer({
      store,
      clock,
      random: () => 0,
      logger: { ...silentLogger, warn: (message) => told.push(message) },
      sdkKey: () => "sdk-key",
      upstream: {
        stream: upstream.url,
        app: upstream.url,
        polling: upstream.url,
        events: upstream.url,
        dispatcher: undefined,
        readTimeoutMs: 300_000,
        requestTimeoutMs: 10_000,
        maxEventBytes: 1 << 20,
      },
      changed: () => changes++,
      synchronized: (timeMs) => {
        synchronizedOn = timeMs;
      },
    });
    created.start();
    return created;
  };
  let synchronizer = create();
  onTestFinished(async () => {
    await synchronizer.close();
    await upstream.close();
  });
  return {
    upstream,
    clock,
    store,
    told,
    changes: () => changes,
    synchronizedOn: () => synchronizedOn,
    async restart() {
      await synchronizer.close();
      synchronizer = create();
    },
    async until(enough) {
      while (!(await enough())) {
        clock.advance(500);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const historyOf = (count: number, random = randomFrom(1)): UpstreamPatch[] =>
  Array.from({ length: count }, (_, index) =>
    patchAfter(index === 0 ? "" : `v${index}`, `v${index + 1}`, random),
  );

test("asks for what is missing in pages, opens the stream, asks once more and says that it is in step", async () => {
  const running = await start(undefined, 3, historyOf(5));
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

test("a step that does not begin at the latest version is skipped, and what is missing is asked for", async () => {
  const running = await start();
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

test("patches that fit nowhere end in a pause, not in a storm of requests", async () => {
  const running = await start();
  const [, second] = historyOf(2);
  if (second === undefined) throw new Error("too few");
  running.upstream.history.push(second);
  await running.until(() =>
    running.told.some((message) => message.includes("none of 1 patches begins at nothing")),
  );
  const { length } = running.upstream.requests;
  running.clock.advance(5000);
  expect(running.upstream.requests.length).toBe(length);
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
    const running = await start();
    await running.until(() => running.upstream.streams === 1 && running.synchronizedOn() !== undefined);
    running.upstream.stream(data);
    await running.until(() => running.told.length > 0);
    expect(running.told[0]).toMatch(/^big segments: big segments: .*; trying again$/);
    await running.until(() => running.upstream.streams === 1);
    expect(await contentsOf(running.store)).toEqual([]);
  });
}

for (let seed = 1; seed <= 60; seed++) {
  test(`whatever happens on the way, the memberships end as those of upstream (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const running = await start(undefined, 1 + random(4));
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
  const running = await start({
    ...kept,
    cursor: (signal) => guard(() => kept.cursor(signal)),
    apply: (patch, signal) => guard(() => kept.apply(patch, signal)),
    setSynchronizedOn: (timeMs, signal) => guard(() => kept.setSynchronizedOn(timeMs, signal)),
  });
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

test("a large step gets the time that it takes, and until then nobody says that all is in step", async () => {
  const memory = memoryBigSegmentStore(context);
  const add = Array.from({ length: 10_000 }, (_, index) => `hash-${index}`);
  let asked = 0;
  let taking = false;
  let release = () => {};
  const running: Running = await start({
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
  });
  const large = {
    environmentId: "any",
    segmentId: "beta.g1",
    previousVersion: "",
    version: "v1",
    changes: { included: { add } },
  };
  await running.until(() => taking);
  const begun = running.clock.now();
  await running.until(() => running.clock.now() - begun > 100_000);
  expect(running.synchronizedOn()).toBeUndefined();
  release();
  await running.until(() => running.synchronizedOn() !== undefined);
  expect(await memory.cursor(new AbortController().signal)).toBe("v1");
  expect(running.told).toEqual([]);
});

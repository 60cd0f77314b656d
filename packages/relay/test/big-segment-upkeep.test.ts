import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import type { BigSegmentStore } from "../src/big-segments/big-segment-store.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import {
  contentsOf,
  context,
  historyOf,
  modelOf,
  type SynchronizerSettings,
  startSynchronizer,
} from "./start-synchronizer.js";

const { signal } = new AbortController();

/** A store that counts what it is asked, and fails where it is told to. */
function watchedStore() {
  const memory = memoryBigSegmentStore(context);
  const calls: (keyof BigSegmentStore)[] = [];
  const broken = new Set<keyof BigSegmentStore>();
  const note = <Result>(name: keyof BigSegmentStore, run: () => Promise<Result>): Promise<Result> => {
    calls.push(name);
    return broken.has(name) ? Promise.reject(new Error("no disk")) : run();
  };
  const store: BigSegmentStore = {
    ...memory,
    cursor: (until) => note("cursor", () => memory.cursor(until)),
    apply: (patch, until) => note("apply", () => memory.apply(patch, until)),
    setSynchronizedOn: (timeMs, until) =>
      note("setSynchronizedOn", () => memory.setSynchronizedOn(timeMs, until)),
  };
  return {
    memory,
    store,
    broken,
    times: (name: keyof BigSegmentStore) => calls.filter((one) => one === name).length,
  };
}

/** A synchroniser in step with an upstream whose stream it follows. */
async function startInStep(settings: SynchronizerSettings = {}) {
  const running = await startSynchronizer({ history: historyOf(1), ...settings });
  await running.until(() => running.upstream.streams === 1 && running.synchronizedOn() !== undefined);
  return running;
}

test("however many events and connections there were, the same few timers wait, and none after the end", async () => {
  const complaints: string[] = [];
  const complain = ({ name }: Error) => void complaints.push(name);
  process.on("warning", complain);
  onTestFinished(() => void process.off("warning", complain));
  const running = await startInStep();
  const { upstream, clock, store, until } = running;
  // Until nothing was heard for too long, and until the store is to be told that it is in step.
  const onlyWaiting = () => clock.pending === 2;
  await until(onlyWaiting);
  const history = historyOf(20);
  for (const patch of history.slice(1)) {
    upstream.history.push(patch);
    upstream.stream([patch]);
    await until(async () => (await store.cursor(signal)) === patch.version);
  }
  await until(onlyWaiting);
  for (let time = 0; time < 5; time++) {
    const polls = upstream.requests.length;
    upstream.drop();
    await until(() => upstream.requests.length >= polls + 3 && upstream.streams === 1);
  }
  await until(onlyWaiting);
  await running.stop();
  expect(clock.pending).toBe(0);
  // Such as of too many listeners.
  expect(complaints).toEqual([]);
});

test("a store that fails while the stream is opened leaves no connection behind", async () => {
  const { store, broken, times } = watchedStore();
  broken.add("setSynchronizedOn");
  const running = await startSynchronizer({ store });
  await running.until(() => times("setSynchronizedOn") >= 4);
  expect(running.synchronizedOn()).toBeUndefined();
  await running.until(() => running.upstream.streams <= 1);
  broken.clear();
  await running.until(() => running.synchronizedOn() !== undefined);
  await running.until(() => running.upstream.streams === 1);
});

test("what is told of a failure of the store names it, and of one of upstream does not", async () => {
  const { store, broken } = watchedStore();
  broken.add("cursor");
  const about = { database: "dynamodb", dbTable: "flags" } as const;
  const running = await startSynchronizer({ store: { ...store, about } });
  await running.until(() => running.told.length > 0);
  running.upstream.fail(500, 1);
  broken.clear();
  await running.until(() => running.told.at(-1)?.includes("upstream") === true);
  expect(new Set(running.told)).toEqual(
    new Set([
      'big segments: dynamodb, table "flags": no disk; trying again',
      "big segments: upstream answered 500; trying again",
    ]),
  );
});

test.each([5, false, {}, [["v1"]], Symbol("v1")])(
  "a store whose cursor is %s is told of, and takes nothing until that is a text",
  async (odd) => {
    const { memory, store } = watchedStore();
    let cursor: unknown = odd;
    const running = await startSynchronizer({
      history: historyOf(2),
      // What a store of a host may give.
      store: {
        ...store,
        cursor: async (until) => (cursor === odd ? odd : await memory.cursor(until)) as string,
      },
    });
    const { until, told } = running;
    await until(() => told.length === 2);
    const line = "big segments: the cursor of a store must be text or undefined; trying again";
    expect(told).toEqual([line, line]);
    expect(await contentsOf(memory)).toEqual([]);
    cursor = undefined;
    await until(() => running.isInStep());
    expect(await contentsOf(memory)).toEqual(modelOf(historyOf(2)));
  },
);

test("a store that says null has nothing", async () => {
  const { memory, store } = watchedStore();
  const orNull = async (until: AbortSignal) => (await memory.cursor(until)) ?? (null as unknown as undefined);
  const running = await startSynchronizer({ history: historyOf(2), store: { ...store, cursor: orNull } });
  await running.until(() => running.isInStep());
  expect(running.upstream.requests[0]).toBe("/sdk/big-segments/revisions sdk-key");
  expect(await contentsOf(memory)).toEqual(modelOf(historyOf(2)));
  expect(running.told).toEqual([]);
});

test("a store that refuses a step is behind until it has taken it", async () => {
  const { store, broken, memory } = watchedStore();
  const running = await startInStep({ store });
  const { upstream, until } = running;
  const history = historyOf(2);
  upstream.history.push(...history.slice(1));
  broken.add("apply");
  const changes = running.changes();
  upstream.stream(history.slice(1));
  await until(() => running.told.includes("big segments: no disk; trying again"));
  expect([running.isBehind(), running.isInStep()]).toEqual([true, false]);
  expect(running.changes()).toBeGreaterThan(changes);
  const told = running.changes();
  // However often it is asked what is missing.
  const polls = upstream.requests.length;
  await until(() => upstream.requests.length >= polls + 4);
  expect([running.isBehind(), running.isInStep(), running.changes()]).toEqual([true, false, told]);
  broken.clear();
  await until(() => running.isInStep());
  expect(running.isBehind()).toBe(false);
  expect(await contentsOf(memory)).toEqual(modelOf(history));
});

test("a store with memberships of another environment is not in step, and the remedy is told", async () => {
  const memory = memoryBigSegmentStore(context);
  const none = { add: [], remove: [] };
  const foreign = {
    segmentId: "a.g1",
    previousVersion: "",
    version: "of another",
    included: none,
    excluded: none,
  };
  await memory.apply(foreign, signal);
  const running = await startSynchronizer({ store: memory });
  const { upstream, until, told } = running;
  // Until a step is known it may be that there is none.
  await until(() => running.isInStep() && upstream.streams === 1);
  upstream.stream(historyOf(3).slice(2));
  await until(() =>
    told.some((message) => message.includes("those of another environment: empty that place")),
  );
  expect([running.isBehind(), running.isInStep()]).toEqual([true, false]);
  await until(() => told.filter((message) => message.includes("another environment")).length >= 3);
  expect([running.isBehind(), running.isInStep()]).toEqual([true, false]);
});

test("a step that upstream comes to know later is waited for", async () => {
  const running = await startInStep();
  const { upstream, until } = running;
  const history = historyOf(3);
  upstream.stream(history.slice(2));
  await until(() => running.told.some((message) => message.includes("nothing that leads to")));
  expect(running.isBehind()).toBe(true);
  upstream.history.push(...history.slice(1));
  await until(() => running.isInStep());
  expect(running.isBehind()).toBe(false);
  expect(await contentsOf(running.store)).toEqual(modelOf(history));
});

test("a store that fails while upstream is silent ends the connection, which is made anew", async () => {
  const { store, broken } = watchedStore();
  // Nothing else ends the connection.
  const running = await startInStep({ store, asked: { readTimeoutMs: 86_400_000 } });
  const { upstream, until, told } = running;
  broken.add("cursor");
  await until(() => told.includes("big segments: no disk; trying again"));
  await until(() => upstream.streams === 0);
  broken.clear();
  await until(() => upstream.streams === 1);
});

test("however soon memberships count as old, the store is told no more than once in a second that it is in step", async () => {
  const { store, times } = watchedStore();
  const { clock } = await startInStep({ store, staleThresholdMs: 0 });
  const before = times("setSynchronizedOn");
  for (let tenth = 0; tenth < 100; tenth++) {
    clock.advance(100);
    await new Promise(setImmediate);
  }
  expect(times("setSynchronizedOn") - before).toBeGreaterThan(0);
  expect(times("setSynchronizedOn") - before).toBeLessThanOrEqual(10);
});

test("patches that do not go on from where the store stands end in a pause as well", async () => {
  const running = await startInStep();
  const [, , third, fourth] = historyOf(4);
  if (third === undefined || fourth === undefined) throw new Error("too few");
  running.upstream.history.push(third, fourth);
  running.upstream.stream([fourth]);
  await running.until(() =>
    running.told.some((message) => message.startsWith("big segments: none of 2 patches begins at v1, ")),
  );
  // Of what was announced, and of what upstream gave then.
  const skipped = ["v3", "v2"].map(
    (begin) => `big segments: a patch begins at "${begin}", not at the latest version; skipping`,
  );
  expect(running.told.slice(0, 2)).toEqual(skipped);
  const { length } = running.upstream.requests;
  running.clock.advance(5000);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(running.upstream.requests).toHaveLength(length);
});

test("streams are told of the steps that were taken before one that does not fit", async () => {
  const running = await startInStep();
  const [, second, , fourth, , sixth] = historyOf(6);
  if (second === undefined || fourth === undefined || sixth === undefined) throw new Error("too few");
  const changes = running.changes();
  running.upstream.history.push(second);
  running.upstream.stream([second, fourth, sixth]);
  await running.until(() => running.told.length > 0);
  expect(running.told[0]).toBe('big segments: a patch begins at "v3", not at the latest version; skipping');
  expect(await running.store.cursor(signal)).toBe("v2");
  expect(running.changes()).toBe(changes + 1);
});

test.each([
  ["nothing of it", 0],
  ["a part of it", 1],
])(
  "a step that was announced is missing until it is to be had: upstream is asked again, also if it has %s at first",
  async (_what, known) => {
    const running = await startInStep();
    const history = historyOf(4);
    running.upstream.history.push(...history.slice(1, 1 + known));
    const since = running.synchronizedOn();
    running.upstream.stream(history.slice(3));
    await running.until(() => running.told.some((line) => line.includes("nothing that leads to")));
    expect(running.synchronizedOn()).toBe(since);
    expect(running.told).toEqual([
      ...Array(1 + known).fill('big segments: a patch begins at "v3", not at the latest version; skipping'),
      'big segments: upstream has nothing that leads to "v4" yet; trying again',
    ]);
    running.upstream.history.push(...history.slice(1 + known));
    await running.until(async () => (await running.store.cursor(signal)) === "v4");
    expect(await contentsOf(running.store)).toEqual(modelOf(history));
    await running.until(() => (running.synchronizedOn() ?? 0) > (since ?? 0));
  },
);

test("a step that comes once more is no reason to begin anew", async () => {
  const history = historyOf(3);
  const running = await startInStep({ history: history.slice(0, 2) });
  running.upstream.history.push(...history.slice(2));
  running.upstream.stream(history.slice(2));
  await running.until(async () => (await running.store.cursor(signal)) === "v3");
  const polls = running.upstream.requests.length;
  for (const patch of history.slice(0, 2)) running.upstream.stream([patch]);
  const since = running.clock.now();
  await running.until(() => (running.synchronizedOn() ?? 0) > since);
  expect(running.told).toEqual([]);
  // The stream goes on, and where the store has stood is known.
  expect(running.upstream.requests).toHaveLength(polls);
});

test.each([
  { others: "all", upTo: 200 },
  { others: "half", upTo: 100 },
  { others: "one", upTo: 2 },
])(
  "of steps of which others have taken $others already only the first is tried, and upstream is not asked about them",
  async ({ upTo }) => {
    const { memory, store, times } = watchedStore();
    const running = await startInStep({ store });
    const history = historyOf(200);
    const lists = (changes?: { readonly add?: readonly string[]; readonly remove?: readonly string[] }) => ({
      add: changes?.add ?? [],
      remove: changes?.remove ?? [],
    });
    for (const { changes, ...patch } of history.slice(1, upTo))
      await memory.apply(
        { ...patch, included: lists(changes.included), excluded: lists(changes.excluded) },
        signal,
      );
    running.upstream.history.push(...history.slice(1));
    const [tried, since] = [times("apply"), running.synchronizedOn() ?? 0];
    const { length } = running.upstream.requests;
    running.upstream.stream(history.slice(1));
    await running.until(() => running.upstream.streams === 1 && times("apply") > tried);
    await running.until(() => (running.synchronizedOn() ?? 0) > since);
    expect(times("apply")).toBe(tried + 1 + history.length - upTo);
    expect(running.upstream.requests).toHaveLength(length);
    expect(await contentsOf(memory)).toEqual(modelOf(history));
    expect(running.told).toEqual([]);
  },
);

test("versions are data, whatever they look like", async () => {
  const names = ["", "1&after=2", "a b/c?d#e", "%41", "ü+", "v"];
  const history = names.slice(1).map((version, index) => ({
    environmentId: "any",
    segmentId: "beta.g1",
    previousVersion: names[index] ?? "",
    version,
    changes: {},
  }));
  const running = await startInStep({ history, pageSize: 1 });
  expect(await running.store.cursor(signal)).toBe("v");
  expect(running.told).toEqual([]);
});

test.each([204, 400, 401, 404, 500])(
  "what upstream answers with %i is no list of patches, and lets go of the connection",
  async (status) => {
    const running = await startSynchronizer();
    const { upstream, until, told } = running;
    upstream.fail(status, 3);
    await until(() => told.length === 3);
    expect(new Set(told)).toEqual(new Set([`big segments: upstream answered ${status}; trying again`]));
    await until(() => upstream.openFailures === 0);
  },
);

test("an answer larger than an event may be is not read to its end", async () => {
  const running = await startSynchronizer({ history: historyOf(1), asked: { maxEventBytes: 100 } });
  await running.until(() => running.told.length > 0);
  expect(running.told[0]).toBe("big segments: the answer is larger than 100 bytes; trying again");
  expect(await running.store.cursor(signal)).toBeUndefined();
});

test("upstream that does not answer is asked again", async () => {
  const running = await startSynchronizer({ asked: { requestTimeoutMs: 50 } });
  running.upstream.hang(1);
  await running.until(() => running.synchronizedOn() !== undefined);
  // On a slow machine the next answer may come too late as well, in whichever of its parts.
  expect(running.told).toContain("big segments: no answer within 50 ms; trying again");
});

test("the end does not wait for an answer of upstream, nor for the next attempt", async () => {
  const running = await startSynchronizer({ asked: { requestTimeoutMs: 300_000 } });
  running.upstream.hang(1);
  await running.until(() => running.upstream.requests.length === 1);
  await running.restart();
  expect(running.told).toEqual([]);
  running.upstream.fail(500, 1);
  await running.until(() => running.told.length === 1);
  await running.stop();
  expect(running.clock.pending).toBe(0);
});

test.each([
  [0, 10_000],
  [0.5, 9500],
])("the pause after a failure is ten seconds, less up to a tenth at random: %d", async (random, pauseMs) => {
  const running = await startSynchronizer({ random });
  running.upstream.fail(500, 1);
  // No time passes before.
  await expect.poll(() => running.told.length).toBe(1);
  expect(running.clock.pending).toBe(1);
  running.clock.advance(pauseMs - 1);
  expect(running.clock.pending).toBe(1);
  running.clock.advance(1);
  expect(running.clock.pending).toBe(0);
});

test("upstream is asked through the dispatcher of the host, in the time that it has", async () => {
  const asked: unknown[] = [];
  class Watching extends Agent {
    override dispatch(...[options, handler]: Parameters<Agent["dispatch"]>): boolean {
      const { path, headersTimeout, bodyTimeout } = options;
      asked.push([path, headersTimeout, bodyTimeout]);
      expect(Object.entries(options.headers ?? {})).toEqual(
        expect.arrayContaining([
          ["authorization", "sdk-key"],
          ["user-agent", "wye-relay"],
        ]),
      );
      return super.dispatch(options, handler);
    }
  }
  await startInStep({ asked: { dispatcher: new Watching(), requestTimeoutMs: 9000 } });
  expect(asked).toEqual([
    ["/sdk/big-segments/revisions", 9000, 9000],
    ["/sdk/big-segments/revisions?after=v1", 9000, 9000],
    ["/big-segments", 30_000, 0],
    ["/sdk/big-segments/revisions?after=v1", 9000, 9000],
  ]);
});

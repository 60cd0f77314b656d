import { expect, test } from "vitest";
import { setUpReader as setUp, start } from "../../test/set-up-reader.js";
import type { Memberships } from "./big-segment-store.js";

test("what is known is answered at once, for five seconds", async () => {
  const { reader, status, asked, clock } = setUp();
  expect(await status("a")).toBe("HEALTHY");
  const known = reader.read(["a"]);
  expect(known).not.toBeInstanceOf(Promise);
  clock.advance(4999);
  expect(reader.read(["a"])).toEqual(known);
  clock.advance(1);
  const again = reader.read(["a"]);
  expect(again).toBeInstanceOf(Promise);
  await again;
  expect(asked).toEqual(["a", "a"]);
});

test("who asks about a context about which the store is being asked gets the same answer", async () => {
  const { reader, status, asked, answerWith } = setUp();
  await status("a");
  let answer = (_: Memberships) => {};
  answerWith(() => new Promise((resolve) => (answer = resolve)));
  const both = [status("b"), status("b")];
  await expect.poll(() => asked).toEqual(["a", "b"]);
  both.push(status("b"));
  answer({ included: [], excluded: [] });
  expect(await Promise.all(both)).toEqual(["HEALTHY", "HEALTHY", "HEALTHY"]);
  expect([asked, reader.read(["b"]) instanceof Promise]).toEqual([["a", "b"], false]);
});

test("what is known of a context is not answered at once when it is not known how old that is", async () => {
  const { reader, status, state, clock } = setUp();
  await status("a");
  clock.advance(4000);
  await status("b");
  state.syncedOn = start - 120_000;
  clock.advance(1000);
  expect(reader.read(["b"])).toBeInstanceOf(Promise);
  expect(await status("b")).toBe("STALE");
  expect(reader.read(["b"])).not.toBeInstanceOf(Promise);
});

test("an error about one context is no reason to leave the others alone, and is kept for five seconds", async () => {
  const { status, answerWith, asked, told, reader, clock } = setUp();
  answerWith(
    (key) =>
      (key === "bad" ? Promise.reject(new Error("WRONGTYPE")) : { included: [], excluded: [] }) as never,
  );
  for (let time = 0; time < 3; time++) {
    expect(await status("bad")).toBe("STORE_ERROR");
    expect(await status(`good-${time}`)).toBe("HEALTHY");
  }
  expect(asked).toEqual(["bad", "good-0", "good-1", "good-2"]);
  expect(reader.status(300_000)).toMatchObject({ available: true });
  clock.advance(5000);
  expect(await status("bad")).toBe("STORE_ERROR");
  expect(asked).toHaveLength(5);
  expect(told).toEqual(Array(2).fill("big segments: the store fails about a context: WRONGTYPE"));
});

const listing = "memberships must have included and excluded, which are lists of text";
test.each<[string, unknown, string]>([
  ["nothing", undefined, listing],
  ["null", null, listing],
  ["one list", { included: ["beta.g1"] }, listing],
  ["the other list", { excluded: ["beta.g1"] }, listing],
  ["a set", { included: new Set(["beta.g1"]), excluded: [] }, listing],
  ["numbers", { included: [1], excluded: [] }, listing],
  ["numbers at the end", { included: [], excluded: ["beta.g1", 1] }, listing],
])("a store of the host that gives %s of a context has failed about it", async (_what, given, problem) => {
  const { status, answerWith, told } = setUp();
  answerWith(async () => given as Memberships);
  expect(await status("a")).toBe("STORE_ERROR");
  expect(told).toEqual([`big segments: the store fails about a context: ${problem}`]);
});

test.each<[unknown, boolean]>([
  [null, true],
  [undefined, true],
  [start, true],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
  [`${start}`, false],
  [new Date(start), false],
])("a store of the host that was in step on %s can be read: %s", async (given, isAvailable) => {
  const { reader, timeIs } = setUp();
  timeIs(async () => given as number);
  await reader.refresh();
  expect(reader.status(300_000).available).toBe(isAvailable);
});

test("errors about many contexts are told of once in five seconds", async () => {
  const { status, answerWith, told } = setUp();
  answerWith(() => Promise.reject(new Error("broken")));
  for (let index = 0; index < 100; index++) expect(await status(`user-${index}`)).toBe("STORE_ERROR");
  expect(told).toHaveLength(1);
});

test("what is told of failures names the store", async () => {
  const { status, answerWith, timeIs, told, clock } = setUp({ database: "redis", dbPrefix: "ld" });
  answerWith(() => Promise.reject(new Error("broken")));
  await status("a");
  timeIs(() => Promise.reject(new Error("refused")));
  clock.advance(5000);
  await status("b");
  expect(told).toEqual([
    'big segments: redis, prefix "ld": the store fails about a context: broken',
    'big segments: redis, prefix "ld": the store fails: refused',
  ]);
});

test("a store that fails about everything is away at once, and back when it says so", async () => {
  const { status, answerWith, timeIs, reader, clock, state } = setUp();
  expect(await status("a")).toBe("HEALTHY");
  timeIs(() => Promise.reject(new Error("refused")));
  answerWith(() => Promise.reject(new Error("refused")));
  expect(await status("b")).toBe("STORE_ERROR");
  expect(reader.status(300_000)).toMatchObject({ available: false, lastSynchronizedOn: 0 });
  timeIs(async () => start);
  answerWith(async () => ({ included: [], excluded: [] }));
  clock.advance(5000);
  expect(await status("b")).toBe("HEALTHY");
  expect(state.recovered).toBe(1);
});

test("of a store that cannot be read it is not known when it was in step, even if it can be written", async () => {
  const { reader, timeIs } = setUp();
  timeIs(() => Promise.reject(new Error("refused")));
  await reader.refresh();
  reader.synchronized(start);
  expect(reader.status(300_000)).toEqual({ available: false, potentiallyStale: true, lastSynchronizedOn: 0 });
});

test("a store that fails about one context is available, and one that fails about all is not", async () => {
  const { status, answerWith, clock, reader, state } = setUp();
  const available = () => reader.status(300_000).available;
  expect(await status("a")).toBe("HEALTHY");
  answerWith(() => Promise.reject(new Error("NOPERM")));
  for (const key of ["b", "b", "b", "c"]) {
    clock.advance(5000);
    expect(await status(key)).toBe("STORE_ERROR");
    expect(available()).toBe(true);
  }
  expect(await status("d")).toBe("STORE_ERROR");
  expect(reader.status(300_000)).toEqual({ available: false, potentiallyStale: true, lastSynchronizedOn: 0 });
  expect(state.recovered).toBe(0);
  answerWith(async () => ({ included: [], excluded: [] }));
  clock.advance(5000);
  expect(await status("e")).toBe("HEALTHY");
  expect(available()).toBe(true);
  expect(state.recovered).toBe(1);
});

test("a store that hangs is asked by nobody for five seconds", async () => {
  const { status, answerWith, asked, clock, reader, told } = setUp();
  expect(await status("a")).toBe("HEALTHY");
  answerWith(() => new Promise(() => {}));
  const hanging = status("b");
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  clock.advance(1000);
  expect(await hanging).toBe("STORE_ERROR");
  expect(reader.status(300_000)).toEqual({ available: false, potentiallyStale: true, lastSynchronizedOn: 0 });
  expect(await status("c")).toBe("STORE_ERROR");
  expect(asked).toEqual(["a", "b"]);
  // What was known before is known still.
  expect(await status("a")).toBe("STALE");
  answerWith(async () => ({ included: [], excluded: [] }));
  clock.advance(4000);
  expect(await status("d")).toBe("STORE_ERROR");
  clock.advance(999);
  expect(await status("d")).toBe("STORE_ERROR");
  clock.advance(1);
  expect(await status("c")).toBe("HEALTHY");
  expect(told).toEqual(["big segments: the store fails about a context: no answer within 1000 ms"]);
  // Nobody was asked about it so far.
  expect(await status("d")).toBe("HEALTHY");
});

test("however many ask at once, the store is asked once for the time and once for each context", async () => {
  const { status, timeIs, asked, clock } = setUp();
  let times = 0;
  timeIs(async () => {
    times++;
    await new Promise(setImmediate);
    return start;
  });
  clock.advance(60_000);
  expect(await Promise.all(["a", "b", "a", "c"].map(status))).toEqual(Array(4).fill("HEALTHY"));
  expect(times).toBe(1);
  expect(asked.sort()).toEqual(["a", "b", "c"]);
});

test("an outage is told of once, however long it lasts, and once more when it comes again", async () => {
  const { reader, timeIs, clock, told, state } = setUp();
  for (const outages of [1, 2]) {
    timeIs(() => Promise.reject(new Error("refused")));
    for (let time = 0; time < 3; time++) {
      clock.advance(5000);
      await reader.refresh();
    }
    expect(told).toEqual(Array(outages).fill("big segments: the store fails: refused"));
    timeIs(async () => start);
    clock.advance(5000);
    await reader.refresh();
    expect(state.recovered).toBe(outages);
  }
});

test.each([
  { name: "an hour ahead, as before a clock was set back", syncedOn: start + 3_600_000, status: "STALE" },
  { name: "in microseconds", syncedOn: start * 1000, status: "STALE" },
  { name: "two minutes ahead", syncedOn: start + 120_000, status: "HEALTHY" },
  { name: "further ahead", syncedOn: start + 120_001, status: "STALE" },
  { name: "a little ahead, as of another machine", syncedOn: start + 60_000, status: "HEALTHY" },
  { name: "two minutes ago", syncedOn: start - 120_000, status: "HEALTHY" },
  { name: "longer ago", syncedOn: start - 120_001, status: "STALE" },
  { name: "never", syncedOn: undefined, status: "STALE" },
])("a store in step $name is $status", async ({ syncedOn, status: expected }) => {
  const { status, state, reader } = setUp();
  state.syncedOn = syncedOn;
  expect(await status("a")).toBe(expected);
  expect(reader.status(120_000).potentiallyStale).toBe(expected === "STALE");
});

test.each([60_000, 300_000])(
  "a time that is yet to come is believed for two minutes, also where %i ms ago is long ago",
  async (thresholdMs) => {
    const { status, state, reader, clock } = setUp();
    const isStale = async (aheadMs: number) => {
      state.syncedOn = clock.now() + aheadMs;
      await status(`ahead-${aheadMs}`);
      return reader.status(thresholdMs).potentiallyStale;
    };
    expect(await isStale(120_000)).toBe(false);
    clock.advance(5000);
    expect(await isStale(120_001)).toBe(true);
  },
);

test.each([-3 * 86_400_000, 3 * 86_400_000])(
  "a relay that has found the store in step knows better than one whose clock is %i ms off",
  async (off) => {
    const { reader, status, state, clock } = setUp();
    reader.synchronized(start);
    state.syncedOn = start + off;
    expect(await status("alice")).toBe("HEALTHY");
    expect(reader.status(60_000)).toEqual({
      available: true,
      potentiallyStale: false,
      lastSynchronizedOn: start,
    });
    // It has found it elsewhere since.
    reader.synchronized(undefined);
    expect(await status("bob")).toBe("STALE");
    reader.synchronized(start);
    clock.advance(120_001);
    expect(await status("carol")).toBe("STALE");
    expect(reader.status(60_000).potentiallyStale).toBe(true);
  },
);

test("a store that is found in step is so at once, and what it says of itself counts until it is asked again", async () => {
  const { reader, status, state } = setUp();
  const lastOn = () => reader.status(60_000).lastSynchronizedOn;
  state.syncedOn = undefined;
  expect([await status("alice"), lastOn()]).toEqual(["STALE", 0]);
  reader.synchronized(start);
  expect([await status("alice"), lastOn()]).toEqual(["HEALTHY", start]);
  reader.synchronized(undefined);
  expect([await status("alice"), lastOn()]).toEqual(["HEALTHY", start]);
});

test("of two times that are not long ago the one is given that the store says", async () => {
  const { reader, status, state } = setUp();
  reader.synchronized(start);
  state.syncedOn = start - 5;
  await status("alice");
  expect(reader.status(60_000).lastSynchronizedOn).toBe(start - 5);
});

test("of a store that was emptied it is not known when it was in step, whoever has found that", async () => {
  const { reader, status, state } = setUp();
  reader.synchronized(start);
  state.syncedOn = undefined;
  expect(await status("alice")).toBe("STALE");
});

test("what a store that is behind says is stale, however lately it says to have been in step", async () => {
  const { reader, status, state } = setUp();
  expect(await status("alice")).toBe("HEALTHY");
  expect(reader.status(60_000)).toMatchObject({ available: true, potentiallyStale: false });
  state.isBehind = true;
  expect(await status("alice")).toBe("STALE");
  expect(reader.status(60_000)).toMatchObject({ available: true, potentiallyStale: true });
  state.isBehind = false;
  expect(await status("alice")).toBe("HEALTHY");
});

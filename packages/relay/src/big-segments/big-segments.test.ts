import { compileFlags, type Item, parseContext, parseItem } from "@wye/flag-evaluator";
import { expect, onTestFinished, test } from "vitest";
import type { Change } from "../change.js";
import { silentLogger } from "../logger.js";
import type { ResolvedUpstream } from "../options/resolved-sections.js";
import { createManualClock } from "../testing/manual-clock.js";
import { createStoreContext } from "../testing/store-context.js";
import { UpstreamConnections } from "../upstream/upstream-connections.js";
import type { BigSegmentStore } from "./big-segment-store.js";
import { BigSegments } from "./big-segments.js";
import { memoryBigSegmentStore } from "./memory-big-segment-store.js";

const segment = (fields: object): Item =>
  parseItem("segments", "beta", JSON.stringify({ key: "beta", version: 1, ...fields }));
const big = segment({ unbounded: true, generation: 1 });
const full = (...items: Item[]): Change => ({ extent: "full", items });

/** The big segments of an environment whose upstream never answers. */
function setUp(overridden: Partial<BigSegmentStore> = {}) {
  const clock = createManualClock();
  const nowhere = "http://127.0.0.1:1";
  const upstream: ResolvedUpstream = {
    stream: nowhere,
    app: nowhere,
    polling: nowhere,
    events: nowhere,
    dispatcher: new UpstreamConnections(10_000),
    readTimeoutMs: 300_000,
    requestTimeoutMs: 10_000,
    maxEventBytes: 1 << 20,
  };
  let laters = 0;
  let changes = 0;
  let madeUp = 0;
  const warnings: string[] = [];
  const errors: string[] = [];
  const store = { ...memoryBigSegmentStore(createStoreContext()), ...overridden };
  const segments = new BigSegments(store, {
    upstream,
    clock,
    random: () => 0,
    logger: {
      ...silentLogger,
      warn: (message) => warnings.push(message),
      error: (message) => errors.push(message),
    },
    sdkKey: () => "sdk",
    staleThresholdMs: 300_000,
    changed: () => changes++,
    makeUp: () => madeUp++,
    later(ms, run) {
      laters++;
      return clock.schedule(ms, run);
    },
  });
  const never = new Promise<void>(() => {});
  onTestFinished(() => segments.close(never));
  return {
    clock,
    segments,
    store,
    warnings,
    errors,
    laters: () => laters,
    changes: () => changes,
    madeUp: () => madeUp,
    look: (...items: Item[]) => segments.look(full(...items), () => items[0]),
  };
}

test.each<[string, object, isBig: boolean]>([
  ["is big", { unbounded: true, generation: 1 }, true],
  ["is not", { unbounded: false }, false],
  ["says something else", { unbounded: "true" }, false],
  ["says a number", { unbounded: 1 }, false],
  ["only has the word", { included: ['"unbounded"'] }, false],
  ["was deleted", { deleted: true, unbounded: true }, false],
])("a segment that %s: %j", (_what, fields, isBig) => {
  const { segments, look } = setUp();
  look(segment(fields));
  expect(segments.status(300_000) !== undefined).toBe(isBig);
});

test("before there is a big segment nobody is to be asked, afterwards whoever flags depend on", () => {
  const { segments, look } = setUp();
  const clauses = [{ attribute: "", op: "segmentMatch", values: ["beta"], negate: false }];
  const flag = { key: "f", version: 1, on: true, rules: [{ variation: 0, clauses }], variations: [1] };
  const evaluator = compileFlags({ flags: { f: flag }, segments: { beta: JSON.parse(big.json) } });
  const result = parseContext('{"kind":"user","key":"alice"}');
  if (!result.ok) throw new Error("no context");
  const { context } = result;
  expect(segments.missing(evaluator, context)).toEqual([]);
  look(big);
  expect(segments.missing(evaluator, context)).toEqual(["alice"]);
  expect(segments.missing(evaluator, context, new Map([["bob", { status: "HEALTHY" }]]))).toEqual(["alice"]);
  expect(segments.missing(evaluator, context, new Map([["alice", { status: "HEALTHY" }]]))).toEqual([]);
});

test("however often data come, the store is asked every five seconds for the time, also if nobody evaluates", async () => {
  let asked = 0;
  let answer = async (): Promise<number | undefined> => 1;
  const { clock, look, laters, segments } = setUp({
    synchronizedOn() {
      asked++;
      return answer();
    },
  });
  for (let times = 0; times < 5; times++) look(big);
  expect([laters(), asked]).toEqual([1, 1]);
  await new Promise(setImmediate);
  answer = () => Promise.reject(new Error("refused"));
  clock.advance(4999);
  await new Promise(setImmediate);
  expect(asked).toBe(1);
  clock.advance(1);
  await new Promise(setImmediate);
  expect(asked).toBe(2);
  expect(segments.status(300_000)).toMatchObject({ available: false });
});

test("streams are made up for whenever the store is asked for the time, while it can be reached", async () => {
  let answer = async (): Promise<number | undefined> => 1;
  const { clock, look, madeUp } = setUp({ synchronizedOn: () => answer() });
  const counts: number[] = [];
  look(big);
  for (const isAway of [false, true, true, false]) {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    counts.push(madeUp());
    answer = isAway ? () => Promise.reject(new Error("refused")) : async () => 1;
    clock.advance(5000);
  }
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  expect([...counts, madeUp()]).toEqual([1, 2, 2, 2, 3]);
});

test("what is known of contexts is doubtful when a big segment is new, and not when one stays or goes", () => {
  const { look, changes, segments } = setUp();
  const [small, next] = [segment({ unbounded: false }), segment({ unbounded: true, generation: 2 })];
  const doubtful: number[] = [];
  for (const items of [[small], [big], [big], [next], [small], [big], [], [big]]) {
    look(...items);
    doubtful.push(changes());
  }
  expect(doubtful).toEqual([0, 1, 1, 2, 2, 3, 3, 4]);
  expect(segments.revision).toBe(4);
});

test("contexts are members of what is big now, whatever the store has of segments before", async () => {
  const included = ["beta.g1", "beta.g2", "other.g1"];
  const { segments, look, clock } = setUp({ memberships: async () => ({ included, excluded: [] }) });
  const members = async () => {
    await new Promise(setImmediate);
    clock.advance(5000);
    return [...((await segments.read(["alice"])).get("alice")?.segments?.keys() ?? [])];
  };
  const change = (item: Item) => segments.look({ extent: "partial", items: [item] }, () => item);
  look(big);
  expect(await members()).toEqual(["beta.g1"]);
  change(segment({ unbounded: true, generation: 2 }));
  expect(await members()).toEqual(["beta.g2"]);
  change(parseItem("segments", "other", '{"key":"other","unbounded":true,"generation":1}'));
  change(parseItem("flags", "beta", '{"key":"beta"}'));
  expect(await members()).toEqual(["beta.g2", "other.g1"]);
  change(segment({ unbounded: false }));
  expect(await members()).toEqual(["other.g1"]);
});

test("when the store answers again all is doubtful, and it is followed at once", async () => {
  let answer = (): Promise<number | undefined> => Promise.reject(new Error("refused"));
  let looked = 0;
  const { clock, look, changes, warnings, segments } = setUp({
    synchronizedOn: () => answer(),
    async cursor() {
      looked++;
      return undefined;
    },
  });
  look(big);
  await expect.poll(() => warnings.length).toBe(1);
  expect([looked, changes(), segments.status(300_000)?.available]).toEqual([1, 1, false]);
  answer = async () => 1;
  // Less than what failed pauses for.
  clock.advance(5000);
  await expect.poll(() => looked).toBe(2);
  expect([changes(), segments.status(300_000)?.available]).toEqual([2, true]);
});

test("a store that does not end is waited for until the deadline, and no longer", async () => {
  let hangs = true;
  const { segments } = setUp({ close: () => (hangs ? new Promise(() => {}) : Promise.resolve()) });
  let reached = () => {};
  const deadline = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let isClosed = false;
  const closed = segments.close(deadline).then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  hangs = false;
  reached();
  await closed;
});

test("a store that cannot be closed is told of, with its name", async () => {
  const { segments, warnings } = setUp({
    about: { database: "redis", dbPrefix: "ld" },
    close: () => Promise.reject(new Error("stuck")),
  });
  await segments.close(new Promise(() => {}));
  expect(warnings).toEqual(['big segments: redis, prefix "ld": closing the store failed: stuck']);
});

test("what closing has interrupted is no failure of the store", async () => {
  let refuse = (_error: Error) => {};
  const interrupted = () =>
    new Promise<never>((_, reject) => {
      refuse = reject;
    });
  const { segments, errors, warnings, look } = setUp({
    synchronizedOn: interrupted,
    close: async () => refuse(new Error("the connection is closed")),
  });
  look(big);
  const asked = segments.read(["someone"]);
  await segments.close(new Promise(() => {}));
  await asked;
  expect([...errors, ...warnings]).toEqual([]);
});

test("what is interrupted while the end is waited for is told to nobody", async () => {
  let refuse = (_error: Error) => {};
  const { segments, errors, warnings, look } = setUp({
    synchronizedOn: () =>
      new Promise<never>((_, reject) => {
        refuse = reject;
      }),
    cursor: () => new Promise<never>(() => {}),
  });
  look(big);
  const asked = segments.read(["someone"]);
  await new Promise(setImmediate);
  const closed = segments.close(new Promise(() => {}));
  refuse(new Error("the connection is closed"));
  await asked;
  await closed;
  expect([...errors, ...warnings]).toEqual([]);
});

import type { BigSegmentMembership, BigSegments, Context } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import type { FlagSet } from "../flag-set.js";
import { silentLogger } from "../logger.js";
import type { ClientView } from "../streaming/client-view.js";
import type { Subscriber } from "../streaming/subscriber.js";
import type { Members } from "./members.js";
import { createRenewal, isLate, prepareView } from "./view-memberships.js";

const healthy = (...references: readonly (readonly [string, boolean])[]): BigSegmentMembership => ({
  status: "HEALTHY",
  segments: new Map(references),
});

/** A stream of which only what renewing looks at is there. */
function stream(channel: "ping" | "eval", known?: BigSegments): Subscriber {
  return { channel, view: known === undefined ? undefined : { bigSegments: known } } as unknown as Subscriber;
}

/** Memberships that the test answers. */
function answering(answer: (keys: readonly string[]) => BigSegments | Promise<BigSegments>): Members {
  return { revision: 1, missing: () => [], read: answer };
}

/** Tells streams once; gives those that were told. */
async function renewed(streams: readonly Subscriber[], present: BigSegments): Promise<readonly Subscriber[]> {
  const told: Subscriber[] = [];
  const { renew } = createRenewal({
    bigSegments: answering((keys) => new Map([...present].filter(([key]) => keys.includes(key)))),
    streams: { subscribers: () => streams, renew: (one) => told.push(one) },
    logger: silentLogger,
  });
  renew();
  for (let turn = 0; turn < 5 + streams.length; turn++) await new Promise(setImmediate);
  return told;
}

const known = (membership: BigSegmentMembership): BigSegments => new Map([["alice", membership]]);

test.each<[string, before: BigSegmentMembership, now: BigSegmentMembership, isTold: boolean]>([
  ["the same", healthy(["s", true]), healthy(["s", true]), false],
  ["nothing twice", healthy(), healthy(), false],
  ["another verdict", healthy(["s", true]), healthy(["s", false]), true],
  ["one more", healthy(), healthy(["s", true]), true],
  ["one less", healthy(["s", true]), healthy(), true],
  ["one less of two", healthy(["s", true], ["t", true]), healthy(["s", true]), true],
  ["one less of an exclusion", healthy(["s", false]), healthy(), true],
  ["another segment", healthy(["s", true]), healthy(["t", true]), true],
  ["the second of two", healthy(["s", true], ["t", true]), healthy(["s", true], ["t", false]), true],
  ["the first of two", healthy(["s", true], ["t", true]), healthy(["s", false], ["t", true]), true],
  ["an answer again", { status: "STORE_ERROR" }, healthy(), true],
  ["no answer any more", healthy(["s", true]), { status: "STORE_ERROR" }, false],
  ["no answer still", { status: "STORE_ERROR" }, { status: "STORE_ERROR" }, false],
  ["what is only older", healthy(["s", true]), { ...healthy(["s", true]), status: "STALE" }, false],
])("a stream is told of %s: %j, %j", async (_what, before, now, isTold) => {
  const one = stream("eval", known(before));
  expect(await renewed([one], known(now))).toEqual(isTold ? [one] : []);
  expect(one.view?.bigSegments).toEqual(known(isTold ? now : before));
});

const failed: BigSegmentMembership = { status: "STORE_ERROR" };
test.each<
  [string, now: readonly [BigSegmentMembership, BigSegmentMembership], isTold: boolean, isLate: boolean]
>([
  ["neither", [healthy(), healthy(["s", true])], false, false],
  ["the first", [healthy(["s", true]), healthy(["s", true])], true, false],
  ["the second", [healthy(), healthy(["s", false])], true, false],
  ["the first, and nothing is known of the second", [healthy(["s", true]), failed], false, true],
  ["the second, and nothing is known of the first", [failed, healthy()], false, true],
])("of a context of two kinds %s has changed", async (_what, [user, org], isTold, isFailed) => {
  const both = (one: BigSegmentMembership, other: BigSegmentMembership): BigSegments =>
    new Map([
      ["alice", one],
      ["acme", other],
    ]);
  const before = both(healthy(), healthy(["s", true]));
  const one = stream("eval", before);
  expect(await renewed([one], both(user, org))).toEqual(isTold ? [one] : []);
  expect(one.view?.bigSegments).toEqual(isTold ? both(user, org) : before);
  const fresh = { bigSegments: both(user, org), revision: 1 } as unknown as ClientView;
  expect(isLate({ revision: 1, missing: () => [], read: () => new Map() }, fresh)).toBe(isFailed);
});

test("pings are told in any case, streams that depend on nobody never, and of fifty all whom it concerns", async () => {
  const [ping, independent] = [stream("ping"), stream("eval")];
  const streams = Array.from({ length: 50 }, () => stream("eval", known(healthy())));
  const told = await renewed([ping, independent, ...streams], known(healthy(["s", true])));
  expect(told).toEqual([ping, ...streams]);
});

test("others have their turn while very many streams are told, however fast the store is", async () => {
  const streams = Array.from({ length: 1000 }, () => stream("eval", known(healthy())));
  const told: Subscriber[] = [];
  const { renew } = createRenewal({
    bigSegments: answering(() => known(healthy(["s", true]))),
    streams: { subscribers: () => streams, renew: (one) => told.push(one) },
    logger: silentLogger,
  });
  renew();
  let turns = 0;
  while (told.length < streams.length) {
    turns++;
    await new Promise(setImmediate);
  }
  expect(turns).toBeGreaterThan(10);
});

test("of many streams thirty-two are looked at side by side", async () => {
  const streams = Array.from({ length: 70 }, () => stream("eval", known(healthy())));
  const answers: (() => void)[] = [];
  const told: Subscriber[] = [];
  const { renew } = createRenewal({
    bigSegments: answering(
      () => new Promise((resolve) => answers.push(() => resolve(known(healthy(["s", true]))))),
    ),
    streams: { subscribers: () => streams, renew: (one) => told.push(one) },
    logger: silentLogger,
  });
  renew();
  for (const count of [32, 32, 6]) {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(answers).toHaveLength(count);
    for (const answer of answers.splice(0)) answer();
  }
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect(told).toEqual(streams);
});

test("what changes while streams are told is told once afterwards, however often it was, and never side by side", async () => {
  const answers: ((found: BigSegments) => void)[] = [];
  const one = stream("eval", known(healthy()));
  const told: Subscriber[] = [];
  const { renew } = createRenewal({
    bigSegments: answering(() => new Promise((resolve) => answers.push(resolve))),
    streams: { subscribers: () => [one], renew: (subscriber) => told.push(subscriber) },
    logger: silentLogger,
  });
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  for (let time = 0; time < 3; time++) renew();
  await turns();
  expect(answers).toHaveLength(1);
  for (let time = 0; time < 3; time++) renew();
  await turns();
  expect(answers).toHaveLength(1);
  answers[0]?.(known(healthy(["s", true])));
  await turns();
  expect([answers.length, told.length]).toEqual([2, 1]);
  answers[1]?.(known(healthy(["s", false])));
  await turns();
  expect([answers.length, told.length]).toEqual([2, 2]);
  // All is quiet: the next change is told as the first one was.
  renew();
  await turns();
  expect(answers).toHaveLength(3);
});

test.each([
  { wishes: ["renew", "makeUp"] },
  { wishes: ["makeUp", "renew"] },
  { wishes: ["makeUp", "renew", "makeUp"] },
] as const)("of $wishes while streams are told the greater is done afterwards", async ({ wishes }) => {
  const answers: ((found: BigSegments) => void)[] = [];
  const [ping, one] = [stream("ping"), stream("eval", known(healthy()))];
  const told: Subscriber[] = [];
  const renewal = createRenewal({
    bigSegments: answering(() => new Promise((resolve) => answers.push(resolve))),
    streams: { subscribers: () => [ping, one], renew: (subscriber) => told.push(subscriber) },
    logger: silentLogger,
  });
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  renewal.renew();
  await turns();
  for (const wish of wishes) renewal[wish]();
  answers[0]?.(known(healthy()));
  await turns();
  expect([told, answers.length]).toEqual([[ping, ping], 2]);
});

test("what a stream knows is as old as the oldest part of it, from when that was asked for", async () => {
  const flags = { evaluator: {} } as FlagSet;
  const one = stream("eval", new Map());
  const [view, fresh] = [one.view!, stream("eval", new Map()).view!];
  let wanted = ["alice"];
  let answer = (_found: BigSegments) => {};
  const members = {
    revision: 5,
    missing: () => wanted,
    read: () =>
      new Promise<BigSegments>((resolve) => {
        answer = resolve;
      }),
  };
  async function prepare(key: string, revision: number, view = one.view!) {
    wanted = [key];
    const prepared = prepareView(members, flags, view);
    // Memberships change before there is an answer.
    members.revision = revision;
    answer(new Map([[key, healthy()]]));
    await prepared;
    return [view.revision, isLate(members, view)];
  }
  expect(await prepare("alice", 6, fresh)).toEqual([5, true]);
  members.revision = 5;
  expect(await prepare("alice", 5)).toEqual([5, false]);
  expect(await prepare("org", 6)).toEqual([5, true]);
  expect(await prepare("device", 6)).toEqual([5, true]);
  const { renew } = createRenewal({
    bigSegments: members,
    streams: { subscribers: () => [one], renew: () => {} },
    logger: silentLogger,
  });
  for (const { revision, isOld } of [
    { revision: 7, isOld: true },
    { revision: 7, isOld: false },
  ]) {
    renew();
    await new Promise(setImmediate);
    members.revision = revision;
    answer(view.bigSegments ?? new Map());
    await new Promise(setImmediate);
    expect([view.revision === 7, isLate(members, view)]).toEqual([!isOld, isOld]);
  }
});

test("streams that cannot be told are reported, and told of the next change", async () => {
  const errors: string[] = [];
  let isBroken = true;
  const [ping, told] = [stream("ping"), [] as Subscriber[]];
  const { renew } = createRenewal({
    bigSegments: answering(() => new Map()),
    streams: {
      subscribers: () => [ping],
      renew(one) {
        if (isBroken) throw new Error("gone");
        told.push(one);
      },
    },
    logger: { ...silentLogger, error: (message) => errors.push(message) },
  });
  renew();
  await new Promise(setImmediate);
  expect(errors).toEqual(["big segments: telling streams failed: gone"]);
  isBroken = false;
  renew();
  await new Promise(setImmediate);
  expect(told).toEqual([ping]);
});

test("a view is asked about only as far as it is not known, and keeps what is", async () => {
  const flags = { evaluator: {} } as FlagSet;
  const view: ClientView = { context: {} as Context, audience: "browser", withReasons: false };
  const asked: (readonly string[])[] = [];
  const members: Members = {
    revision: 7,
    missing: (_evaluator, _context, already) => ["alice", "org"].filter((key) => already?.has(key) !== true),
    read(keys) {
      asked.push(keys);
      return new Map(keys.map((key) => [key, healthy([key, true])]));
    },
  };
  expect(prepareView(undefined, flags, view)).toBeUndefined();
  expect(prepareView(members, flags, undefined)).toBeUndefined();
  view.bigSegments = known(healthy());
  await prepareView(members, flags, view);
  expect(view.bigSegments).toEqual(new Map([...known(healthy()), ["org", healthy(["org", true])]]));
  expect(prepareView(members, flags, view)).toBeUndefined();
  expect(asked).toEqual([["org"]]);
  expect(view.revision).toBe(7);
});

test("late are those that were not answered, or not since the last change; made up for are only they", async () => {
  const views: [bigSegments: BigSegments | undefined, revision: number | undefined, isLate: boolean][] = [
    [undefined, undefined, false],
    [known(healthy()), 7, false],
    [known(healthy()), 6, true],
    [known({ status: "STORE_ERROR" }), 7, true],
  ];
  const streams = views.map(([bigSegments, revision]) => {
    const one = stream("eval", bigSegments);
    if (one.view !== undefined) one.view.revision = revision;
    return one;
  });
  let fails = true;
  const members: Members = {
    ...answering((keys) =>
      fails ? known({ status: "STORE_ERROR" }) : new Map(keys.map((key) => [key, healthy(["s", true])])),
    ),
    revision: 7,
  };
  const told: Subscriber[] = [];
  const { makeUp } = createRenewal({
    bigSegments: members,
    streams: { subscribers: () => [stream("ping"), ...streams], renew: (one) => told.push(one) },
    logger: silentLogger,
  });
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  const late = streams.filter((_, index) => views[index]?.[2]);
  const lateNow = () => streams.filter(({ view }) => view !== undefined && isLate(members, view));
  expect(lateNow()).toEqual(late);
  makeUp();
  await turns();
  expect(told).toEqual([]);
  expect(lateNow()).toEqual(late);
  fails = false;
  makeUp();
  await turns();
  expect(told).toEqual(late);
  expect(lateNow()).toEqual([]);
});

import { type Change, parseItem, type SourceContext, type SourceFactory, systemClock } from "@wye/relay";
import { expect, test } from "vitest";
import { Feed } from "./feed.js";
import { Subscription } from "./subscription.js";

const change = (extent: Change["extent"], ...versions: readonly number[]): Change => ({
  extent,
  items: versions.map((version) => parseItem("flags", `f${version}`, JSON.stringify({ version }))),
  selector: undefined,
});

/** A feed whose source is in the hands of the test, and what was told of its end. */
function createFeed() {
  const contexts: SourceContext[] = [];
  const ends: string[] = [];
  const start: SourceFactory = (context) => {
    contexts.push(context);
    return { close: () => void ends.push("closed") };
  };
  const lines: string[] = [];
  const logger = {
    debug: (line: string) => void lines.push(`debug ${line}`),
    info: (line: string) => void lines.push(`info ${line}`),
    warn: (line: string) => void lines.push(`warn ${line}`),
    error: (line: string) => void lines.push(`error ${line}`),
  };
  const context = { label: "a", sdkKey: "sdk", filter: undefined, upstream: {} as never, logger };
  const feed = new Feed(start, { ...context, clock: systemClock, random: Math.random }, () => {
    ends.push("ended");
  });
  const [{ sink, logger: own }] = contexts as [SourceContext];
  return { feed, ends, sink, own, lines };
}

/** A worker that is sent changes, each as its extent and the versions of its flags. */
function createWorker() {
  const told: string[] = [];
  const subscription = new Subscription({
    change: ({ extent, items }) => {
      told.push([extent, ...items.map(([, , json]) => JSON.parse(json).version)].join(" "));
    },
    trouble: (type, { message }) => void told.push(`${type} ${message}`),
  });
  return { subscription, told };
}

test("what comes while nobody is there is kept for who comes, and keeps upstream from nothing", async () => {
  const { feed, sink } = createFeed();
  await sink.apply(change("partial", 1));
  const early = createWorker();
  feed.add(early.subscription);
  // Of what is not known to be everything nothing is given.
  expect(early.told).toEqual([]);
  feed.remove(early.subscription);
  await sink.apply(change("full", 1, 2));
  sink.interrupted("NETWORK_ERROR", "gone");
  const late = createWorker();
  feed.add(late.subscription);
  expect(late.told).toEqual(["full 1 2", "interrupted gone"]);
});

test("a trouble is over with the next change", async () => {
  const { feed, sink } = createFeed();
  sink.interrupted("NETWORK_ERROR", "gone");
  await sink.apply(change("full", 1));
  const worker = createWorker();
  feed.add(worker.subscription);
  expect(worker.told).toEqual(["full 1"]);
});

test("the first worker that has taken a change has answered for all, and so has the first that cannot", async () => {
  const { feed, sink } = createFeed();
  const [quick, slow] = [createWorker(), createWorker()];
  for (const { subscription } of [slow, quick]) feed.add(subscription);
  const first = sink.apply(change("full", 1));
  quick.subscription.taken(undefined);
  await first;
  const second = sink.apply(change("partial", 2));
  quick.subscription.taken("flag f2 is none");
  await expect(second).rejects.toThrow("flag f2 is none");
  const late = createWorker();
  feed.add(late.subscription);
  expect([quick.told, slow.told, late.told]).toEqual([["full 1", "partial 2"], ["full 1"], []]);
});

test("it ends when its key is refused, which all are told, and is closed with the last of them", () => {
  const { feed, ends, sink } = createFeed();
  const workers = [createWorker(), createWorker()];
  for (const { subscription } of workers) feed.add(subscription);
  sink.refused("ERROR_RESPONSE", "no such key");
  expect(ends).toEqual(["ended"]);
  for (const { subscription, told } of workers) {
    expect(told).toEqual(["refused no such key"]);
    expect(ends).not.toContain("closed");
    feed.remove(subscription);
  }
  expect(ends.filter((end) => end === "closed")).toHaveLength(1);
});

test("with the last worker it ends, so that the next one starts anew", () => {
  const { feed, ends } = createFeed();
  const [first, second] = [createWorker(), createWorker()];
  for (const { subscription } of [first, second]) feed.add(subscription);
  feed.remove(first.subscription);
  expect(ends).toEqual([]);
  feed.remove(second.subscription);
  expect(ends).toEqual(["ended", "closed"]);
});

test("its lines are written as what they are, with the name of the environment", () => {
  const { feed, own, lines } = createFeed();
  const levels = ["debug", "info", "warn", "error"] as const;
  for (const level of levels) own[level]("line");
  feed.label = "renamed";
  own.warn("two\nlines");
  expect(lines).toEqual([...levels.map((level) => `${level} [a] line`), "warn [renamed] two\\x0alines"]);
});

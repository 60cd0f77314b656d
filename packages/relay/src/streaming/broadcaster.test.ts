import { PassThrough } from "node:stream";
import { createContext, parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { FlagSet } from "../flag-set.js";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import { Broadcaster } from "./broadcaster.js";
import type { Channel } from "./channel.js";
import { StreamOutput } from "./stream-output.js";
import { Subscriber } from "./subscriber.js";

const item = (version: number, text = "") =>
  parseItem("flags", "a", `{"version":${version},"on":false,"text":"${text}"}`);
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A broadcaster whose turns end after `sliceMs`, before streams in memory. */
function setUp(sliceMs = 1000) {
  const flags = new FlagSet();
  flags.apply({ extent: "full", items: [item(1)] });
  const clock = createManualClock();
  const dropped: string[] = [];
  const errors: string[] = [];
  const scheduled: number[] = [];
  const broadcaster = new Broadcaster({
    prepare: () => undefined,
    flags,
    clock,
    sliceMs,
    stallMs: 1000,
    random: () => 0.5,
    logger: { ...silentLogger, error: (message) => errors.push(message) },
    later(ms, run) {
      scheduled.push(ms);
      return clock.schedule(ms, run);
    },
    dropped: () => dropped.push("dropped"),
  });
  const join = (channel: Channel = "all") => {
    const res = Object.assign(new PassThrough(), { headersSent: false, statusCode: 200, writeHead() {} });
    let text = "";
    res.on("data", (chunk) => {
      text += chunk;
    });
    const context = createContext({ kind: "user", key: "u" });
    const view = { context, audience: "mobile", withReasons: false } as const;
    const subscriber = new Subscriber(
      { channel, audience: "mobile", ...(channel === "client" ? { view } : {}) },
      "digest",
      new StreamOutput(res),
    );
    broadcaster.join(subscriber, {});
    return {
      subscriber,
      res,
      text: () => text,
      events: () =>
        [...text.matchAll(/event: (\w+)\n.*?"version":(\d+)/g)].map(
          ([, name, version]) => `${name}${version}`,
        ),
    };
  };
  const patch = (version: number, text?: string) => {
    flags.apply({ extent: "partial", items: [item(version, text)] });
    broadcaster.update();
  };
  return { broadcaster, join, patch, clock, dropped, errors, scheduled };
}

test("a stream that is opened between a change and its telling is not told again", async () => {
  const { join, patch } = setUp();
  const before = join();
  patch(2);
  const after = join();
  await turn();
  await turn();
  expect(before.events()).toEqual(["put1", "patch2"]);
  expect(after.events()).toEqual(["put2"]);
});

test("while many are told of one change, others follow for those who come later in the row, and reach all", async () => {
  const { join, patch } = setUp(0.000_001);
  const streams = Array.from({ length: 60 }, () => join());
  patch(2);
  await turn();
  patch(3);
  const late = join();
  patch(4);
  for (let i = 0; i < 40; i++) await turn();
  const told = streams.map(({ events }) => events().join(" "));
  expect(told[0]).toBe("put1 patch2 patch4");
  expect(told.at(-1)).toBe("put1 patch4");
  expect(new Set(told).size).toBe(2);
  expect(late.events()).toEqual(["put3", "patch4"]);
});

test("a reader is told more when it has taken what it was told, and only what there is then", async () => {
  const { broadcaster, join, patch, clock, dropped } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  // More than it takes before it is read.
  patch(2, "x".repeat(100_000));
  await turn();
  for (let version = 3; version < 12; version++) {
    patch(version);
    broadcaster.heartbeat();
    await turn();
  }
  stream.res.resume();
  for (let i = 0; i < 5; i++) await turn();
  expect(stream.events()).toEqual(["put1", "patch2", "patch11"]);
  // It has caught up: it is told at once, and has nothing to take.
  patch(12);
  await turn();
  expect(stream.events().at(-1)).toBe("patch12");
  clock.advance(5000);
  expect(dropped).toEqual([]);
});

test("a stream that cannot be told ends alone", async () => {
  const { join, patch, errors } = setUp();
  const [broken, sound] = [join("client"), join()];
  broken.subscriber.output.write = () => {
    throw new Error("cannot be written");
  };
  patch(2);
  await turn();
  expect(broken.res.destroyed).toBe(true);
  expect(sound.events()).toEqual(["put1", "patch2"]);
  expect(errors).toHaveLength(1);
});

test("who takes part after part of a large event stays; who takes nothing of it for the time given goes", async () => {
  const { join, patch, clock, dropped } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  patch(2, "x".repeat(4_000_000));
  await turn();
  for (let size = 0; size < 2_000_000 && dropped.length === 0; ) {
    clock.advance(900);
    const part: Buffer | null = stream.res.read();
    size += part?.length ?? 0;
    await turn();
  }
  expect(dropped).toEqual([]);
  clock.advance(1000);
  expect(dropped).toHaveLength(1);
  expect(stream.res.destroyed).toBe(true);
});

test.each([
  { count: 1, delays: [] },
  // Half of the time, as the random number says.
  { count: 2, delays: [1, 1] },
  { count: 400, delays: new Array(400).fill(200) },
  { count: 6000, delays: new Array(6000).fill(2500) },
])("$count pings are spread over a millisecond each, and five seconds at most", async ({ count, delays }) => {
  const { broadcaster, join, patch, scheduled } = setUp();
  const gone = join("ping");
  for (let n = 0; n < count; n++) join("ping");
  broadcaster.leave(gone.subscriber);
  patch(2);
  await turn();
  expect(scheduled).toEqual(delays);
});

test("of a stream whose reader takes its end nothing is left; one that does not is cut off after five seconds", () => {
  const { broadcaster, join, clock } = setUp();
  const [good, stalled] = [join(), join()];
  broadcaster.endThese([good.subscriber, stalled.subscriber]);
  expect(clock.pending).toBe(2);
  broadcaster.leave(good.subscriber);
  expect(clock.pending).toBe(1);
  clock.advance(4999);
  expect(stalled.res.destroyed).toBe(false);
  clock.advance(1);
  expect([good.res.destroyed, stalled.res.destroyed]).toEqual([false, true]);
});

test("who has gone while it was behind is not counted as dropped", async () => {
  const { broadcaster, join, patch, clock, dropped } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  patch(2, "x".repeat(1_000_000));
  await turn();
  broadcaster.leave(stream.subscriber);
  clock.advance(5000);
  expect(dropped).toEqual([]);
});

test("a stream that is ended in the middle of an event ends behind it", async () => {
  const { broadcaster, join, patch } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  patch(2, "x".repeat(1_000_000));
  await turn();
  broadcaster.end(stream.subscriber);
  const ended = new Promise((resolve) => stream.res.once("end", resolve));
  stream.res.resume();
  await ended;
  expect(stream.text().length).toBeGreaterThan(1_000_000);
  expect(stream.text().endsWith('"}}\n\n')).toBe(true);
});

test("whoever stalls after another was cut off is cut off as well", async () => {
  const { broadcaster, join, patch, clock, dropped } = setUp();
  for (const version of [2, 3, 4]) {
    const stream = join();
    await turn();
    stream.res.pause();
    patch(version, "x".repeat(1_000_000));
    await turn();
    clock.advance(1000);
    expect(stream.res.destroyed).toBe(true);
    expect(dropped).toHaveLength(version - 1);
    broadcaster.leave(stream.subscriber);
  }
});

test("whoever takes nothing is cut off in time, whatever others take that have waited as long", async () => {
  const { join, patch, clock, dropped } = setUp();
  const [reads, stalls] = [join(), join()];
  await turn();
  for (const { res } of [reads, stalls]) res.pause();
  patch(2, "x".repeat(4_000_000));
  await turn();
  clock.advance(600);
  reads.res.read();
  await turn();
  clock.advance(400);
  expect([dropped.length, reads.res.destroyed, stalls.res.destroyed]).toEqual([1, false, true]);
  clock.advance(600);
  expect([dropped.length, reads.res.destroyed]).toEqual([2, true]);
});

test("of the end of all nothing is left when readers go before it is their turn", async () => {
  const { broadcaster, join, clock } = setUp();
  const streams = [join(), join(), join()];
  const never = new Promise<void>(() => {});
  const done = broadcaster.endAll({ spreadMs: 1000, clock, random: () => 0.5, deadline: never });
  expect(clock.pending).toBe(streams.length);
  for (const { subscriber } of streams) broadcaster.leave(subscriber);
  await done;
  expect(clock.pending).toBe(0);
});

/** One stream that is ending, and the end of all that was begun then. */
async function endingTwice() {
  const { broadcaster, join, patch, clock } = setUp();
  const { subscriber, res } = join();
  await turn();
  res.pause();
  patch(2, "x".repeat(1_000_000));
  await turn();
  broadcaster.end(subscriber);
  let late = () => {};
  const deadline = new Promise<void>((resolve) => {
    late = resolve;
  });
  const over = { is: false };
  const done = broadcaster.endAll({ spreadMs: 0, clock, random: () => 0, deadline });
  void done.then(() => {
    over.is = true;
  });
  return { res, over, done, late, leave: () => broadcaster.leave(subscriber) };
}

test("the end of all waits until streams have gone that were ending already", async () => {
  const { over, done, leave } = await endingTwice();
  await turn();
  expect(over.is).toBe(false);
  leave();
  await done;
});

test("the end of all cuts off at its deadline what was ending already", async () => {
  const { res, over, done, late } = await endingTwice();
  await turn();
  expect([over.is, res.destroyed]).toEqual([false, false]);
  late();
  await done;
  expect(res.destroyed).toBe(true);
});

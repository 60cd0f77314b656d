import { expect, test } from "vitest";
import { setUpBroadcaster as setUp } from "../../test/set-up-broadcaster.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

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

test("a ping is waited for by those only that have not been told", async () => {
  const { join, patch, scheduled } = setUp();
  join("ping");
  patch(2);
  join("ping");
  join("ping");
  await turn();
  expect(scheduled).toHaveLength(1);
});

test("a stream that has gone is not ended", () => {
  const { broadcaster, join, scheduled } = setUp();
  const { subscriber, res } = join();
  broadcaster.leave(subscriber);
  broadcaster.end(subscriber);
  expect([scheduled, res.writableEnded]).toEqual([[], false]);
});

test("of many that are ended nobody waits for one that goes before it is its turn", async () => {
  const { broadcaster, join, scheduled } = setUp(0.000_001);
  const streams = Array.from({ length: 60 }, () => join());
  broadcaster.endThese(broadcaster.subscribers());
  broadcaster.leave(streams.at(-1)!.subscriber);
  for (let i = 0; i < 60; i++) await turn();
  expect(scheduled).toHaveLength(59);
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

test("who waits for a ping gets one for all that changes until then, and another one for what changes later", async () => {
  const { broadcaster, join, patch, clock, scheduled } = setUp();
  const streams = [join("ping"), join("ping"), join("ping")];
  const [gone, ...others] = streams.map(
    ({ text }) =>
      () =>
        text().match(/event: ping/g)?.length,
  );
  for (let round = 1; round <= 3; round++) {
    for (let change = 1; change <= 3; change++) {
      patch(10 * round + change);
      await turn();
    }
    // Each is due once.
    expect(scheduled).toHaveLength(2 * round + 1);
    if (round === 1) broadcaster.leave(streams[0]!.subscriber);
    clock.advance(2);
    await turn();
    expect([gone?.(), ...others.map((pings) => pings())]).toEqual([1, round + 1, round + 1]);
  }
});

test("of a stream that cannot be opened nothing is left", async () => {
  const { broadcaster, join, patch, scheduled } = setUp();
  const refuse = () => {
    throw new Error("cannot be opened");
  };
  expect(() => join("ping", refuse)).toThrow("cannot be opened");
  expect(broadcaster.size).toBe(0);
  const other = join("ping");
  patch(2);
  await turn();
  // It is the only one, so that it need not wait.
  expect([scheduled, other.text().match(/event: ping/g)?.length]).toEqual([[], 2]);
});

test("a stream that cannot be told ends alone", async () => {
  const { join, patch, errors, dropped } = setUp();
  const [broken, sound] = [join("client"), join()];
  broken.subscriber.output.write = () => {
    throw new Error("cannot be written");
  };
  patch(2);
  await turn();
  expect(broken.res.destroyed).toBe(true);
  expect(sound.events()).toEqual(["put1", "patch2"]);
  expect(errors).toHaveLength(1);
  // Its reader was not too slow.
  expect(dropped).toEqual([]);
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

test("a ping is spread over pings alone, whatever other streams come and go", async () => {
  const { broadcaster, join, patch, scheduled } = setUp();
  const others = Array.from({ length: 10 }, () => join());
  for (const { subscriber } of others.slice(0, 5)) broadcaster.leave(subscriber);
  const { text } = join("ping");
  patch(2);
  await turn();
  await turn();
  expect([scheduled, text().match(/event: ping/g)?.length]).toEqual([[], 2]);
});

test("who has not taken the last yet when its ping is due gets it when that is taken", async () => {
  const { broadcaster, join, patch, clock } = setUp();
  const { output } = join("ping").subscriber;
  join("ping");
  patch(2);
  await turn();
  const written: string[] = [];
  output.write = ({ event }) => {
    written.push(`${event}`);
    return false;
  };
  broadcaster.heartbeat();
  clock.advance(10);
  expect(written).toEqual([":\n"]);
  output.onTaken(true);
  clock.advance(10);
  expect(written).toEqual([":\n", "event: ping\ndata:  \n\n"]);
});

test("a stream that is ended twice is ended once", () => {
  const { broadcaster, join, scheduled } = setUp();
  const { subscriber } = join();
  broadcaster.end(subscriber);
  broadcaster.endThese([subscriber]);
  expect(scheduled).toEqual([5000]);
});

test("of a stream whose reader takes its end nothing is left; one that does not is cut off after five seconds", () => {
  const { broadcaster, join, clock, dropped } = setUp();
  const [good, stalled] = [join(), join()];
  broadcaster.endThese([good.subscriber, stalled.subscriber]);
  expect(clock.pending).toBe(2);
  broadcaster.leave(good.subscriber);
  expect(clock.pending).toBe(1);
  clock.advance(4999);
  expect(stalled.res.destroyed).toBe(false);
  clock.advance(1);
  expect([good.res.destroyed, stalled.res.destroyed, dropped]).toEqual([false, true, []]);
});

test("a stream that is ended in the middle of an event ends behind it, whatever changes meanwhile", async () => {
  const { broadcaster, join, patch, clock, dropped, errors } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  patch(2, "x".repeat(1_000_000));
  await turn();
  broadcaster.end(stream.subscriber);
  patch(3);
  const ended = new Promise((resolve) => stream.res.once("end", resolve));
  stream.res.resume();
  await ended;
  expect(stream.text().length).toBeGreaterThan(1_000_000);
  expect(stream.text().endsWith('"}}\n\n')).toBe(true);
  // Nor is its reader taken for a slow one.
  clock.advance(1000);
  expect([stream.events(), dropped, errors]).toEqual([["put1", "patch2"], [], []]);
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

test("the ends of all are spread over the time, and the deadline cuts off whoever is there then, ended or not", async () => {
  const { broadcaster, join, clock, scheduled } = setUp();
  const streams = [join(), join(), join()];
  const shares = [0.9, 0.1, 0.5];
  let late = () => {};
  const deadline = new Promise<void>((resolve) => {
    late = resolve;
  });
  const random = () => shares.shift() ?? 0;
  const done = broadcaster.endAll({ spreadMs: 1000, clock, random, deadline });
  const ended = () => streams.map(({ res }) => res.writableEnded);
  // The timers of the environment end before its streams do.
  expect(scheduled).toEqual([]);
  clock.advance(99);
  expect(ended()).toEqual([false, false, false]);
  clock.advance(1);
  expect(ended()).toEqual([false, true, false]);
  clock.advance(400);
  expect(ended()).toEqual([false, true, true]);
  broadcaster.leave(streams[2]!.subscriber);
  late();
  await done;
  expect(streams.map(({ res }) => res.destroyed)).toEqual([true, true, false]);
  // That one is cut off after a while.
  expect(clock.pending).toBe(1);
  broadcaster.leave(streams[1]!.subscriber);
  expect(clock.pending).toBe(0);
});

test("the end of all waits for streams whose turn has not come, and for readers that have not gone", async () => {
  const { broadcaster, join, clock } = setUp();
  const [first, second, third] = [join(), join(), join()];
  const shares = [0.1, 0.5, 0.9];
  const never = new Promise<void>(() => {});
  const random = () => shares.shift() ?? 0;
  let isOver = false;
  const done = broadcaster.endAll({ spreadMs: 1000, clock, random, deadline: never }).then(() => {
    isOver = true;
  });
  for (const [ms, { subscriber }] of [
    [100, first],
    [800, second],
  ] as const) {
    clock.advance(ms);
    broadcaster.leave(subscriber);
    await turn();
    expect(isOver).toBe(false);
  }
  broadcaster.leave(third.subscriber);
  await done;
});

/** A broadcaster that has to find out something before it tells; `found` says that it has. */
function findingOut() {
  const asked: (() => void)[] = [];
  let isKnown = false;
  const setting = setUp(1000, () =>
    isKnown ? undefined : new Promise<void>((resolve) => void asked.push(resolve)),
  );
  const found = (knows: boolean) => {
    isKnown = knows;
    for (const resolve of asked) resolve();
  };
  return { ...setting, asked, found };
}

test("while it is found out what a stream has to know, that is not asked again, and afterwards only if flags have changed", async () => {
  const { broadcaster, join, patch, asked, found } = findingOut();
  const stream = join();
  for (const version of [2, 3]) {
    patch(version);
    await turn();
    expect([asked.length, stream.events()]).toEqual([1, ["put1"]]);
  }
  // It is kept open meanwhile.
  broadcaster.heartbeat();
  await turn();
  expect(stream.text().endsWith("\n\n:\n")).toBe(true);
  found(false);
  await turn();
  expect([asked.length, stream.events()]).toEqual([2, ["put1"]]);
  found(true);
  await turn();
  expect([asked.length, stream.events()]).toEqual([2, ["put1", "patch3"]]);
});

test("a stream that has gone is told nothing, neither anew nor what was found out for it", async () => {
  const { broadcaster, join, patch, found, errors } = findingOut();
  const stream = join();
  patch(2);
  await turn();
  broadcaster.leave(stream.subscriber);
  found(true);
  await turn();
  broadcaster.renew(stream.subscriber);
  await turn();
  expect([stream.events(), errors]).toEqual([["put1"], []]);
});

test.each([
  { changes: 15, told: "patch16" },
  { changes: 16, told: "put17" },
])("a stream that has missed $changes changes is told $told", async ({ changes, told }) => {
  const { join, patch, found } = findingOut();
  const stream = join();
  for (let change = 1; change <= changes; change++) {
    patch(1 + change);
    await turn();
  }
  found(true);
  await turn();
  expect(stream.events()).toEqual(["put1", told]);
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

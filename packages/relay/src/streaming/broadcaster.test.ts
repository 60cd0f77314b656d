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

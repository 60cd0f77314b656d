import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { publisherBefore } from "../../test/publisher-before.js";

const capacity = { count: 1000, bytes: 1_000_000 };
const verbatim = { schema: 4, tags: "", origin: "verbatim", key: undefined };

/** A publisher before an upstream that takes no more than so many events at a time, and tells the time of its clock. */
function setUp(mostEvents: number, statusCode: number, dates: readonly (string | undefined)[] = []) {
  const posted: number[] = [];
  const request = async ({ body = "" }: { readonly body?: Buffer | string }) => {
    const { length } = JSON.parse(gunzipSync(body).toString());
    const date = dates[posted.length];
    posted.push(length);
    return {
      statusCode: length <= mostEvents ? 202 : statusCode,
      headers: date === undefined ? {} : { date },
      body: Readable.from([]),
    };
  };
  const { told, ...made } = publisherBefore({ request }, { capacity });
  const { publisher } = made;
  const add = (count: number) =>
    publisher.add(verbatim, { bytes: Buffer.from(Array(count).fill("{}").join(",")), count });
  return { ...made, posted, told, add };
}

test("of posts that are too large so many parts are sent in one flush, and the others with the next ones", async () => {
  const { publisher, budget, posted, counted, add } = setUp(1, 413);
  add(100);
  await publisher.flush();
  expect(posted).toHaveLength(1 + 64);
  for (let flushes = 0; flushes < 5; flushes++) await publisher.flush();
  expect(posted.filter((length) => length === 1)).toHaveLength(100);
  expect(counted.events_delivered).toBe(100);
  expect(budget.room).toEqual(capacity);
});

test("parts that are left of a flush are sent by themselves, and counted when there is no time for them", async () => {
  const { publisher, clock, counted, add } = setUp(1, 413);
  add(100);
  while (clock.pending > 0) {
    clock.advance(5000);
    await publisher.flush();
  }
  expect(counted.events_delivered).toBe(100);
  const late = setUp(1, 413);
  late.add(1000);
  await late.publisher.flush();
  await late.publisher.close(Promise.resolve());
  const { events_delivered = 0, events_dropped = 0 } = late.counted;
  expect(events_delivered + events_dropped).toBe(1000);
  expect(late.budget.room).toEqual(capacity);
});

test.each([503, 413, 400, 401])(
  "after the end nothing is held of what upstream answers %i to",
  async (status) => {
    const { publisher, budget, counted, add } = setUp(0, status);
    for (const count of [3, 2, 1]) add(count);
    expect(budget.room.count).toBe(994);
    await publisher.close(Promise.resolve());
    expect(counted.events_dropped).toBe(6);
    expect(budget.room).toEqual(capacity);
  },
);

test("the time of upstream is what it has said last when it took events", async () => {
  const date = "Tue, 14 Nov 2023 22:13:20 GMT";
  const later = "Tue, 14 Nov 2023 22:13:21 GMT";
  const { publisher, counted, add } = setUp(1, 401, [undefined, date, undefined, "soon", later, later, date]);
  const times = [publisher.serverTime];
  for (const count of [1, 1, 1, 1, 2, 1, 1]) {
    add(count);
    await publisher.flush();
    times.push(publisher.serverTime - 1_700_000_000_000);
  }
  // What it does not take says nothing.
  expect(counted).toEqual({ events_delivered: 6, event_posts_failed: 1, events_dropped: 2 });
  expect(times).toEqual([0, -1_700_000_000_000, 0, 0, 0, 0, 1000, 0]);
});

test("events that do not fit are counted, and told of once until upstream has taken some, a minute later at the earliest", async () => {
  const { publisher, budget, clock, counted, told, add } = setUp(1000, 413);
  for (const outbreak of [1, 2]) {
    add(1000);
    expect([counted.events_dropped ?? 0, told.length]).toEqual([3 * (outbreak - 1), outbreak - 1]);
    add(1);
    add(2);
    expect(counted.events_dropped).toBe(3 * outbreak);
    expect(told).toEqual(
      Array(outbreak).fill("the event buffer is full; raise capacity to keep more events"),
    );
    await publisher.flush();
    expect(budget.room).toEqual(capacity);
    clock.advance(60_000);
    await publisher.flush();
  }
  expect(counted.events_delivered).toBe(2000);
});

test("what comes after the end makes no flush, and what was under way at the deadline is counted and given back", async () => {
  const request = () => new Promise<never>(() => {});
  const { publisher, clock, budget, counted } = publisherBefore({ request }, { capacity });
  for (const tags of ["", "a", "b"])
    publisher.add({ ...verbatim, tags }, { bytes: Buffer.from("{}"), count: 1 });
  void publisher.flush();
  await new Promise(setImmediate);
  let late = () => {};
  const closed = publisher.close(new Promise((resolve) => (late = resolve)));
  await new Promise(setImmediate);
  late();
  expect([await closed, counted.events_dropped, budget.room]).toEqual([3, 3, capacity]);
  clock.advance(5000);
  publisher.scheduleFlush();
  expect(clock.pending).toBe(0);
});

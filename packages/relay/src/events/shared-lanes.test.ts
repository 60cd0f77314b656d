import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { closeUntilEnd, publisherBefore } from "../../test/publisher-before.js";
import { createLanes } from "../lanes.js";
import { resolveOptions } from "../options/resolve-options.js";
import type { UpstreamAnswer } from "../options/resolved-sections.js";

const capacity = { count: 100, bytes: 100_000 };
const metadata = { schema: 4, tags: "", origin: "verbatim", key: "sdk-1" };

/** Two environments that share one lane, before an upstream that answers when the test says so. */
function setUp() {
  const open: (() => void)[] = [];
  const posted: string[] = [];
  const request = async ({ body = "", signal }: { body?: Buffer | string; signal: AbortSignal }) => {
    posted.push(gunzipSync(body).toString());
    await new Promise<void>((resolve, reject) => {
      open.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return { statusCode: 202, headers: {}, body: Readable.from([]) };
  };
  const eventLanes = createLanes(1);
  const publishers = Array.from({ length: 2 }, () =>
    publisherBefore({ request }, { capacity, requestTimeoutMs: 3_600_000, eventLanes }),
  );
  const [one, other] = publishers;
  if (one === undefined || other === undefined) expect.unreachable();
  for (const { publisher } of publishers) publisher.add(metadata, { bytes: Buffer.from("1"), count: 1 });
  const until = async (enough: () => boolean) => {
    while (!enough()) await new Promise(setImmediate);
  };
  return { one, other, open, posted, asked: () => posted.length, until };
}

test("a post waits until one of another environment is through, and is sent then", async () => {
  const { one, other, open, asked, until } = setUp();
  const flushed = [one.publisher.flush(), other.publisher.flush()];
  await until(() => asked() === 1);
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  expect(asked()).toBe(1);
  open[0]?.();
  await flushed[0];
  await until(() => asked() === 2);
  open[1]?.();
  await flushed[1];
  expect([one.counted, other.counted]).toEqual([{ events_delivered: 1 }, { events_delivered: 1 }]);
});

test("what comes while a post waits for its turn goes with it, and nothing is sent twice", async () => {
  const { one, other, open, posted, asked, until } = setUp();
  const flushed = [one.publisher.flush()];
  await until(() => asked() === 1);
  for (const event of ["2", "3"]) {
    flushed.push(other.publisher.flush());
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    other.publisher.add(metadata, { bytes: Buffer.from(event), count: 1 });
  }
  open[0]?.();
  await until(() => asked() === 2);
  other.publisher.add(metadata, { bytes: Buffer.from("4"), count: 1 });
  open[1]?.();
  await Promise.all(flushed);
  expect(posted).toEqual(["[1]", "[1,2,3]"]);
  const last = other.publisher.flush();
  await until(() => asked() === 3);
  open[2]?.();
  await last;
  expect([posted[2], other.counted.events_delivered]).toEqual(["[4]", 4]);
  expect(other.budget.room).toEqual(capacity);
});

test("an environment whose posts wait for another one's that hangs ends at its deadline", async () => {
  const { one, other, open, asked, until } = setUp();
  const flushed = one.publisher.flush();
  await until(() => asked() === 1);
  expect(await other.publisher.close(Promise.resolve())).toBe(1);
  expect([asked(), other.budget.room, other.counted.events_dropped]).toEqual([1, capacity, 1]);
  open[0]?.();
  await flushed;
  expect(one.counted).toEqual({ events_delivered: 1 });
});

test("what waits for the lane of another environment when the deadline comes is counted, and gives its room back", async () => {
  const { one, other, open, asked, until } = setUp();
  const flushed = one.publisher.flush();
  await until(() => asked() === 1);
  void other.publisher.flush();
  const { closed: closing, end } = closeUntilEnd(other.publisher);
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  end();
  expect(await closing).toBe(1);
  expect([asked(), other.budget.room, other.counted]).toEqual([1, capacity, { events_dropped: 1 }]);
  open[0]?.();
  await flushed;
});

test("what has its lane and is not compressed yet at the deadline is counted as what is left", async () => {
  const room = { count: 100, bytes: 100_000_000 };
  const { publisher, counted, budget } = publisherBefore(
    { request: () => expect.unreachable() },
    { capacity: room, requestTimeoutMs: 3_600_000 },
  );
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: 300_000 }, (_, n) => n)).slice(1, -1));
  for (let n = 0; n < 8; n++) publisher.add({ ...metadata, tags: `${n}` }, { bytes, count: 1 });
  void publisher.flush();
  // Some are being compressed now, and the others wait for them.
  await new Promise(setImmediate);
  expect(await publisher.close(Promise.resolve())).toBe(8);
  expect([counted.events_dropped, budget.room]).toEqual([8, room]);
});

test("what upstream takes only in parts, and is being divided at the deadline, is counted as what is left", async () => {
  const room = { count: 100, bytes: 100_000_000 };
  const answers: (() => void)[] = [];
  const request = () =>
    new Promise<UpstreamAnswer>((resolve) =>
      answers.push(() => resolve({ statusCode: 413, headers: {}, body: Readable.from([]) })),
    );
  const { publisher, counted, budget } = publisherBefore(
    { request },
    { capacity: room, requestTimeoutMs: 3_600_000 },
  );
  const event = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => n));
  const bytes = Buffer.from(Array.from({ length: 9 }, () => event).join());
  for (let n = 0; n < 8; n++) publisher.add({ ...metadata, tags: `${n}` }, { bytes, count: 9 });
  void publisher.flush();
  await expect.poll(() => answers.length, { timeout: 15_000 }).toBe(8);
  const { closed, end } = closeUntilEnd(publisher);
  for (const answer of answers) answer();
  await expect.poll(() => counted.event_posts_failed).toBe(8);
  end();
  expect(await closed).toBe(72);
  expect([counted, budget.room, answers.length]).toEqual([
    { event_posts_failed: 8, events_dropped: 72 },
    room,
    8,
  ]);
});

test("what cannot be made a post is counted as dropped, and takes no room any more", async () => {
  const { publisher, counted, budget, told } = publisherBefore(
    { request: () => expect.unreachable() },
    { capacity, requestTimeoutMs: 1000 },
  );
  publisher.add(metadata, { bytes: "no bytes" as never, count: 3 });
  await publisher.flush();
  expect([counted, budget.room]).toEqual([{ events_dropped: 3 }, capacity]);
  expect(told[0]).toMatch(/^events: The "list\[1\]" argument must be .*; dropping 3$/s);
});

test("a relay makes 64 event posts at a time, whatever the number of its environments", async () => {
  const { eventLanes } = resolveOptions({});
  let begun = 0;
  let end = () => {};
  const posts = Array.from({ length: 100 }, () =>
    eventLanes(() => {
      begun++;
      return new Promise<void>((resolve) => {
        const before = end;
        end = () => {
          before();
          resolve();
        };
      });
    }),
  );
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  expect(begun).toBe(64);
  end();
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  expect(begun).toBe(100);
  end();
  await Promise.all(posts);
  // Every relay has its own.
  expect(resolveOptions({}).eventLanes).not.toBe(eventLanes);
});

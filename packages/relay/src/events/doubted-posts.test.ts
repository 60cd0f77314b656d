import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { publisherBefore } from "../../test/publisher-before.js";

const capacity = { count: 1000, bytes: 1_000_000 };
const metadata = (tags: string) => ({ schema: 4, tags, origin: "verbatim", key: undefined });

/** A publisher before an upstream that answers posts with the tags `bad` with a status, after it has taken all others of the flush. */
function setUp(status: number, ofParts = status) {
  let [posted, good]: [number[], number] = [[], 0];
  const request = async ({
    headers,
    body = "",
  }: {
    headers: Record<string, unknown>;
    body?: Buffer | string;
  }) => {
    const isBad = headers["x-launchdarkly-tags"] === "bad";
    const events: number = JSON.parse(gunzipSync(body).toString()).length;
    if (isBad) {
      posted.push(events);
      while ((counted.events_delivered ?? 0) < good) await new Promise(setImmediate);
    }
    return {
      statusCode: isBad ? (events === 1 ? ofParts : status) : 202,
      headers: {},
      body: Readable.from([]),
    };
  };
  const { publisher, clock, budget, told, counted } = publisherBefore({ request }, { capacity });
  publisher.add(metadata("bad"), { bytes: Buffer.from("{},{}"), count: 2 });
  return {
    publisher,
    told,
    counted,
    held: () => capacity.count - budget.room.count,
    /** Flushes once, a minute later, and gives how many events each post had that failed. */
    async flush({ withGood }: { readonly withGood: boolean }): Promise<readonly number[]> {
      if (withGood) {
        good++;
        publisher.add(metadata("good"), { bytes: Buffer.from("{}"), count: 1 });
      }
      clock.advance(60_000);
      const flushed = publisher.flush();
      let isThrough = false;
      void flushed.then(() => {
        isThrough = true;
      });
      // Attempts are made once more after a pause of no time.
      while (!isThrough) {
        clock.advance(0);
        await new Promise(setImmediate);
      }
      const sizes = posted;
      posted = [];
      return sizes;
    },
  };
}

const answered = (status: number) => `events: upstream answered ${status}`;

test.each([true, false])(
  "what upstream says is malformed is sent in parts with the third flush, and a part of it never again (others are taken: %s)",
  async (withGood) => {
    const { flush, told, counted, held } = setUp(400);
    expect(await flush({ withGood })).toEqual([2, 2]);
    expect(await flush({ withGood })).toEqual([2, 2]);
    expect(held()).toBe(2);
    expect(await flush({ withGood })).toEqual([2, 1, 1]);
    expect([held(), counted.events_dropped, counted.event_posts_failed]).toEqual([0, 2, 5]);
    const again = [`${answered(400)}; trying once more`, `${answered(400)}; keeping 2 for the next flush`];
    expect(told).toEqual([
      ...again,
      ...again,
      `${answered(400)}; sending 2 in two posts`,
      `${answered(400)}; dropping 1`,
    ]);
    expect(await flush({ withGood })).toEqual([]);
  },
);

test.each([500, 503, 599])(
  "what a server answers %i to is sent in parts when it has taken others in twelve flushes since, and each part dropped after twelve more",
  async (status) => {
    const { flush, told, counted, held } = setUp(status);
    for (let flushes = 1; flushes <= 12; flushes++) expect(await flush({ withGood: true })).toEqual([2, 2]);
    expect(told.at(-1)).toBe(`${answered(status)}; keeping 2 for the next flush`);
    expect(await flush({ withGood: true })).toEqual([2, 1, 1, 1, 1]);
    expect(told).toContain(`${answered(status)}; sending 2 in two posts`);
    for (let flushes = 1; flushes < 12; flushes++)
      expect(await flush({ withGood: true })).toEqual([1, 1, 1, 1]);
    expect([held(), counted.events_dropped]).toEqual([2, undefined]);
    expect(await flush({ withGood: true })).toEqual([1, 1]);
    expect([held(), counted.events_dropped, counted.events_delivered]).toEqual([0, 2, 25]);
    expect(told.at(-1)).toBe(`${answered(status)}; dropping 1`);
  },
);

test.each([
  { status: 500, withGood: false, why: "that takes nothing else" },
  { status: 408, withGood: true, why: "that is too slow" },
  { status: 429, withGood: true, why: "that is too busy" },
])("what a server $why answers $status to is kept whole", async ({ status, withGood }) => {
  const { flush, counted, held } = setUp(status);
  for (let flushes = 1; flushes <= 30; flushes++) expect(await flush({ withGood })).toEqual([2, 2]);
  expect([held(), counted.events_dropped]).toEqual([2, undefined]);
});

test.each([
  { status: 401, posts: [2], lost: "dropping 2" },
  { status: 403, posts: [2], lost: "dropping 2" },
  { status: 404, posts: [2], lost: "dropping 2" },
  { status: 413, posts: [2, 1, 1], lost: "dropping 1" },
])("what is answered $status is not kept: $posts are posted", async ({ status, posts, lost }) => {
  const { flush, told, counted, held } = setUp(status);
  expect(await flush({ withGood: true })).toEqual(posts);
  expect([held(), counted.events_dropped]).toEqual([0, 2]);
  expect(told.at(-1)).toBe(`${answered(status)}; ${lost}`);
});

test("a part of what was malformed is kept when it fails for another reason", async () => {
  const { flush, told, counted, held } = setUp(400, 429);
  for (let flushes = 1; flushes <= 2; flushes++) await flush({ withGood: true });
  expect(await flush({ withGood: true })).toEqual([2, 1, 1, 1, 1]);
  expect(told.at(-1)).toBe(`${answered(429)}; keeping 1 for the next flush`);
  for (let flushes = 1; flushes <= 12; flushes++)
    expect(await flush({ withGood: true })).toEqual([1, 1, 1, 1]);
  expect([held(), counted.events_dropped]).toEqual([2, undefined]);
});

import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import { EventBudget } from "./event-budget.js";
import { EventPublisher } from "./event-publisher.js";

const capacity = { count: 1000, bytes: 1_000_000 };
const verbatim = { schema: 4, tags: "", origin: "verbatim", key: undefined };

/** A publisher before an upstream that takes no more than so many events at a time. */
function setUp(mostEvents: number, statusCode: number) {
  const clock = createManualClock();
  const budget = new EventBudget(capacity, () => {});
  const posted: number[] = [];
  const counted: Record<string, number> = {};
  const settings = {
    flushIntervalMs: 5000,
    capacity: capacity.count,
    capacityBytes: capacity.bytes,
    maxBodyBytes: 1_000_000,
    retryDelayMs: 0,
  };
  const port = {
    logger: silentLogger,
    clock,
    upstream: {
      events: "http://upstream",
      requestTimeoutMs: 1000,
      dispatcher: {
        async request({ body = "" }: { readonly body?: Buffer | string }) {
          const { length } = JSON.parse(gunzipSync(body).toString());
          posted.push(length);
          return {
            statusCode: length <= mostEvents ? 202 : statusCode,
            headers: {},
            body: Readable.from([]),
          };
        },
      },
    },
    later: (ms: number, run: () => void) => clock.schedule(ms, run),
    countEvents: (name: string, count: number) => {
      counted[name] = (counted[name] ?? 0) + count;
    },
    queuedEvents() {},
  };
  const destination = {
    keys: () => ["sdk-1"],
    mayStandIn: () => true,
    request: (authorization: string) => ({ url: "http://upstream/bulk", authorization }),
  };
  const publisher = new EventPublisher(port, settings, destination, budget);
  const add = (count: number) =>
    publisher.add(verbatim, { bytes: Buffer.from(Array(count).fill("{}").join(",")), count });
  return { publisher, budget, posted, counted, add };
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

test.each([503, 413, 400, 401])(
  "after the end nothing is held of what upstream answers %i to",
  async (status) => {
    const { publisher, budget, counted, add } = setUp(0, status);
    add(3);
    expect(budget.room.count).toBe(997);
    await publisher.close(Promise.resolve());
    expect(counted.events_dropped).toBe(3);
    expect(budget.room).toEqual(capacity);
  },
);

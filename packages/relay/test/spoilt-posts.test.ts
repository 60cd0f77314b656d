import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RelayOptions } from "../src/options/options.js";
import { events, post, start, turn } from "./event-relay.js";

interface Event {
  readonly kind: string;
  readonly n: number;
}

/** A relay whose events go where `statusFor` decides about each post; `until` lets time pass. */
async function startJudged(statusFor: (events: readonly Event[]) => number, options: RelayOptions = {}) {
  const posts: { readonly status: number; readonly events: readonly Event[] }[] = [];
  const server = createServer(async (req, res) => {
    const received: Event[] = JSON.parse(gunzipSync(await buffer(req)).toString());
    const status = statusFor(received);
    posts.push({ status, events: received });
    res.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = await start({ events: { flushInterval: 1000 }, ...options }, undefined, url);
  const until = async (condition: () => boolean) => {
    while (!condition()) {
      running.clock.advance(100);
      await turn();
    }
  };
  const taken = () =>
    posts
      .filter(({ status }) => status === 202)
      .flatMap((one) => one.events.map(({ n }) => n))
      .sort((a, b) => a - b);
  return { ...running, posts, until, taken };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const has = (n: number) => (received: readonly Event[]) => received.some((one) => one.n === n);

describe("an event that upstream never takes is dropped alone", () => {
  for (const capacity of [10_000, 41])
    test(`400, with room for ${capacity}`, async () => {
      const { relay, counted, until, taken } = await startJudged(
        (received) => (has(20)(received) ? 400 : 202),
        {
          events: { flushInterval: 1000, capacity },
        },
      );
      for (const from of [0, 10, 20, 30]) await post(relay, events(10, from));
      await post(relay, events(1, 40));
      await until(() => counted.queued_events === 0);
      expect(taken()).toEqual(numbers(41).filter((n) => n !== 20));
      expect(counted).toMatchObject({ events_dropped: 1, events_delivered: 40 });
    });

  test("500, while others are taken", async () => {
    const { relay, counted, posts, until, taken } = await startJudged((received) =>
      has(2)(received) ? 500 : 202,
    );
    await post(relay, events(4));
    let sent = 4;
    while (counted.queued_events !== 0) {
      await post(relay, events(1, sent++));
      const before = posts.length;
      await until(() => posts.length > before || counted.queued_events === 0);
    }
    expect(taken()).toEqual(numbers(sent).filter((n) => n !== 2));
    expect(counted).toMatchObject({ events_dropped: 1, events_delivered: sent - 1 });
  });

  test("nothing is dropped in an outage, however long, nor sent in parts", async () => {
    let status = 503;
    const { relay, counted, posts, until, taken } = await startJudged(() => status);
    await post(relay, events(20));
    await until(() => posts.length > 80);
    status = 202;
    await until(() => counted.queued_events === 0);
    expect(taken()).toEqual(numbers(20));
    expect(new Set(posts.map((one) => one.events.length))).toEqual(new Set([20]));
    expect(counted.events_dropped ?? 0).toBe(0);
  });

  test("in an outage as much is kept as there is room for, the rest is counted, and what was kept is sent", async () => {
    let status = 500;
    const { relay, counted, posts, until, taken } = await startJudged(() => status, {
      events: { flushInterval: 1000, capacity: 30 },
    });
    for (let n = 0; n < 40; n++) {
      await post(relay, events(10, 10 * n));
      const before = posts.length;
      await until(() => posts.length > before);
    }
    expect(counted).toMatchObject({ queued_events: 30, events_accepted: 400, events_dropped: 370 });
    expect(counted.event_posts_failed).toBeGreaterThan(10);
    status = 202;
    await until(() => counted.queued_events === 0);
    expect(taken()).toEqual(numbers(30));
    expect(counted).toMatchObject({ events_delivered: 30, events_dropped: 370 });
  });

  test("when everything is answered with 400 there are not many more posts than events, and nothing is kept for ever", async () => {
    const { relay, counted, posts, until } = await startJudged(() => 400);
    await post(relay, events(300));
    await until(() => counted.queued_events === 0);
    expect(counted.events_dropped).toBe(300);
    expect(posts.length).toBeLessThan(2 * 300 + 6);
  });
});

describe("what is too large together is sent in parts", () => {
  test("413: all of it is taken in the same flush, nothing twice", async () => {
    const { relay, clock, counted, posts, until, taken } = await startJudged((received) =>
      received.length > 12 ? 413 : 202,
    );
    for (const from of [0, 50]) await post(relay, events(50, from));
    clock.advance(1000);
    while (counted.events_delivered !== 100) await turn();
    expect(taken()).toEqual(numbers(100));
    expect(posts.map((one) => one.events.length).slice(0, 3)).toEqual([100, 50, 50]);
    await until(() => counted.queued_events === 0);
    expect(counted.events_dropped ?? 0).toBe(0);
  });

  test("413 to an event of its own: it is dropped, the others are taken", async () => {
    const { relay, clock, counted, taken } = await startJudged((received) => (has(7)(received) ? 413 : 202));
    await post(relay, events(16));
    clock.advance(1000);
    while (counted.queued_events !== 0) await turn();
    expect(taken()).toEqual(numbers(16).filter((n) => n !== 7));
    expect(counted).toMatchObject({ events_dropped: 1, events_delivered: 15 });
  });

  test("at the end as well", async () => {
    const { relay, counted, taken } = await startJudged((received) => (received.length > 3 ? 413 : 202));
    await post(relay, events(20));
    await relay.relay.close({ within: "1h" });
    expect(taken()).toEqual(numbers(20));
    expect(counted).toMatchObject({ events_delivered: 20 });
  });
});

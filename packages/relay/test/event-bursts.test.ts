import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { events, post, posts, server, start, turn } from "./event-relay.js";
import { keys, startRelay } from "./start-relay.js";

describe("large posts", () => {
  const job = { kind: "user", key: "nightly-job", name: "Nightly job" };
  const sent = Array.from({ length: 10_000 }, () => ({
    kind: "custom",
    key: "invoice",
    creationDate: 1,
    context: job,
  }));
  const packed = gzipSync(JSON.stringify(sent));
  const headers = { ...server, "content-encoding": "gzip" };

  test("events that are all alike, and pack very well, are taken", async () => {
    expect(JSON.stringify(sent).length / packed.length).toBeGreaterThan(200);
    const { relay, clock, counted } = await start();
    expect(await post(relay, packed, headers)).toMatchObject({ status: 202 });
    expect((await posts(relay, clock, 1))[0]!.body).toHaveLength(10_000);
    expect(counted.events_dropped ?? 0).toBe(0);
  });

  test("are looked at in turns", async () => {
    let turns = 0;
    const relay = await startRelay({
      mount: (one) => (req, res) => {
        one.handler(req, res);
        const count = () => {
          turns++;
          if (!res.writableEnded) setImmediate(count);
        };
        req.on("end", count);
      },
    });
    expect(await post(relay, `[${"1,".repeat(2_500_000)}1]`)).toMatchObject({ status: 202 });
    expect(turns).toBeGreaterThan(10);
  });
});

test("of one post as many are kept as there is room for", async () => {
  const { relay, counted } = await start({ events: { flushInterval: 1000, capacity: 3 } });
  await post(relay, events(2));
  await post(relay, events(5));
  expect(counted).toMatchObject({ events_accepted: 7, queued_events: 3, events_dropped: 4 });
});

describe("events that come while others are being sent", () => {
  /** A relay whose first post is on its way until the test lets it arrive. */
  async function stuck() {
    let release = () => {};
    const arrived: unknown[] = [];
    const service = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk) => chunks.push(chunk));
      req.on("end", () => {
        arrived.push(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
        const answer = () => void res.writeHead(202).end();
        if (arrived.length > 1) answer();
        else release = answer;
      });
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      service.closeAllConnections();
      service.close();
    });
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const { relay, clock, counted } = await start({}, undefined, url);
    await post(relay, events(1));
    clock.advance(1000);
    while (arrived.length === 0) await turn();
    await post(relay, events(1, 1));
    return { relay, clock, counted, arrived, release: () => release() };
  }

  test("are sent afterwards", async () => {
    const { clock, arrived, release } = await stuck();
    // It is their turn now, and passes.
    clock.advance(1000);
    release();
    while (arrived.length === 1) {
      clock.advance(100);
      await turn();
    }
    expect(arrived).toEqual([[{ kind: "x", n: 0 }], [{ kind: "x", n: 1 }]]);
  });

  test("by an environment that was removed do not change what is told of a new one with its name", async () => {
    const { relay, counted, release } = await stuck();
    const { environments } = relay.relay;
    const removed = environments.remove("prod");
    await environments.add("prod", keys);
    await post(relay, events(1));
    expect(counted.queued_events).toBe(1);
    release();
    await removed;
    expect(counted.queued_events).toBe(1);
  });

  test("are sent at the end", async () => {
    const { relay, arrived, release } = await stuck();
    const closed = relay.relay.close({ within: "5s" });
    release();
    await closed;
    expect(arrived).toEqual([[{ kind: "x", n: 0 }], [{ kind: "x", n: 1 }]]);
  });
});

test("that there is no room for more is told once, until there was some and a minute is over", async () => {
  const told: string[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (text: string) => void told.push(text) };
  const { relay, clock } = await start({ logger, events: { flushInterval: 1000, capacity: 2 } });
  for (let round = 1; round <= 2; round++) {
    for (let n = 0; n < 5; n++) await post(relay, events(1));
    expect(told.filter((text) => text.includes("the event buffer is full"))).toHaveLength(round);
    await posts(relay, clock, 1);
    clock.advance(60_000);
  }
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { events, post, posts, server, start, turn } from "./event-relay.js";
import { flag, keys } from "./start-relay.js";

const old = { authorization: keys.sdkKey };
const arrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("events that nest too deep are refused on arrival", () => {
  const feature = (members: string) =>
    `[{"kind":"feature","creationDate":1,"key":"a","user":{"key":"u"},${members}}]`;
  const shapes = {
    "a default": (deep: string) => feature(`"value":1,"default":${deep}`),
    "a value": (deep: string) => feature(`"value":${deep}`),
    "a reason": (deep: string) => feature(`"value":1,"reason":${deep},"trackEvents":true`),
    "a member that means nothing": (deep: string) => feature(`"value":1,"extra":${deep}`),
    "a context": (deep: string) => `[{"kind":"identify","user":{"key":"u","custom":${deep}}}]`,
    "data of a custom event": (deep: string) =>
      `[{"kind":"custom","key":"k","user":{"key":"u"},"data":${deep}}]`,
    "an event of an unknown kind": (deep: string) => `[{"kind":"x","y":${deep}}]`,
  };
  const headers = { "of old SDKs": old, "passed on as they are": server };
  for (const [what, build] of Object.entries(shapes)) {
    for (const [path, sent] of Object.entries(headers)) {
      test(`${what}, ${path}`, async () => {
        const { relay, clock, counted } = await start();
        for (const deep of [arrays(5000), arrays(20_000), objects(20_000)]) {
          expect(await post(relay, build(deep), sent)).toMatchObject({
            status: 400,
            body: '{"message":"the events are nested too deep"}',
          });
        }
        expect(await post(relay, build(arrays(200)), sent)).toMatchObject({ status: 202 });
        expect(await posts(relay, clock, 1)).toHaveLength(1);
        while (counted.queued_events !== 0) await turn();
        expect(counted.events_dropped ?? 0).toBe(0);
      });
    }
  }

  test("in an image: the image comes, the events do not", async () => {
    const { relay, clock } = await start();
    const d = Buffer.from(`[${arrays(5000)}]`).toString("base64url");
    expect(await relay.fetch("GET", `/a/${keys.envId}.gif?d=${d}`)).toMatchObject({ status: 200 });
    clock.advance(1000);
    await relay.relay.close();
    expect(await relay.upstream.takePosts()).toEqual([]);
  });
});

interface Summary {
  readonly features: Record<string, { counters: { variation: number; value: unknown; count: number }[] }>;
}

test("a large flag is read once, however many events ask about it", async () => {
  const variations = [true, ...Array.from({ length: 2000 }, (_, n) => ({ n, text: "x".repeat(40) }))];
  const data = { [keys.sdkKey]: { flags: { a: flag("a", 1, { variations }) } } };
  const { relay } = await start({}, data);
  const sent = Array.from({ length: 4000 }, (_, n) => ({
    kind: "feature",
    creationDate: 1,
    key: "a",
    version: 1,
    value: variations[1 + (n % 2000)],
    user: { key: "u" },
  }));
  const began = process.cpuUsage();
  expect(await post(relay, JSON.stringify(sent), old)).toMatchObject({ status: 202 });
  // 435 kB took seconds when the flag was parsed for each event.
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(2000);
  // The clock stands still: the end waits for all of it.
  await relay.relay.close();
  const bodies = (await relay.upstream.takePosts()).map(({ body }) => body as Partial<Summary>[]);
  const counts = new Map<number, number>();
  for (const { counters } of bodies.flat().flatMap(({ features }) => features?.a ?? [])) {
    for (const { variation, value, count } of counters) {
      expect(value).toEqual(variations[variation]);
      counts.set(variation, (counts.get(variation) ?? 0) + count);
    }
  }
  expect([...counts.keys()].sort((x, y) => x - y)).toEqual(Array.from({ length: 2000 }, (_, n) => n + 1));
  expect(new Set(counts.values())).toEqual(new Set([2]));
});

/** An upstream for events that takes every request and never answers. */
async function silentUpstream() {
  let open = 0;
  let most = 0;
  const listening = createServer((req, res) => {
    open++;
    most = Math.max(most, open);
    res.on("close", () => open--);
    req.resume();
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, most: () => most };
}

describe("while upstream hangs", () => {
  const capacityBytes = 256 * 1024;

  async function stuck() {
    const silent = await silentUpstream();
    const started = await start(
      {
        events: { flushInterval: 1000, capacityBytes },
        upstream: { requestTimeout: "1m" },
      },
      undefined,
      silent.url,
    );
    return { ...started, silent };
  }

  test("summaries of ever new flags, values, kinds stay within the budget", async () => {
    const { relay, counted } = await stuck();
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 20; round++) {
      const sent = Array.from({ length: 5000 }, (_, n) => ({
        kind: "feature",
        creationDate: 1,
        key: `${round}-${n}`,
        value: n,
        variation: n,
        context: { kind: `k${round}${n}`, key: "u" },
      }));
      await post(relay, JSON.stringify(sent), { ...old, "x-launchdarkly-tags": `t${round}` });
    }
    expect(counted.events_dropped).toBeGreaterThan(90_000);
    // All of it took over 100 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("diagnostics wait within the budget and in few connections; those beyond are counted", async () => {
    const { relay, counted, silent } = await stuck();
    const body = JSON.stringify({ kind: "diagnostic", text: "x".repeat(10_000) });
    for (let n = 0; n < 100; n++) {
      expect(await post(relay, body, server, "/diagnostic")).toMatchObject({ status: 202 });
    }
    while (silent.most() < 4) await turn();
    // More would come while these are answered.
    for (let n = 0; n < 20; n++) await relay.fetch("GET", "/status");
    expect(silent.most()).toBe(4);
    expect(counted.queued_events).toBeLessThanOrEqual(capacityBytes / 10_000);
    expect((counted.queued_events ?? 0) + (counted.events_dropped ?? 0)).toBe(100);
    // Events and diagnostics share the budget.
    await post(relay, JSON.stringify([{ kind: "x", text: "y".repeat(20_000) }]));
    expect((counted.queued_events ?? 0) + (counted.events_dropped ?? 0)).toBe(101);
    expect(counted.events_dropped).toBeGreaterThan(70);
  });

  test("tags of a client are part of what is paid for", async () => {
    const { relay, counted } = await stuck();
    const tags = "t".repeat(10_000);
    for (let n = 0; n < 40; n++) await post(relay, events(1), { ...server, "x-launchdarkly-tags": tags + n });
    expect(counted.queued_events).toBeLessThan(20);
    expect((counted.queued_events ?? 0) + (counted.events_dropped ?? 0)).toBe(40);
  });

  test("what one kind of SDK sends takes no room from the others", async () => {
    const { relay, counted } = await stuck();
    const large = JSON.stringify([{ kind: "x", text: "y".repeat(200_000) }]);
    for (let n = 0; n < 3; n++)
      await post(relay, large, { ...server, authorization: "" }, `/events/bulk/${keys.envId}`);
    expect(counted).toMatchObject({ queued_events: 1, events_dropped: 2 });
    await post(relay, large);
    expect(counted).toMatchObject({ queued_events: 2, events_dropped: 2 });
  });
});

test("of a post for which there is no room nothing is taken, and what is not JSON counts for nothing", async () => {
  const { relay, counted } = await start({ events: { flushInterval: 1000, capacityBytes: 1000 } });
  await post(relay, `[{"kind":"x","text":"${"y".repeat(2000)}"}, 7]`);
  expect(counted).toMatchObject({ events_accepted: 2, events_dropped: 2 });
  await post(relay, `[{"kind":"x"}, {"kind":"x","text":"${"y".repeat(2000)}"} nonsense]`);
  expect(counted).toMatchObject({ events_accepted: 2, events_dropped: 2 });
  await post(relay, `[1, {"kind":"x","text":"${"y".repeat(2000)}"}, 2]`);
  expect(counted).toMatchObject({ events_accepted: 5, events_dropped: 4, queued_events: 1 });
});

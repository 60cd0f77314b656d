import { describe, expect, test } from "vitest";
import type { Change } from "../src/change.js";
import { itemsFromJson } from "../src/sources/change-from-event.js";
import type { SourceFactory, SourceSink } from "../src/sources/source.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { openSlow } from "./open-slow.js";
import { flag, keys, type OpenStream, type StartOptions, startRelay } from "./start-relay.js";

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const server = { authorization: keys.sdkKey };
const mobile = { authorization: keys.mobileKey };
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

async function next(stream: OpenStream): Promise<[string | undefined, unknown]> {
  const { event, data } = await stream.next();
  return [event, data === " " ? "" : JSON.parse(data)];
}

type Items = Readonly<Record<string, object>>;
const change = (extent: Change["extent"], flags: Items, segments: Items = {}): Change => ({
  extent,
  items: itemsFromJson(JSON.stringify({ flags, segments })),
});

/** A relay to which the test hands changes itself, as many in one turn as it likes. */
async function startFed(flags: Items, segments: Items = {}, options: StartOptions = {}) {
  let sink: SourceSink | undefined;
  const source: SourceFactory = (context) => {
    sink = context.sink;
    void sink.apply(change("full", flags, segments));
    return { close() {} };
  };
  const relay = await startRelay({ environments: { prod: { ...keys, source } }, ...options });
  return {
    relay,
    put: (all: Items, others: Items = {}) => void sink?.apply(change("full", all, others)),
    patch: (some: Items, others: Items = {}) => void sink?.apply(change("partial", some, others)),
  };
}

const end = { end: flag("end", 1) };

describe("changes of one turn", () => {
  const many = (version: number) =>
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, flag(`f${i}`, version)]));

  test("of one flag are one event with the last version, on every kind of stream", async () => {
    const { relay, patch } = await startFed({ a: flag("a", 1) });
    const paths = [
      { path: "/all", headers: server },
      { path: "/flags", headers: server },
      { path: `/meval/${base64({ key: "u" })}`, headers: mobile },
      { path: "/mping", headers: mobile },
    ];
    const streams = await Promise.all(paths.map(({ path, headers }) => relay.open(path, { headers })));
    await Promise.all(streams.map((stream) => stream.next()));
    for (let version = 2; version <= 201; version++) patch({ a: flag("a", version) });
    const [all, flags, client, ping] = await Promise.all(streams.map(next));
    expect(all).toMatchObject(["patch", { path: "/flags/a", data: { version: 201 } }]);
    expect(flags).toMatchObject(["patch", { path: "/a", data: { version: 201 } }]);
    expect(client).toMatchObject(["patch", { key: "a", version: 201 }]);
    expect(ping).toEqual(["ping", ""]);
    patch(end);
    const ends = await Promise.all(streams.map(next));
    expect(ends.slice(0, 3)).toMatchObject([
      ["patch", { path: "/flags/end" }],
      ["patch", { path: "/end" }],
      ["patch", { key: "end" }],
    ]);
  });

  test("of many flags are one put for clients, and for servers where that is no more to send", async () => {
    const { relay, patch } = await startFed(many(1));
    const all = await relay.open("/all", { headers: server });
    const client = await relay.open(`/meval/${base64({ key: "u" })}`, { headers: mobile });
    await Promise.all([all.next(), client.next()]);
    for (const [key, item] of Object.entries(many(2))) patch({ [key]: item });
    for (const stream of [all, client]) expect((await next(stream))[0]).toBe("put");
    patch(end);
    for (const stream of [all, client]) expect((await next(stream))[0]).toBe("patch");
  });

  for (const [count, event] of [
    [8, "patch"],
    [9, "put"],
  ] as const) {
    test(`of ${count} flags, all that there are, are told as ${event}`, async () => {
      const some = (version: number) => Object.fromEntries(Object.entries(many(version)).slice(0, count));
      const { relay, put } = await startFed(some(1));
      const streams = [
        await relay.open("/all", { headers: server }),
        await relay.open(`/meval/${base64({ key: "u" })}`, { headers: mobile }),
      ];
      for (const stream of streams) await stream.next();
      put(some(2));
      for (const stream of streams) expect((await next(stream))[0]).toBe(event);
    });
  }

  test("that lead back to where they began are none", async () => {
    const first = { a: flag("a", 5) };
    const { relay, put } = await startFed(first);
    const all = await relay.open("/all", { headers: server });
    await all.next();
    put({ a: flag("a", 6) });
    put(first);
    put({ ...first, ...end });
    expect(await next(all)).toMatchObject(["patch", { path: "/flags/end" }]);
  });

  test("that lower a version or take a flag away without a mark are a put", async () => {
    const { relay, put } = await startFed({ a: flag("a", 5), b: flag("b", 1) });
    const streams = [
      await relay.open("/all", { headers: server }),
      await relay.open(`/meval/${base64({ key: "u" })}`, { headers: mobile }),
    ];
    for (const stream of streams) await stream.next();
    put({ a: flag("a", 4), b: flag("b", 1) });
    for (const stream of streams) expect((await next(stream))[0]).toBe("put");
    put({ a: flag("a", 4, { salt: "other" }), b: flag("b", 1) });
    for (const stream of streams) expect((await next(stream))[0]).toBe("put");
    put({ a: flag("a", 4, { salt: "other" }) });
    for (const stream of streams) expect((await next(stream))[0]).toBe("put");
  });
});

describe("who is concerned", () => {
  const clause = { attribute: "", op: "segmentMatch", values: ["s"], negate: false };
  const bySegment = flag("by-segment", 1, { rules: [{ id: "r", variation: 1, clauses: [clause] }] });
  const hiddenBySegment = {
    ...bySegment,
    key: "hidden",
    clientSideAvailability: { usingMobileKey: false, usingEnvironmentId: true },
  };
  const segment = (version: number, included: string[]) => ({ s: { key: "s", version, included } });

  test("by a segment: the contexts whose results it changes, and those of audiences that see them", async () => {
    const { relay, patch } = await startFed({ "by-segment": bySegment }, segment(1, []));
    const open = (key: string) => relay.open(`/meval/${base64({ key })}`, { headers: mobile });
    const [alice, bob] = [await open("alice"), await open("bob")];
    for (const stream of [alice, bob]) await stream.next();
    patch({}, segment(2, ["alice"]));
    expect(await next(alice)).toMatchObject(["put", { "by-segment": { value: false } }]);
    patch(end);
    expect(await next(bob)).toMatchObject(["patch", { key: "end" }]);
    expect(await next(alice)).toMatchObject(["patch", { key: "end" }]);
  });

  test("by a flag of the other audience: nobody, pings included", async () => {
    const { relay, patch } = await startFed({ hidden: hiddenBySegment }, segment(1, []));
    const browser = await relay.open(`/ping/${keys.envId}`);
    const phones = [
      await relay.open("/mping", { headers: mobile }),
      await relay.open(`/meval/${base64({ key: "alice" })}`, { headers: mobile }),
    ];
    for (const stream of [browser, ...phones]) await stream.next();
    patch({}, segment(2, ["alice"]));
    expect(await next(browser)).toEqual(["ping", ""]);
    patch({ hidden: { ...hiddenBySegment, version: 2 } });
    expect(await next(browser)).toEqual(["ping", ""]);
    patch({ end: flag("end", 1, { clientSideAvailability: { usingMobileKey: true } }) });
    expect(await next(phones[1]!)).toMatchObject(["patch", { key: "end" }]);
    expect(await next(phones[0]!)).toEqual(["ping", ""]);
    void relay.relay.close({ within: 0 });
    await expect(phones[0]!.next()).rejects.toThrow("ended");
  });
});

describe("slow readers", () => {
  test("are not dropped by a burst, and hear in the end what there is", { timeout: 300_000 }, async () => {
    const dropped: string[] = [];
    const metrics = {
      count: (name: string) => void (name === "streams_dropped" && dropped.push(name)),
      gauge() {},
    };
    const { relay, patch } = await startFed({ a: flag("a", 1) }, {}, { options: { metrics } });
    const slow = await Promise.all(Array.from({ length: 50 }, () => openSlow(relay.url, "/all")));
    const texts = slow.map(() => "");
    const quick = await relay.open("/all", { headers: server });
    await quick.next();
    const before = process.memoryUsage().rss;
    for (let version = 2; version <= 201; version++) {
      patch({ a: flag("a", version, { text: "x".repeat(200_000) }) });
      await quick.next();
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000);
    for (const [i, socket] of slow.entries()) {
      socket.on("data", (chunk) => {
        texts[i] = (texts[i] ?? "").slice(-300_000) + chunk;
      });
      socket.resume();
    }
    await until(() => texts.every((text) => text.includes('"version":201')));
    expect(dropped).toEqual([]);
    for (const socket of slow) socket.destroy();
  });

  test("who take part after part of a large event stay, however long it takes; who take nothing go", async () => {
    const clock = createManualClock();
    const dropped: string[] = [];
    const metrics = {
      count: (name: string) => void (name === "streams_dropped" && dropped.push(name)),
      gauge() {},
    };
    const { relay, patch } = await startFed({ a: flag("a", 1) }, {}, { options: { metrics, clock } });
    const slow = await openSlow(relay.url, "/all");
    let size = 0;
    slow.on("data", (chunk) => {
      size += chunk.length;
    });
    patch({ a: flag("a", 2, { text: "x".repeat(60_000_000) }) });
    while (size < 25_000_000) {
      slow.pause();
      clock.advance(3_000);
      const target = size + 1_000_000;
      slow.resume();
      await until(() => size >= target);
      slow.pause();
    }
    expect(dropped).toEqual([]);
    for (let i = 0; i < 20; i++) await turn();
    clock.advance(60_000);
    await until(() => dropped.length === 1);
    slow.destroy();
  });

  test("who come back after more changes than are remembered start anew", async () => {
    const { relay, patch } = await startFed({ a: flag("a", 1) });
    const slow = await openSlow(relay.url, "/all");
    const quick = await relay.open("/all", { headers: server });
    await quick.next();
    patch({ a: flag("a", 2, { text: "x".repeat(8_000_000) }) });
    await quick.next();
    for (let version = 3; version < 30; version++) {
      patch({ a: flag("a", version) });
      await quick.next();
    }
    let text = "";
    slow.on("data", (chunk) => {
      text = text.slice(-10_000) + chunk;
    });
    slow.resume();
    await until(() => text.includes('"version":29'));
    expect(text).toMatch(/event: put\ndata: .*"version":29/);
    slow.destroy();
  });
});

test("pings to many are spread over a millisecond each, and none is sent twice", async () => {
  const clock = createManualClock();
  let part = 0;
  const random = () => (part++ % 100) / 100;
  const { relay, patch } = await startFed(
    { a: flag("a", 1) },
    {},
    { options: { clock, random, streams: { heartbeat: 0 } } },
  );
  const streams = await Promise.all(
    Array.from({ length: 100 }, () => relay.open("/mping", { headers: mobile })),
  );
  await Promise.all(streams.map((stream) => stream.next()));
  const pinged = new Set<number>();
  const listening = streams.map(async (stream, i) => {
    await stream.next();
    pinged.add(i);
  });
  part = 0;
  patch({ a: flag("a", 2) });
  const settle = async () => {
    for (let i = 0; i < 20; i++) await turn();
  };
  await settle();
  expect(pinged.size).toBeLessThan(5);
  clock.advance(30);
  await until(() => pinged.size >= 30);
  patch({ a: flag("a", 3) });
  await settle();
  expect(pinged.size).toBeLessThan(40);
  for (let version = 4; version < 14; version++) {
    patch({ a: flag("a", version) });
    await settle();
  }
  expect(clock.pending).toBeLessThan(120);
  clock.advance(100);
  await Promise.all(listening);
  clock.advance(10_000);
  void relay.relay.close({ within: 0 });
  const more = await Promise.allSettled(streams.map((stream) => stream.next()));
  // Those that had their ping before the second change have one more, the others heard of both at once.
  expect(more.filter(({ status }) => status === "fulfilled").length).toBeLessThan(45);
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../change.js";
import { RelayError } from "../error.js";
import { silentLogger } from "../logger.js";
import { resolveOptions } from "../options/resolve-options.js";
import { createFakeUpstream, type FakeUpstream } from "../testing/fake-upstream.js";
import { createManualClock, type ManualClock } from "../testing/manual-clock.js";
import type { Source, SourceSink } from "./source.js";
import { streamSource } from "./stream-source.js";

const key = "sdk-1";
const flag = (name: string, version: number) => ({ key: name, version });

let upstream: FakeUpstream;
let clock: ManualClock;
let source: Source | undefined;

beforeEach(async () => {
  upstream = await createFakeUpstream({ environments: { [key]: { flags: { a: flag("a", 1) } } } });
  clock = createManualClock();
});
afterEach(async () => {
  source?.close();
  await upstream.close();
});

/** A sink that remembers, and lets the test wait for the next thing. */
function createRecorder(apply: (change: Change) => Promise<void> = async () => {}) {
  const log: string[] = [];
  const changes: Change[] = [];
  let wake = () => {};
  const note = (text: string) => {
    log.push(text);
    wake();
  };
  const sink: SourceSink = {
    async apply(change) {
      await apply(change);
      changes.push(change);
      const [item] = change.items;
      note(change.extent === "full" ? "put" : `item ${item?.key} ${item?.version}`);
    },
    interrupted: (kind) => note(`interrupted ${kind}`),
    refused: (kind) => note(`refused ${kind}`),
  };
  const until = async (count: number) => {
    while (log.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return log;
  };
  return { sink, log, changes, until };
}

function start(
  sink: SourceSink,
  options: { filter?: string; url?: string; maxEventBytes?: number; random?: () => number } = {},
): Source {
  const { url = upstream.url, maxEventBytes = 1e6 } = options;
  source = streamSource({
    label: "a",
    sdkKey: key,
    filter: options.filter,
    sink,
    upstream: resolveOptions({ upstream: { stream: url, maxEventBytes } }).upstream,
    logger: silentLogger,
    clock,
    random: options.random ?? (() => 0),
  });
  return source;
}

test("asks for the stream with the key, as server-side SDKs do", async () => {
  const { sink, until } = createRecorder();
  start(sink);
  await until(1);
  expect(upstream.streamRequests).toHaveLength(1);
  expect(upstream.streamRequests[0]).toMatchObject({
    method: "GET",
    path: "/all",
    headers: { authorization: key, accept: "text/event-stream", "cache-control": "no-cache" },
  });
});

test("names the payload filter", async () => {
  upstream.environment(key, "a&b");
  const { sink, until } = createRecorder();
  start(sink, { filter: "a&b" });
  await until(1);
  expect(upstream.streamRequests[0]?.path).toBe("/all?filter=a%26b");
});

test("delivers puts, patches and deletes in order, and skips what it does not know", async () => {
  const { sink, until, changes } = createRecorder();
  start(sink);
  await until(1);
  const environment = upstream.environment(key);
  environment.patch("flags", flag("b", 2));
  environment.send("future", { x: 1 });
  environment.send("patch", { path: "/other/x", data: {} });
  environment.write(':\ndata: {"path":"/","data":{}}\n\n');
  environment.delete("segments", "s", 3);
  environment.put({});
  expect(await until(4)).toEqual(["put", "item b 2", "item s 3", "put"]);
  expect(changes[1]).toMatchObject({ items: [{ json: '{"key":"b","version":2}' }] });
});

test("reads an event that arrives in small pieces, also in the middle of a character", async () => {
  const { sink, until, changes } = createRecorder();
  start(sink);
  await until(1);
  const text = 'event: patch\ndata: {"path":"/flags/é😀","data":{"version":1,"name":"é😀"}}\n\n';
  await upstream.environment(key).trickle(text, 1);
  await until(2);
  expect(changes[1]).toMatchObject({ items: [{ key: "é😀" }] });
});

test.each([
  ["the page of a proxy, which stays open", { "content-type": "text/html; charset=utf-8" }],
  ["compressed events", { "content-type": "text/event-stream", "content-encoding": "gzip" }],
])("%s is no stream", async (_, headers) => {
  const server = createServer((_request, response) => response.writeHead(200, headers).write(" "));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { sink, until } = createRecorder();
  start(sink, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  expect(await until(1)).toEqual(["interrupted ERROR_RESPONSE"]);
  server.closeAllConnections();
  server.close();
});

test("takes an event at once that ends with a carriage return", async () => {
  const { sink, until } = createRecorder();
  start(sink);
  await until(1);
  const data = JSON.stringify({ path: "/flags/a", data: flag("a", 2) });
  upstream.environment(key).write(`event: patch\rdata: ${data}\r\r`);
  expect(await until(2)).toEqual(["put", "item a 2"]);
});

describe("when the connection fails", () => {
  const cases = [
    { name: "a server that goes away", kind: "NETWORK_ERROR", act: () => upstream.environment(key).drop() },
    { name: "an orderly end", kind: "NETWORK_ERROR", act: () => upstream.environment(key).end() },
    {
      name: "half a JSON",
      kind: "INVALID_DATA",
      act: () => upstream.environment(key).write('event: put\ndata: {"path":"/","data":{"fl\n\n'),
    },
    {
      name: "a patch without data",
      kind: "INVALID_DATA",
      act: () => upstream.environment(key).send("patch", { path: "/flags/a" }),
    },
    {
      name: "an event without end",
      kind: "INVALID_DATA",
      act: () => upstream.environment(key).write(`data: ${"x".repeat(2000)}`),
    },
    { name: "silence", kind: "NETWORK_ERROR", act: () => clock.advance(300_000) },
  ];
  for (const { name, kind, act } of cases) {
    test(`${name} is a ${kind}, and the relay connects again after a pause`, async () => {
      const { sink, until } = createRecorder();
      start(sink, { maxEventBytes: 1000 });
      await until(1);
      act();
      expect(await until(2)).toEqual(["put", `interrupted ${kind}`]);
      expect(upstream.streamRequests).toHaveLength(1);
      clock.advance(999);
      clock.advance(1);
      expect(await until(3)).toEqual(["put", `interrupted ${kind}`, "put"]);
      expect(upstream.streamRequests).toHaveLength(2);
    });
  }

  test("pauses grow while it goes on failing, and shrink by jitter", async () => {
    upstream.environment(key).answer(503);
    const { sink, until } = createRecorder();
    start(sink, { random: () => 0.5 });
    await until(1);
    clock.advance(750);
    await until(2);
    clock.advance(1499);
    expect(upstream.streamRequests).toHaveLength(2);
    clock.advance(1);
    expect(await until(3)).toEqual(Array(3).fill("interrupted ERROR_RESPONSE"));
  });

  test("pauses grow while events cannot be used, however long it takes to find that out", async () => {
    const { sink, until } = createRecorder(async () => {
      clock.advance(61_000);
      throw new RelayError("malformed_data", "of no use");
    });
    start(sink);
    for (const [count, pauseMs] of [1000, 2000, 4000].entries()) {
      await until(count + 1);
      clock.advance(pauseMs - 1);
      expect(clock.pending).toBe(1);
      expect(upstream.streamRequests).toHaveLength(count + 1);
      clock.advance(1);
    }
    expect(await until(4)).toEqual(Array(4).fill("interrupted INVALID_DATA"));
  });

  test("an address where nobody listens is a NETWORK_ERROR", async () => {
    const { sink, until } = createRecorder();
    start(sink, { url: "http://127.0.0.1:1" });
    expect(await until(1)).toEqual(["interrupted NETWORK_ERROR"]);
  });

  test("upstream may ask for another first pause", async () => {
    const { sink, until } = createRecorder();
    start(sink);
    await until(1);
    upstream.environment(key).write("retry: 140\n\n");
    upstream.environment(key).patch("flags", flag("b", 1));
    await until(2);
    upstream.environment(key).drop();
    await until(3);
    clock.advance(140);
    await until(4);
  });

  test("a store that fails is a STORE_ERROR and a reason to begin again", async () => {
    let failures = 1;
    const { sink, until } = createRecorder(async () => {
      if (failures-- > 0) throw new RelayError("store_failed", "disk full");
    });
    start(sink);
    await until(1);
    clock.advance(1000);
    expect(await until(2)).toEqual(["interrupted STORE_ERROR", "put"]);
  });
});

describe("statuses", () => {
  for (const status of [400, 404, 405, 407, 408, 413, 429, 451, 500, 503]) {
    test(`${status} is tried again`, async () => {
      upstream.environment(key).answer(status);
      const { sink, until } = createRecorder();
      start(sink);
      await until(1);
      upstream.environment(key).answer("data");
      clock.advance(1000);
      expect(await until(2)).toEqual(["interrupted ERROR_RESPONSE", "put"]);
    });
  }
  for (const status of [401, 403]) {
    test(`${status} refuses the key, and the source stops`, async () => {
      upstream.environment(key).answer(status);
      const { sink, until } = createRecorder();
      start(sink);
      expect(await until(1)).toEqual(["refused ERROR_RESPONSE"]);
      clock.advance(3_600_000);
      expect(upstream.streamRequests).toHaveLength(1);
      expect(clock.pending).toBe(0);
    });
  }
});

test("the last event ID is sent on reconnect if upstream ever gave one", async () => {
  const { sink, until } = createRecorder();
  start(sink);
  await until(1);
  upstream.environment(key).write('id: 42\nevent: patch\ndata: {"path":"/flags/b","data":{"version":1}}\n\n');
  await until(2);
  upstream.environment(key).drop();
  await until(3);
  clock.advance(1000);
  await until(4);
  expect(upstream.streamRequests[0]?.headers).not.toHaveProperty("last-event-id");
  expect(upstream.streamRequests[1]?.headers).toMatchObject({ "last-event-id": "42" });
});

test("after close nothing is delivered, asked for or scheduled", async () => {
  const { sink, until, log } = createRecorder();
  const running = start(sink);
  await until(1);
  upstream.environment(key).drop();
  await until(2);
  running.close();
  clock.advance(60_000);
  expect(clock.pending).toBe(0);
  expect(log).toHaveLength(2);
  expect(upstream.streamRequests).toHaveLength(1);
});

test("closing an open stream ends the connection and is no error", async () => {
  const { sink, until, log } = createRecorder();
  const running = start(sink);
  await until(1);
  running.close();
  while (upstream.environment(key).connections > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual(["put"]);
});

test("a redirect is followed by the dispatcher it is given", async () => {
  const { Agent, interceptors } = await import("undici");
  const server = createServer((req, res) =>
    res.writeHead(307, { location: `${upstream.url}${req.url}` }).end(),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { sink, until } = createRecorder();
  const agent = new Agent();
  source = streamSource({
    label: "a",
    sdkKey: key,
    filter: undefined,
    sink,
    upstream: resolveOptions({
      upstream: {
        stream: `http://127.0.0.1:${port}`,
        dispatcher: agent.compose(interceptors.redirect({ maxRedirections: 3 })),
      },
    }).upstream,
    logger: silentLogger,
    clock,
    random: () => 0,
  });
  // The key does not follow to another origin, as browsers and curl hold it.
  expect(await until(1)).toEqual(["refused ERROR_RESPONSE"]);
  expect(upstream.streamRequests[0]?.headers).not.toHaveProperty("authorization");
  source.close();
  await agent.close();
  server.close();
});

for (const id of ["ключ", "x".repeat(20_000), "a\tb", "\u007f"]) {
  test(`an ID that stands in no header is not sent, and does not hold up the next connection: ${id.slice(0, 10)}`, async () => {
    const { sink, until } = createRecorder();
    start(sink);
    await until(1);
    for (const sent of ["42", id]) {
      upstream
        .environment(key)
        .write(`id: ${sent}\nevent: patch\ndata: {"path":"/flags/b","data":{"version":1}}\n\n`);
    }
    await until(3);
    upstream.environment(key).drop();
    await until(4);
    clock.advance(1000);
    expect((await until(5)).at(-1)).toBe("put");
    expect(upstream.streamRequests[1]?.headers).not.toHaveProperty("last-event-id");
  });
}

import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, type OpenStream, type Running, startRelay } from "./start-relay.js";

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const alice = base64({ kind: "user", key: "alice" });
const server = { authorization: keys.sdkKey };
const mobile = { authorization: keys.mobileKey };
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function next(stream: OpenStream): Promise<[string | undefined, unknown]> {
  const { event, data } = await stream.next();
  return [event, JSON.parse(data === " " ? "null" : data)];
}

/** Everything that a relay says about its open streams. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await turn();
}

const visible = { usingMobileKey: true, usingEnvironmentId: true };
const hidden = { usingMobileKey: false, usingEnvironmentId: false };

const streams = [
  { name: "/all", path: "/all", headers: server, first: "put" },
  { name: "/flags", path: "/flags", headers: server, first: "put" },
  { name: "/mping", path: "/mping", headers: mobile, first: "ping" },
  { name: "/ping", path: `/ping/${keys.envId}`, headers: {}, first: "ping" },
  { name: "GET /meval", path: `/meval/${alice}`, headers: mobile, first: "put" },
  { name: "GET /eval", path: `/eval/${keys.envId}/${alice}`, headers: {}, first: "put" },
  { name: "REPORT /meval", method: "REPORT", path: "/meval", headers: mobile, first: "put" },
  { name: "REPORT /eval", method: "REPORT", path: `/eval/${keys.envId}`, headers: {}, first: "put" },
];

function open(relay: Running, { method, path, headers }: (typeof streams)[number]): Promise<OpenStream> {
  return method === undefined
    ? relay.open(path, { headers: { ...headers } })
    : relay.open(path, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        body: '{"kind":"user","key":"alice"}',
      });
}

for (const stream of streams) {
  describe(stream.name, () => {
    test(`starts with a ${stream.first} and has the headers of a stream`, async () => {
      const relay = await startRelay();
      const opened = await open(relay, stream);
      expect(opened).toMatchObject({
        status: 200,
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-cache, no-store, must-revalidate",
          "x-accel-buffering": "no",
          "transfer-encoding": "chunked",
        },
      });
      expect(opened.headers["content-encoding"]).toBeUndefined();
      expect((await opened.next()).event).toBe(stream.first);
    });

    test("ends when the environment is removed", async () => {
      const relay = await startRelay();
      const opened = await open(relay, stream);
      await relay.relay.environments.remove("prod");
      await opened.ended;
      expect((await open(relay, stream)).status).toBe(
        stream.headers === server || stream.headers === mobile ? 401 : 404,
      );
    });

    test("hears a heartbeat for each interval", async () => {
      const clock = createManualClock();
      const relay = await startRelay({ options: { clock, streams: { heartbeat: "1m" } } });
      const opened = await open(relay, stream);
      clock.advance(60_000);
      await until(() => opened.comments === 1);
      clock.advance(60_000);
      await until(() => opened.comments === 2);
    });

    test("ends after the maximum connection time, less some jitter", async () => {
      const clock = createManualClock();
      const relay = await startRelay({
        options: { clock, random: () => 0.5, streams: { maxConnectionTime: "10m", heartbeat: 0 } },
      });
      const opened = await open(relay, stream);
      await opened.next();
      clock.advance(569_999);
      expect(relay.relay.status().status).toBe("healthy");
      clock.advance(1);
      await opened.ended;
    });
  });
}

describe("changes", () => {
  test("/all gets flags and segments, /flags only flags, each with the text of upstream", async () => {
    const relay = await startRelay();
    const all = await relay.open("/all", { headers: server });
    const flags = await relay.open("/flags", { headers: server });
    await Promise.all([all.next(), flags.next()]);
    const environment = relay.upstream.environment(keys.sdkKey);
    environment.send("patch", { path: "/flags/new one", data: { key: "new one", version: 2, future: [1] } });
    expect(await next(all)).toEqual([
      "patch",
      { path: "/flags/new one", data: { key: "new one", version: 2, future: [1] } },
    ]);
    environment.patch("segments", { key: "s", version: 1 });
    expect(await next(all)).toEqual(["patch", { path: "/segments/s", data: { key: "s", version: 1 } }]);
    environment.delete("flags", "a", 9);
    expect(await next(all)).toEqual(["delete", { path: "/flags/a", version: 9 }]);
    environment.delete("segments", "s", 2);
    expect(await next(all)).toEqual(["delete", { path: "/segments/s", version: 2 }]);
    environment.put({ flags: { z: flag("z", 1) } });
    expect(await next(all)).toEqual([
      "put",
      { path: "/", data: { flags: { z: flag("z", 1) }, segments: {} } },
    ]);
    expect(await next(flags)).toEqual([
      "patch",
      { path: "/new one", data: { key: "new one", version: 2, future: [1] } },
    ]);
    expect(await next(flags)).toEqual(["delete", { path: "/a", version: 9 }]);
    expect(await next(flags)).toEqual(["put", { z: flag("z", 1) }]);
  });

  test("a ping for what the audience may see, and for nothing else", async () => {
    const relay = await startRelay();
    const ping = await relay.open("/mping", { headers: mobile });
    await ping.next();
    const all = await relay.open("/all", { headers: server });
    await all.next();
    const environment = relay.upstream.environment(keys.sdkKey);
    environment.patch("flags", flag("h", 1, { clientSideAvailability: hidden }));
    await all.next();
    environment.patch("segments", { key: "s", version: 1 });
    await all.next();
    environment.patch("flags", flag("a", 2));
    expect(await ping.next()).toMatchObject({ event: "ping", data: " " });
    environment.put({});
    expect(await ping.next()).toMatchObject({ event: "ping", data: " " });
    void relay.relay.close({ within: 0 });
    await expect(ping.next()).rejects.toThrow("ended");
  });

  test("what is not newer is not passed on", async () => {
    const relay = await startRelay({ data: { [keys.sdkKey]: { flags: { a: flag("a", 5) } } } });
    const all = await relay.open("/all", { headers: server });
    await all.next();
    const environment = relay.upstream.environment(keys.sdkKey);
    environment.patch("flags", flag("a", 5));
    environment.patch("flags", flag("a", 4));
    environment.delete("flags", "a", 3);
    environment.patch("flags", flag("a", 6));
    expect(await next(all)).toMatchObject(["patch", { data: { version: 6 } }]);
  });
});

describe("on the wire", () => {
  /** What arrives on a connection after the head of the answer, as it is. */
  function openRaw(url: string, path: string): { text(): string; readonly ended: Promise<void> } {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let all = "";
    socket.on("data", (chunk) => {
      all += chunk;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    return {
      text: () => all.slice(all.indexOf("\r\n\r\n") + 4),
      ended: new Promise((resolve) => socket.on("close", () => resolve())),
    };
  }

  test("a ping is a blank, a heartbeat a lone colon, and the end an end without a farewell", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock, streams: { heartbeat: "1m" } } });
    const stream = openRaw(relay.url, `/ping/${keys.envId}`);
    await until(() => stream.text().endsWith("\n\n\r\n"));
    clock.advance(60_000);
    await until(() => stream.text().endsWith(":\n\r\n"));
    await relay.relay.environments.remove("prod");
    await stream.ended;
    expect(stream.text()).toBe("15\r\nevent: ping\ndata:  \n\n\r\n2\r\n:\n\r\n0\r\n\r\n");
  });

  test("events have a name and one line of data, and neither an ID nor a pause", async () => {
    const relay = await startRelay();
    const stream = openRaw(relay.url, `/eval/${keys.envId}/${alice}`);
    await until(() => stream.text().endsWith("\n\n\r\n"));
    expect(stream.text()).toMatch(/^[0-9a-f]+\r\nevent: put\ndata: \{.*\}\n\n\r\n$/);
  });

  test("the last event ID of an SDK is ignored: every stream starts with everything, as it is then", async () => {
    const relay = await startRelay();
    const first = await relay.open("/all", { headers: { ...server, "last-event-id": "42" } });
    expect(await next(first)).toMatchObject(["put", { data: { flags: { a: { version: 1 } } } }]);
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
    relay.upstream.environment(keys.sdkKey).delete("flags", "gone", 3);
    for (let event = 0; event < 2; event++) await first.next();
    const second = await relay.open("/all", { headers: { ...server, "last-event-id": "42" } });
    expect(await next(second)).toEqual([
      "put",
      { path: "/", data: { flags: { a: flag("a", 2) }, segments: {} } },
    ]);
  });

  test("heartbeats end with their environment", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock } });
    await relay.open("/all", { headers: server });
    expect(clock.pending).toBeGreaterThan(0);
    await relay.relay.environments.remove("prod");
    await until(() => clock.pending === 0);
  });
});

describe("evaluated streams", () => {
  const segment = (version: number, included: string[]) => ({
    key: "s",
    version,
    included,
    excluded: [],
    rules: [],
    salt: "s",
  });
  const bySegment = flag("by-segment", 1, {
    rules: [
      {
        id: "r",
        variation: 1,
        clauses: [{ attribute: "", op: "segmentMatch", values: ["s"], negate: false }],
      },
    ],
  });
  const data = {
    flags: {
      plain: flag("plain", 1),
      hidden: flag("hidden", 1, { clientSideAvailability: hidden }),
      base: flag("base", 1),
      dependent: flag("dependent", 1, { prerequisites: [{ key: "base", variation: 0 }] }),
      "by-segment": bySegment,
    },
    segments: { s: segment(1, []) },
  };
  async function start() {
    const relay = await startRelay({ data: { [keys.sdkKey]: data } });
    const stream = await relay.open(`/eval/${keys.envId}/${alice}`);
    await stream.next();
    return { relay, stream, environment: relay.upstream.environment(keys.sdkKey) };
  }
  const end = { key: "end", version: 1 };

  test("start with all flags that the audience sees", async () => {
    const relay = await startRelay({ data: { [keys.sdkKey]: data } });
    const stream = await relay.open(`/meval/${alice}?withReasons=true`, { headers: mobile });
    const [event, body] = await next(stream);
    expect(event).toBe("put");
    expect(Object.keys(body as object).sort()).toEqual(["base", "by-segment", "dependent", "plain"]);
    expect(body).toMatchObject({
      plain: { value: true, variation: 0, version: 1, reason: { kind: "FALLTHROUGH" } },
    });
  });

  test("a new version of one flag is a patch, its deletion a delete", async () => {
    const { stream, environment } = await start();
    environment.patch("flags", flag("plain", 2, { on: false }));
    expect(await next(stream)).toEqual(["patch", { key: "plain", value: false, variation: 1, version: 2 }]);
    environment.delete("flags", "plain", 3);
    expect(await next(stream)).toEqual(["delete", { key: "plain", version: 3 }]);
  });

  test("a flag that is hidden from now on is a delete, one that shows up a patch", async () => {
    const { stream, environment } = await start();
    environment.patch("flags", flag("plain", 2, { clientSideAvailability: hidden }));
    expect(await next(stream)).toEqual(["delete", { key: "plain", version: 2 }]);
    environment.patch("flags", flag("hidden", 2, { clientSideAvailability: visible }));
    expect(await next(stream)).toEqual(["patch", { key: "hidden", value: true, variation: 0, version: 2 }]);
  });

  test("what a prerequisite or a segment changes is a put, because no version has risen", async () => {
    const { stream, environment } = await start();
    environment.patch("flags", flag("base", 2, { on: false }));
    expect(await next(stream)).toMatchObject([
      "put",
      { base: { value: false }, dependent: { value: false } },
    ]);
    environment.patch("segments", segment(2, ["alice"]));
    expect(await next(stream)).toMatchObject(["put", { "by-segment": { value: false, variation: 1 } }]);
  });

  test("nothing is sent for what the audience does not see", async () => {
    const { stream, environment } = await start();
    environment.patch("flags", flag("hidden", 2, { clientSideAvailability: hidden }));
    environment.delete("flags", "hidden", 3);
    environment.patch("segments", { ...segment(1, []), key: "unused" });
    environment.patch("flags", flag("plain", 2));
    expect(await next(stream)).toMatchObject(["patch", { key: "plain" }]);
  });

  test("a put that changes nothing, as after a reconnect, is not sent", async () => {
    const { stream, environment } = await start();
    environment.put(data);
    environment.patch("flags", flag("plain", 2));
    expect(await next(stream)).toMatchObject(["patch", { key: "plain" }]);
    environment.put({ flags: { plain: flag("plain", 1) } });
    expect(await next(stream)).toEqual(["put", { plain: { value: true, variation: 0, version: 1 } }]);
  });

  test("pings instead, if the host prefers", async () => {
    const relay = await startRelay({
      environments: { prod: { ...keys, clientStream: "ping" } },
    });
    const stream = await relay.open(`/eval/${keys.envId}/${alice}`);
    relay.upstream.environment(keys.sdkKey).patch("flags", { ...flag("x", 1), ...end });
    expect(await stream.next()).toMatchObject({ event: "ping" });
    expect(await stream.next()).toMatchObject({ event: "ping" });
  });
});

describe("origins", () => {
  const environments = { prod: { ...keys, allowedOrigins: ["https://a.example", "https://b.example"] } };
  const cases = [
    { origin: "https://b.example", allowed: "https://b.example" },
    { origin: "https://evil.example", allowed: "https://a.example" },
    { origin: undefined, allowed: "https://a.example" },
  ];
  for (const { origin, allowed } of cases) {
    test(`a stream for ${origin ?? "nobody in particular"} is for ${allowed}`, async () => {
      const relay = await startRelay({ environments });
      const stream = await relay.open(`/ping/${keys.envId}`, {
        headers: origin === undefined ? {} : { origin },
      });
      expect(stream.headers).toMatchObject({ "access-control-allow-origin": allowed, vary: "Origin" });
    });
  }

  test("streams of servers have no CORS headers", async () => {
    const relay = await startRelay();
    const stream = await relay.open("/all", { headers: server });
    expect(Object.keys(stream.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

test("one large event alone is no reason to drop a slow reader", async () => {
  const relay = await startRelay();
  const reader = await relay.open("/all", { headers: server });
  await reader.next();
  relay.upstream
    .environment(keys.sdkKey)
    .put({ flags: { big: { key: "big", version: 1, salt: "x".repeat(6_000_000) } } });
  expect((await next(reader))[0]).toBe("put");
});

test("1,000 SDKs that connect at once all get the put and then, in order, what has changed", {
  timeout: 300_000,
}, async () => {
  const relay = await startRelay();
  const opened = await Promise.all(
    Array.from({ length: 1000 }, () => relay.open("/all", { headers: server })),
  );
  await Promise.all(opened.map((stream) => stream.next()));
  const environment = relay.upstream.environment(keys.sdkKey);
  for (let version = 2; version <= 6; version++) environment.patch("flags", flag("a", version));
  for (const stream of opened) {
    let version = 1;
    while (version < 6) {
      const [event, body] = await next(stream);
      const { data } = body as { data: { version: number } };
      expect([event, data.version > version]).toEqual(["patch", true]);
      version = data.version;
    }
  }
  for (const stream of opened) stream.close();
});

test("closing ends all streams within the deadline, spread over it", async () => {
  const relay = await startRelay();
  const opened = await Promise.all(Array.from({ length: 50 }, () => relay.open("/all", { headers: server })));
  const closed = relay.relay.close({ within: "1s" });
  await Promise.all(opened.map(({ ended }) => ended));
  await closed;
});

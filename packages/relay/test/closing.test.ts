import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRelay } from "../src/relay.js";
import type { Source, SourceFactory } from "../src/sources/source.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const server = { authorization: keys.sdkKey };

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

describe("closing", () => {
  test("waiting events are sent beside the ends of the streams, not after them", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock } });
    for (let n = 0; n < 20; n++) await (await relay.open("/all", { headers: server })).next();
    await relay.fetch("POST", "/bulk", {
      headers: { ...server, "x-launchdarkly-event-schema": "4" },
      body: '[{"kind":"custom"}]',
    });
    // The clock stands still: no stream ends.
    const closed = relay.relay.close({ within: "1s" });
    expect(await relay.upstream.takePosts(1)).toMatchObject([{ path: "/bulk", body: [{ kind: "custom" }] }]);
    clock.advance(1000);
    await closed;
  });

  test("streams end one after the other within half of the time, and readers then have the other half", async () => {
    const clock = createManualClock();
    let seed = 0;
    const relay = await startRelay({ options: { clock, random: () => (seed++ % 40) / 40 } });
    let ended = 0;
    const streams = await Promise.all(
      Array.from({ length: 40 }, () => relay.open("/all", { headers: server })),
    );
    for (const stream of streams) void stream.ended.then(() => ended++);
    const closed = relay.relay.close({ within: 40 });
    const endedAt: number[] = [];
    for (let ms = 0; ms <= 20; ms++) {
      // Two streams end in each millisecond.
      clock.advance(ms === 0 ? 0 : 1);
      await until(() => ended >= Math.min(2 * ms + 1, 40));
      endedAt.push(ended);
    }
    expect(endedAt).toEqual([...Array.from({ length: 20 }, (_, ms) => 2 * ms + 1), 40]);
    await closed;
    expect(ended).toBe(40);
    expect(clock.pending).toBe(0);
  });

  test("a reader that stands still is cut off at the deadline, also when the server is closing", async () => {
    const relay = await startRelay({
      data: { [keys.sdkKey]: { flags: { big: flag("big", 1, { salt: "x".repeat(16_000_000) }) } } },
    });
    const own = createServer(relay.relay.handler);
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
    const reader = connect((own.address() as AddressInfo).port, "127.0.0.1");
    reader.on("error", () => {});
    reader.write(`GET /all HTTP/1.1\r\nhost: x\r\nauthorization: ${keys.sdkKey}\r\n\r\n`);
    await new Promise((resolve) => reader.once("readable", resolve));
    const serverClosed = new Promise((resolve) => own.close(resolve));
    await relay.relay.close({ within: 50 });
    await serverClosed;
    reader.destroy();
  });

  const large = {
    [keys.sdkKey]: { flags: { big: flag("big", 1, { variations: ["x".repeat(16_000_000)] }) } },
  };
  const largeAnswers = {
    "/sdk/flags": keys.sdkKey,
    "/sdk/latest-all": keys.sdkKey,
    "/sdk/flags/big": keys.sdkKey,
    "/msdk/evalx/contexts/eyJrZXkiOiJ1In0": keys.mobileKey,
  };
  for (const [path, authorization] of Object.entries(largeAnswers)) {
    /** A server that is closing while an answer, of which only the head was read, is on its way. */
    const onItsWay = async () => {
      const clock = createManualClock();
      const relay = await startRelay({ data: large, options: { clock } });
      const own = createServer(relay.relay.handler);
      await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
      const { port } = own.address() as AddressInfo;
      const { res } = await openWith(port, "GET", path, { authorization });
      return { ...relay, clock, res, serverClosed: new Promise((resolve) => own.close(resolve)), own };
    };

    test(`${path}: what is on its way arrives`, async () => {
      const { relay, res, own, serverClosed } = await onItsWay();
      const closed = relay.close();
      let taken = 0;
      for await (const chunk of res) taken += (chunk as Buffer).length;
      expect(taken).toBe(Number(res.headers["content-length"]));
      expect(taken).toBeGreaterThan(16_000_000);
      await closed;
      own.closeIdleConnections();
      await serverClosed;
    });

    test(`${path}: what nobody takes is cut off at the deadline`, async () => {
      const { relay, clock, res, serverClosed } = await onItsWay();
      res.on("error", () => {});
      const closed = relay.close({ within: "5s" });
      clock.advance(5000);
      await closed;
      await serverClosed;
      res.destroy();
    });
  }

  test("connections of ended streams do not keep a server from closing", async () => {
    const relay = await startRelay();
    const own = createServer({ keepAliveTimeout: 3_600_000 }, relay.relay.handler);
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
    const { port } = own.address() as AddressInfo;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => openWith(port, "GET", "/all").then(({ res }) => res)),
    );
    for (const res of answers) res.resume();
    const serverClosed = new Promise((resolve) => own.close(resolve));
    await relay.relay.close();
    await serverClosed;
  });

  test("hurries those that were removed before and are not over yet", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock, events: { flushInterval: "1h" } } });
    relay.upstream.answerEvents(503);
    await relay.fetch("POST", "/bulk", {
      headers: { ...server, "x-launchdarkly-event-schema": "4" },
      body: "[{}]",
    });
    const removed = relay.relay.environments.remove("prod");
    await relay.relay.close({ within: 0 });
    await removed;
    expect(clock.pending).toBe(0);
  });

  test("afterwards nothing can be added, changed, removed or rotated, and nothing is asked of upstream", async () => {
    const { relay, upstream } = await startRelay();
    await relay.close({ within: 0 });
    const { environments } = relay;
    const closed = { code: "closed" };
    await expect(environments.add("x", { sdkKey: "sdk-2" })).rejects.toMatchObject(closed);
    await expect(environments.update("prod", {})).rejects.toMatchObject(closed);
    await expect(environments.remove("prod")).rejects.toMatchObject(closed);
    expect(() => environments.rotateKey("prod", { sdkKey: "sdk-2" })).toThrow(
      expect.objectContaining(closed),
    );
    for (let i = 0; i < 20; i++) await turn();
    expect(upstream.streamRequests).toHaveLength(1);
  });

  test("an open stream that has reached its maximum time ends", async () => {
    const clock = createManualClock();
    const relay = await startRelay({
      options: { clock, random: () => 0.5, streams: { maxConnectionTime: "10m" } },
    });
    const stream = await relay.open("/all", { headers: server });
    let ended = false;
    void stream.ended.then(() => {
      ended = true;
    });
    // A tenth less, at most.
    clock.advance(569_999);
    for (let i = 0; i < 10; i++) await turn();
    expect(ended).toBe(false);
    clock.advance(1);
    await stream.ended;
  });

  test("a stream whose reader does not take its end is cut off after five seconds", async () => {
    const clock = createManualClock();
    const relay = await startRelay({
      data: { [keys.sdkKey]: { flags: { big: flag("big", 1, { salt: "x".repeat(16_000_000) }) } } },
      options: { clock },
    });
    const reader = connect(Number(new URL(relay.url).port), "127.0.0.1");
    reader.write(`GET /all HTTP/1.1\r\nhost: x\r\nauthorization: ${keys.sdkKey}\r\n\r\n`);
    await new Promise((resolve) => reader.once("readable", resolve));
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-2" });
    clock.advance(5000);
    const cut = new Promise((resolve) => reader.on("error", resolve).on("close", resolve));
    reader.resume();
    await cut;
  });
});

/** Sends the head of a request, and waits for the head of the answer when there is no body to come. */
function openWith(port: number, method: string, path: string, headers: Record<string, string> = server) {
  const req = request({ port, host: "127.0.0.1", method, path, headers });
  req.on("error", () => {});
  onTestFinished(() => void req.destroy());
  const answered = new Promise<IncomingMessage>((resolve) => req.on("response", resolve));
  if (method === "GET") req.end();
  return answered.then((res) => ({ req, res }));
}

describe("a request whose body ends when its time is over", () => {
  const cases: {
    name: string;
    act: (relay: Running) => unknown;
    server: number;
    mobile: number;
    browser: number;
  }[] = [
    {
      name: "its environment was removed",
      act: ({ relay }) => relay.environments.remove("prod"),
      server: 401,
      mobile: 401,
      browser: 404,
    },
    {
      name: "its key was replaced",
      act: ({ relay }) => relay.environments.rotateKey("prod", { sdkKey: "sdk-2", mobileKey: "mob-2" }),
      server: 401,
      mobile: 401,
      // An environment ID stays.
      browser: 200,
    },
    {
      name: "its environment was removed and added again",
      act: async ({ relay }) => {
        const removed = relay.environments.remove("prod");
        await relay.environments.add("prod", keys);
        await removed;
      },
      server: 503,
      mobile: 503,
      browser: 503,
    },
    {
      name: "the relay was closed",
      act: ({ relay }) => relay.close({ within: 0 }),
      server: 503,
      mobile: 503,
      browser: 503,
    },
  ];
  const paths = [
    { audience: "server", method: "REPORT", path: "/sdk/evalx/context", stream: false },
    { audience: "mobile", method: "REPORT", path: "/msdk/evalx/context", stream: false },
    { audience: "mobile", method: "REPORT", path: "/meval", stream: true },
    { audience: "browser", method: "REPORT", path: `/eval/${keys.envId}`, stream: true },
    { audience: "browser", method: "REPORT", path: `/sdk/evalx/${keys.envId}/context`, stream: false },
    { audience: "server", method: "POST", path: "/bulk", stream: false },
    { audience: "server", method: "POST", path: "/diagnostic", stream: false },
    { audience: "mobile", method: "POST", path: "/mobile", stream: false },
    { audience: "browser", method: "POST", path: `/events/bulk/${keys.envId}`, stream: false },
  ] as const;
  for (const { name, act, ...statuses } of cases) {
    for (const { audience, method, path, stream } of paths) {
      // Events that are taken get 202.
      const status = method === "POST" && statuses[audience] === 200 ? 202 : statuses[audience];
      test(`${name}: ${audience} ${method} ${path} is ${status}`, async () => {
        const relay = await startRelay();
        const body =
          method === "POST" ? '[{"kind":"identify","user":{"key":"u"}}]' : '{"kind":"user","key":"u"}';
        const headers = {
          "content-type": "application/json",
          "content-length": String(body.length),
          ...(audience === "browser"
            ? {}
            : { authorization: audience === "server" ? keys.sdkKey : keys.mobileKey }),
        };
        const port = Number(new URL(relay.url).port);
        const req = request({ port, host: "127.0.0.1", method, path, headers });
        req.on("error", () => {});
        const answered = new Promise<IncomingMessage>((resolve) => req.on("response", resolve));
        req.write(body.slice(0, 5));
        // The relay has the head of the request, and has found its environment, before it answers a later one.
        await relay.fetch("GET", "/status");
        await act(relay);
        req.end(body.slice(5));
        const res = await answered;
        expect(res.statusCode).toBe(status);
        if (!stream || status !== 200) for await (const _ of res.resume());
        req.destroy();
        await relay.relay.close();
        // What was refused is not sent.
        expect(await relay.upstream.takePosts()).toHaveLength(status === 202 ? 1 : 0);
      });
    }
  }
});

describe("closing waits for no body", () => {
  for (const [method, path, body] of [
    ["POST", "/bulk", '[{"kind":'],
    ["POST", "/diagnostic", "{"],
    ["REPORT", "/sdk/evalx/context", "{"],
  ] as const) {
    test(`${method} ${path} that stalls is told so at once, and the server can close`, async () => {
      const relay = await startRelay();
      const own = createServer(relay.relay.handler);
      await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
      const headers = { ...server, "content-type": "application/json", "content-length": "1000" };
      const { port } = own.address() as AddressInfo;
      const req = request({ port, host: "127.0.0.1", method, path, headers });
      req.on("error", () => {});
      const answered = new Promise<IncomingMessage>((resolve) => req.on("response", resolve));
      req.write(body);
      await relay.fetch("GET", "/status");
      await fetch(`http://127.0.0.1:${port}/status`);
      const serverClosed = new Promise((resolve) => own.close(resolve));
      own.closeIdleConnections();
      await relay.relay.close({ within: "1h" });
      expect((await answered).statusCode).toBe(503);
      (await answered).resume();
      await serverClosed;
    });
  }

  test("nor for goals that upstream does not give", async () => {
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const app = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const relay = await startRelay({ reach: ({ roles }) => ({ ...roles, app, requestTimeout: "1h" }) });
    const asked = new Promise((resolve) => hanging.once("request", resolve));
    const answer = relay.fetch("GET", `/sdk/goals/${keys.envId}`);
    await asked;
    await relay.relay.close();
    expect(await answer).toMatchObject({ status: 502 });
  });
});

describe("events for which there is no time at the end are counted", () => {
  async function closeAtOnce(posts: readonly (readonly [path: string, body: string])[]) {
    const counted: Record<string, number> = {};
    const errors: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
    const count = (name: string, amount: number) => {
      counted[name] = (counted[name] ?? 0) + amount;
    };
    const relay = await startRelay({
      options: {
        clock: createManualClock(),
        logger,
        metrics: { count, gauge: () => {} },
        events: { capacity: 20_000, retryDelay: "1h" },
      },
    });
    relay.upstream.answerEvents(503);
    for (const [path, body] of posts)
      expect(await relay.fetch("POST", path, { headers: server, body })).toMatchObject({ status: 202 });
    await relay.relay.close({ within: 0 });
    return { counted, errors };
  }

  test("also those that still wait to be summarised", async () => {
    const evaluation = { kind: "feature", key: "a", version: 1, user: { key: "u" }, creationDate: 1 };
    const post = JSON.stringify(Array.from({ length: 10_000 }, () => evaluation));
    const { counted, errors } = await closeAtOnce([
      ["/bulk", post],
      ["/bulk", post],
    ]);
    // At least those of the second post: it waits for its turn.
    expect(counted.events_accepted).toBe(20_000);
    expect(counted.events_dropped).toBeGreaterThanOrEqual(10_000);
    expect(errors.join("\n")).toMatch(/10000 could not be delivered before the relay was closed/);
  });

  test("and diagnostics", async () => {
    const { counted } = await closeAtOnce([["/diagnostic", "{}"]]);
    expect(counted.events_dropped).toBe(1);
  });
});

describe("a factory of the host that throws", () => {
  /** Sources and stores that note what is open. */
  function createHost() {
    const open = new Set<string>();
    const source: SourceFactory = ({ sdkKey, filter }): Source => {
      if (sdkKey === "sdk-bad" || filter === "bad") throw new Error("no source");
      open.add(`source ${sdkKey}`);
      return { close: () => void open.delete(`source ${sdkKey}`) };
    };
    const store = ({ environment }: { environment: string }) => {
      if (environment === "no-store") throw new Error("no store");
      open.add(`store ${environment}`);
      return {
        read: async () => undefined,
        replace: async () => {},
        upsert: async () => [],
        close: async () => void open.delete(`store ${environment}`),
      };
    };
    return { open, source, store };
  }

  const bad = [
    { name: "a source", environments: { bad: { sdkKey: "sdk-bad" } }, message: "no source" },
    { name: "a store", environments: { "no-store": { sdkKey: "sdk-1" } }, message: "no store" },
    {
      name: "the source of a filter",
      environments: { bad: { sdkKey: "sdk-1", filters: ["bad"] } },
      message: "no source",
    },
  ];
  for (const { name, environments, message } of bad) {
    test(`${name}: createRelay throws it and leaves nothing open`, async () => {
      const clock = createManualClock();
      const { open, source, store } = createHost();
      const all = { good: { sdkKey: "sdk-good" }, ...environments };
      const options = Object.fromEntries(
        Object.entries(all).map(([name, environment]) => [name, { ...environment, source, store }]),
      );
      expect(() => createRelay({ environments: options, clock })).toThrow(message);
      await until(() => open.size === 0);
      expect(clock.pending).toBe(0);
    });

    test(`${name}: add rejects with it, leaves nothing open, and the name is free`, async () => {
      const clock = createManualClock();
      const { open, source, store } = createHost();
      const relay = createRelay({ clock });
      onTestFinished(() => relay.close({ within: 0 }));
      const [[added, options] = ["", { sdkKey: "" }]] = Object.entries(environments);
      await expect(relay.environments.add(added, { ...options, source, store })).rejects.toThrow(message);
      await until(() => open.size === 0);
      expect(clock.pending).toBe(0);
      expect(relay.environments.names()).toEqual([]);
      void relay.environments.add(added, { sdkKey: options.sdkKey });
      expect(relay.environments.names()).toEqual([added]);
    });
  }

  test("at an update: it rejects with it, and nothing has changed", async () => {
    const { open, source, store } = createHost();
    const relay = createRelay({ environments: { prod: { sdkKey: "sdk-1", source, store } } });
    onTestFinished(() => relay.close({ within: 0 }));
    const before = relay.status();
    await expect(
      relay.environments.update("prod", { sdkKey: "sdk-2", filters: ["ok", "bad"] }),
    ).rejects.toThrow("no source");
    await until(() => open.size === 2);
    expect(relay.status()).toEqual(before);
    expect([...open]).toEqual(["store prod", "source sdk-1"]);
  });

  test("at a rotation: the keys change, the old source goes on, the new one is tried again", async () => {
    const clock = createManualClock();
    const { open, source } = createHost();
    let broken = true;
    const relay = createRelay({
      clock,
      environments: {
        prod: {
          sdkKey: "sdk-1",
          source: (context) =>
            source({ ...context, sdkKey: broken && context.sdkKey === "sdk-2" ? "sdk-bad" : context.sdkKey }),
        },
      },
    });
    onTestFinished(() => relay.close({ within: 0 }));
    relay.environments.rotateKey("prod", { sdkKey: "sdk-2" }, { overlap: "1h" });
    expect([...open]).toEqual(["source sdk-1"]);
    broken = false;
    clock.advance(10_000);
    expect([...open]).toEqual(["source sdk-1", "source sdk-2"]);
  });
});

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, type RequestListener, request } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import compression from "compression";
import express from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Relay } from "../src/index.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, startRelay } from "./start-relay.js";

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

  test("events that upstream does not take are sent again as long as there is time", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock, events: { retryDelay: "1h" } } });
    relay.upstream.answerEvents(503);
    const headers = { ...server, "x-launchdarkly-event-schema": "4" };
    await relay.fetch("POST", "/bulk", { headers, body: '[{"kind":"custom"}]' });
    let closed = false;
    const closing = relay.relay.close({ within: "1h" }).then(() => {
      closed = true;
    });
    await relay.upstream.takePosts(1);
    // An hour is enough for many more.
    for (let tried = 0; tried < 5; ) {
      clock.advance(100);
      await turn();
      tried += (await relay.upstream.takePosts()).length;
    }
    relay.upstream.answerEvents(202);
    while (!closed) {
      clock.advance(100);
      await turn();
    }
    await closing;
    expect(await relay.upstream.takePosts()).toMatchObject([{ body: [{ kind: "custom" }] }]);
  });

  test("without a time of its own the end takes five seconds at most, and closing again changes nothing of that", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock, events: { retryDelay: "1h" } } });
    relay.upstream.answerEvents(503);
    const headers = { ...server, "x-launchdarkly-event-schema": "4" };
    await relay.fetch("POST", "/bulk", { headers, body: '[{"kind":"custom"}]' });
    const ended: number[] = [];
    const begun = clock.now();
    const closing = [undefined, { within: 0 }, { within: "1h" }].map((how) =>
      relay.relay.close(how).then(() => ended.push(clock.now() - begun)),
    );
    await relay.upstream.takePosts(1);
    for (const ms of [4999, 1]) {
      clock.advance(ms);
      for (let turns = 0; turns < 20; turns++) await turn();
    }
    await Promise.all(closing);
    expect(ended).toEqual([5000, 5000, 5000]);
  });

  test("where there is much time, streams end at the rate of one in a millisecond", async () => {
    const clock = createManualClock();
    let seed = 0;
    const relay = await startRelay({ options: { clock, random: () => (seed++ % 40) / 40 } });
    const streams = await Promise.all(
      Array.from({ length: 40 }, () => relay.open("/all", { headers: server })),
    );
    const closed = relay.relay.close({ within: "10s" });
    clock.advance(39);
    await Promise.all(streams.map((stream) => stream.ended));
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
    [keys.sdkKey]: { flags: { big: flag("big", 1, { variations: ["x".repeat(9_000_000)] }) } },
  };
  const goals = JSON.stringify(["x".repeat(9_000_000)]);
  const largeAnswers = {
    "/sdk/flags": keys.sdkKey,
    "/sdk/latest-all": keys.sdkKey,
    "/sdk/flags/big": keys.sdkKey,
    "/msdk/evalx/contexts/eyJrZXkiOiJ1In0": keys.mobileKey,
    [`/sdk/goals/${keys.envId}`]: "",
  };
  for (const [path, authorization] of Object.entries(largeAnswers)) {
    /** A server that is closing while an answer, of which only the head was read, is on its way. */
    const onItsWay = async () => {
      const clock = createManualClock();
      const relay = await startRelay({ data: large, goals, options: { clock } });
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
      expect(taken).toBeGreaterThan(9_000_000);
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

  const wrapped: Record<string, (relay: Relay) => RequestListener> = {
    "something that replaces `end`": (relay) => (req, res) => {
      const end = res.end.bind(res);
      // The overloads of `end` cannot be told from outside.
      res.end = ((...given: []) => end(...given)) as typeof res.end;
      relay.handler(req, res);
    },
    "compression()": (relay) => {
      const app = express();
      app.use(compression(), relay.handler);
      return app;
    },
  };
  for (const [name, mount] of Object.entries(wrapped)) {
    test(`what is on its way behind ${name} is waited for, and cut off at the deadline`, async () => {
      const clock = createManualClock();
      const { relay } = await startRelay({ data: large, goals, options: { clock } });
      const own = createServer(mount(relay));
      await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
      const { port } = own.address() as AddressInfo;
      const { res } = await openWith(port, "GET", "/sdk/latest-all", server);
      res.on("error", () => {});
      let isClosed = false;
      const closed = relay.close({ within: "5s" }).then(() => {
        isClosed = true;
      });
      for (let n = 0; n < 20; n++) await turn();
      expect(isClosed).toBe(false);
      clock.advance(5000);
      await closed;
      res.destroy();
      own.close();
    });
  }

  test("what is on its way over HTTP/2 arrives before the relay has closed", async () => {
    const { relay } = await startRelay({ data: large, options: { clock: createManualClock() } });
    const own = createHttp2Server(relay.handler);
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
    const page = connectHttp2(`http://127.0.0.1:${(own.address() as AddressInfo).port}`);
    const answer = page.request({ ":path": "/sdk/latest-all", ...server });
    await once(answer, "response");
    let isClosed = false;
    const closed = relay.close().then(() => {
      isClosed = true;
    });
    for (let n = 0; n < 20; n++) await turn();
    expect(isClosed).toBe(false);
    let taken = 0;
    for await (const chunk of answer) taken += (chunk as Buffer).length;
    expect(taken).toBeGreaterThan(9_000_000);
    await closed;
    page.destroy();
    own.close();
  });

  test("connections of ended streams do not keep a server from closing", async () => {
    const relay = await startRelay();
    const own = createServer({ keepAliveTimeout: 3_600_000 }, relay.relay.handler);
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
    const { port } = own.address() as AddressInfo;
    // It would keep its connections for ever.
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => openWith(port, "GET", "/all", server, agent).then(({ res }) => res)),
    );
    for (const res of answers) res.resume();
    const serverClosed = new Promise((resolve) => own.close(resolve));
    await relay.relay.close();
    await serverClosed;
  });

  test("leaves no connection to upstream open", async () => {
    const upstream = createServer({ keepAliveTimeout: 3_600_000 }, (req, res) => {
      req.resume().on("end", () => res.writeHead(202).end());
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      upstream.closeAllConnections();
      upstream.close();
    });
    const sockets: Socket[] = [];
    const note = (message: unknown) => void sockets.push((message as { readonly socket: Socket }).socket);
    subscribe("net.client.socket", note);
    onTestFinished(() => void unsubscribe("net.client.socket", note));
    const asked = once(upstream, "request");
    const { port } = upstream.address() as AddressInfo;
    const relay = await startRelay({
      reach: ({ roles }) => ({ ...roles, events: `http://127.0.0.1:${port}` }),
    });
    expect(await relay.fetch("POST", "/diagnostic", { headers: server, body: "{}" })).toMatchObject({
      status: 202,
    });
    await asked;
    const own = sockets.filter(({ remotePort }) => remotePort === port);
    expect(own).toHaveLength(1);
    await relay.relay.close();
    // By then, and not when it has been idle for a while.
    expect(own[0]?.destroyed).toBe(true);
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
function openWith(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = server,
  agent?: Agent,
) {
  const req = request({ port, host: "127.0.0.1", method, path, headers, agent });
  req.on("error", () => {});
  onTestFinished(() => void req.destroy());
  const answered = new Promise<IncomingMessage>((resolve) => req.on("response", resolve));
  if (method === "GET") req.end();
  return answered.then((res) => ({ req, res }));
}

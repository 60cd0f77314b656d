import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { keys, type Running, startRelay } from "./start-relay.js";

const server = { authorization: keys.sdkKey };

describe("a request whose body ends when its time is over", () => {
  const cases: {
    name: string;
    query?: string;
    act: (relay: Running) => unknown;
    server: number;
    mobile: number;
    browser: number;
    browserStream?: number;
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
      name: "its filter was taken away",
      query: "?filter=web",
      act: ({ relay }) => relay.environments.update("prod", { filters: [] }),
      // Whoever asks again hears whether it is back.
      server: 503,
      mobile: 503,
      browser: 503,
    },
    {
      name: "its origin was taken away",
      act: ({ relay }) => relay.environments.update("prod", { allowedOrigins: ["https://b.example"] }),
      server: 200,
      mobile: 200,
      browser: 200,
      // It would go on.
      browserStream: 503,
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
  for (const { name, act, query = "", browserStream, ...statuses } of cases) {
    for (const { audience, method, path, stream } of paths) {
      // Events that are taken get 202.
      const taken = method === "POST" && statuses[audience] === 200 ? 202 : statuses[audience];
      const status = stream && audience === "browser" ? (browserStream ?? taken) : taken;
      test(`${name}: ${audience} ${method} ${path} is ${status}`, async () => {
        const relay = await startRelay({
          environments: { prod: { ...keys, filters: ["web"] } },
          reach(upstream) {
            upstream.environment(keys.sdkKey, "web").setData({ flags: {} });
            return upstream.roles;
          },
        });
        const body =
          method === "POST" ? '[{"kind":"identify","user":{"key":"u"}}]' : '{"kind":"user","key":"u"}';
        const headers = {
          "content-type": "application/json",
          "content-length": String(body.length),
          ...(audience === "browser"
            ? { origin: "https://a.example" }
            : { authorization: audience === "server" ? keys.sdkKey : keys.mobileKey }),
        };
        const port = Number(new URL(relay.url).port);
        const req = request({ port, host: "127.0.0.1", method, path: `${path}${query}`, headers });
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

describe("events that are there when the relay is closed are not taken", () => {
  const sent = { ...server, "x-launchdarkly-event-schema": "4" };
  const cases = [
    {
      name: "and are still being unpacked",
      body: gzipSync('[{"kind":"x"}]'),
      headers: { ...sent, "content-encoding": "gzip" },
      turns: 0,
    },
    {
      name: "and are still being looked at",
      body: Buffer.from(`[${"1,".repeat(5_000_000)}1]`),
      headers: sent,
      turns: 3,
    },
  ];
  for (const { name, body, headers, turns } of cases) {
    test(name, async () => {
      let closed: Promise<void> | undefined;
      let end = () => {};
      const relay = await startRelay({
        mount: (one) => (req, res) => {
          one.handler(req, res);
          req.on("end", () => after(turns, end));
        },
      });
      end = () => {
        closed = relay.relay.close({ within: 0 });
      };
      expect(await relay.fetch("POST", "/bulk", { headers, body })).toMatchObject({ status: 503 });
      await closed;
      expect(await relay.upstream.takePosts()).toEqual([]);
    });
  }
});

/** Runs something so many turns later. */
function after(turns: number, run: () => void): void {
  if (turns === 0) run();
  else setImmediate(() => after(turns - 1, run));
}

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
    expect(await answer).toMatchObject({ status: 503 });
  });
});

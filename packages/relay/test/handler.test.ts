import { connect as connectHttp2, createServer } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import { flag, keys, startRelay } from "./start-relay.js";

const server = { authorization: keys.sdkKey };

describe("paths", () => {
  const cases = [
    { name: "an unknown path", method: "GET", path: "/nope", status: 404, body: "404 page not found\n" },
    { name: "a slash too many", method: "GET", path: "/status/", status: 404, body: "404 page not found\n" },
    {
      name: "a wrong method",
      method: "POST",
      path: "/all",
      status: 405,
      headers: { allow: "GET" },
      body: "",
    },
    { name: "HEAD", method: "HEAD", path: "/status", status: 405, body: "" },
    { name: "OPTIONS for servers", method: "OPTIONS", path: "/all", status: 405, body: "" },
    { name: "an encoded slash in a key", method: "GET", path: "/sdk/flags/a%2Fb", status: 404, body: "" },
    { name: "broken escapes", method: "GET", path: "/sdk/flags/%%%", status: 400, body: "400 Bad Request" },
    {
      name: "metrics that are off",
      method: "GET",
      path: "/metrics",
      status: 404,
      body: "404 page not found\n",
    },
  ];
  for (const { name, method, path, status, headers, body } of cases) {
    test(name, async () => {
      const relay = await startRelay();
      const answer = await relay.fetch(method, path, { headers: server });
      expect(answer).toMatchObject({ status, body, headers: headers ?? {} });
    });
  }

  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])(
    "%s is refused with a length of nothing",
    async (method) => {
      const { fetch } = await startRelay({ options: { prometheus: true } });
      for (const path of ["/status", "/all", "/metrics", "/sdk/flags", "/sdk/evalx/contexts/e30"]) {
        const { status, headers, body } = await fetch(method, path);
        expect([status, headers["content-length"], body], path).toEqual([405, "0", ""]);
      }
    },
  );

  test("HEAD is refused without a length, and broken escapes end the connection, as the reference does", async () => {
    const { url } = await startRelay({ options: { prometheus: true } });
    for (const path of ["/status", "/all", "/metrics", `/ping/${keys.envId}`]) {
      const answer = await raw(url, `HEAD ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect(answer, path).toMatch(/^HTTP\/1.1 405 /);
      expect(answer, path).not.toMatch(/^content-length:/im);
    }
    // The connection ends, although nobody asked for that.
    const answer = await raw(url, "GET /sdk/flags/%%% HTTP/1.1\r\nhost: x\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 .*\r\nConnection: close\r\n.*\r\n\r\n400 Bad Request$/s);
  });

  test("a page can read that its method is wrong", async () => {
    const { fetch } = await startRelay({
      environments: { prod: { ...keys, allowedOrigins: ["https://a.example"] } },
    });
    const cors = { "access-control-allow-origin": "https://a.example", vary: "Origin" };
    const cases = [
      { method: "POST", path: `/sdk/goals/${keys.envId}`, allow: "GET, OPTIONS" },
      { method: "GET", path: `/eval/${keys.envId}`, allow: "REPORT, OPTIONS" },
      { method: "PUT", path: `/a/${keys.envId}.gif`, allow: "GET, OPTIONS" },
      { method: "HEAD", path: `/ping/${keys.envId}`, allow: "GET, OPTIONS" },
    ];
    for (const { method, path, allow } of cases) {
      const answer = await fetch(method, path, { headers: { origin: "https://a.example" } });
      expect(answer, path).toMatchObject({ status: 405, headers: { ...cors, allow } });
    }
    const answer = await fetch("POST", "/all", { headers: { origin: "https://a.example" } });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("a path that is not clean is redirected to the clean one", async () => {
    const { url } = await startRelay();
    const answer = await raw(
      url,
      "GET /a/..//status?filter=x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 301 /);
    expect(answer).toMatch(/\r\nLocation: \/status\?filter=x\r\n/);
  });
});

describe("mounting", () => {
  test("with next, everything unknown goes on, also what the relay would redirect", async () => {
    const relay = await startRelay({
      mount:
        ({ handler }) =>
        (req, res) =>
          handler(req, res, () => res.writeHead(418).end("host")),
    });
    for (const path of ["/", "/nope", "/metrics", "/sdk/%%%"]) {
      expect(await relay.fetch("GET", path), path).toMatchObject({ status: 418, body: "host" });
    }
    expect(await relay.fetch("GET", "/status")).toMatchObject({ status: 200 });
    expect(await relay.fetch("POST", "/status")).toMatchObject({ status: 405 });
  });

  test("below a prefix", async () => {
    const relay = await startRelay({ options: { prefix: "/flags/v1" } });
    expect(await relay.fetch("GET", "/flags/v1/sdk/flags/a", { headers: server })).toMatchObject({
      status: 200,
    });
    expect(await relay.fetch("GET", "/sdk/flags/a", { headers: server })).toMatchObject({ status: 404 });
  });

  test("behind a framework that has read the body", async () => {
    const context = { kind: "user", key: "u" };
    for (const body of [context, JSON.stringify(context), Buffer.from(JSON.stringify(context))]) {
      const relay = await startRelay({
        mount:
          ({ handler }) =>
          (req, res) => {
            req.resume().on("end", () => handler(Object.assign(req, { body }), res));
          },
      });
      const answer = await relay.fetch("REPORT", "/sdk/evalx/context", {
        headers: { ...server, "content-type": "application/json" },
        body: "ignored",
      });
      expect(JSON.parse(answer.body)).toMatchObject({ a: { value: true } });
    }
  });

  test("on HTTP/2, streams included", async () => {
    const relay = await startRelay();
    // The compatibility layer of Node gives requests and responses that are used like those of HTTP/1.
    const server = createServer(relay.relay.handler);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = session.request({ ":path": "/all", authorization: keys.sdkKey });
    let text = "";
    stream.on("data", (chunk) => {
      text += chunk;
    });
    while (!text.includes("event: put")) await new Promise(setImmediate);
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
    while (!text.includes("event: patch")) await new Promise(setImmediate);
    expect(text).toMatch(/^event: put\ndata: \{.*\}\n\nevent: patch\ndata: \{.*\}\n\n$/);
    session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  test("two relays in one process know nothing of each other", async () => {
    const one = await startRelay();
    const other = await startRelay({
      data: { "sdk-other": { flags: { b: flag("b", 1) } } },
      environments: { other: { sdkKey: "sdk-other" } },
    });
    expect(await one.fetch("GET", "/sdk/flags", { headers: { authorization: "sdk-other" } })).toMatchObject({
      status: 401,
    });
    await one.relay.close({ within: 0 });
    expect(await other.fetch("GET", "/sdk/flags", { headers: { authorization: "sdk-other" } })).toMatchObject(
      { status: 200 },
    );
  });
});

describe("credentials", () => {
  const unknown =
    "Relay Proxy does not recognize the client credential (missing or invalid Authorization header)";
  const cases = [
    { name: "the key alone", authorization: keys.sdkKey, status: 200 },
    { name: "after api_key", authorization: `api_key ${keys.sdkKey}`, status: 200 },
    { name: "another scheme", authorization: `Bearer ${keys.sdkKey}`, status: 401, body: "" },
    { name: "an empty header", authorization: "", status: 401, body: "" },
    { name: "a mobile key", authorization: keys.mobileKey, status: 401, body: unknown },
    { name: "an environment ID", authorization: keys.envId, status: 401, body: unknown },
    { name: "an unknown key", authorization: "sdk-x", status: 401, body: unknown },
    { name: "other letter case", authorization: keys.sdkKey.toUpperCase(), status: 401, body: unknown },
    { name: "an unknown filter", authorization: keys.sdkKey, filter: "?filter=x", status: 404 },
    { name: "an empty filter", authorization: keys.sdkKey, filter: "?filter=", status: 200 },
  ];
  for (const { name, authorization, filter = "", status, body } of cases) {
    test(name, async () => {
      const relay = await startRelay();
      const answer = await relay.fetch("GET", `/sdk/flags/a${filter}`, { headers: { authorization } });
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(body ?? "");
    });
  }

  test("none at all", async () => {
    const relay = await startRelay();
    expect(await relay.fetch("GET", "/all")).toMatchObject({ status: 401, body: "" });
  });

  test("a browser with an unknown ID gets 404 that its page can read", async () => {
    const relay = await startRelay();
    const answer = await relay.fetch("GET", "/ping/unknown", { headers: { origin: "https://a.example" } });
    expect(answer).toMatchObject({
      status: 404,
      body: "URL did not contain an environment ID",
      headers: { "access-control-allow-origin": "https://a.example", vary: "Origin" },
    });
  });
});

describe("what belongs to the relay", () => {
  test("probes: alive always, ready when there is data", async () => {
    const { upstream, fetch, relay } = await startRelay({ wait: false });
    upstream.environment(keys.sdkKey);
    expect(await fetch("GET", "/live")).toMatchObject({ status: 200, body: '{"live":true}' });
    await relay.ready();
    expect(await fetch("GET", "/ready")).toMatchObject({ status: 200, body: '{"ready":true}' });
  });

  test("not ready while an environment waits for data; one with a wrong key does not hold back the others", async () => {
    const { upstream, fetch, relay } = await startRelay({
      data: { good: {}, silent: {} },
      environments: { good: { sdkKey: "good" }, silent: { sdkKey: "silent" }, bad: { sdkKey: "bad" } },
      wait: false,
      options: { initTimeout: 1 },
    });
    upstream.environment("silent").answer("silent");
    await relay.ready();
    await relay.environments.remove("silent");
    while ((await fetch("GET", "/ready")).status !== 200) await new Promise(setImmediate);
    expect(relay.status().status).toBe("degraded");
    await relay.environments.remove("good");
    expect(await fetch("GET", "/ready")).toMatchObject({ status: 503 });
  });

  const policies = [
    { ready: "all", status: 503 },
    { ready: "any", status: 200 },
    { ready: ["good"], status: 200 },
    { ready: ["good", "silent"], status: 503 },
    { ready: ["late"], status: 503 },
  ] as const;
  for (const { ready, status } of policies) {
    test(`with one environment that has data and one that has none, ${JSON.stringify(ready)} is ${status}`, async () => {
      const { upstream, fetch, relay } = await startRelay({
        data: { good: {}, silent: {} },
        environments: {},
        wait: false,
        options: { initTimeout: 1, ready },
      });
      expect((await fetch("GET", "/ready")).status).toBe(503);
      upstream.environment("silent").answer("silent");
      await relay.environments.add("silent", { sdkKey: "silent" });
      expect((await fetch("GET", "/ready")).status).toBe(503);
      await relay.environments.add("good", { sdkKey: "good" });
      while ((await fetch("GET", "/sdk/flags", { headers: { authorization: "good" } })).status !== 200)
        await new Promise(setImmediate);
      expect((await fetch("GET", "/ready")).status).toBe(status);
    });
  }

  test("probes can be switched off", async () => {
    const relay = await startRelay({ options: { probes: false } });
    expect(await relay.fetch("GET", "/live")).toMatchObject({ status: 404 });
  });

  test("metrics for Prometheus", async () => {
    const relay = await startRelay({ options: { prometheus: true } });
    await relay.fetch("GET", "/sdk/flags", { headers: server });
    const stream = await relay.open("/all", { headers: server });
    await stream.next();
    const { body, headers } = await relay.fetch("GET", "/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(body).toContain(
      'wye_relay_requests_total{environment="prod",endpoint="php-flags",status="2xx"} 1\n',
    );
    expect(body).toContain('wye_relay_open_streams{environment="prod",channel="all"} 1\n');
    expect(body).not.toContain(keys.sdkKey);
  });

  test("after close every known path is 503", async () => {
    const { relay, fetch } = await startRelay();
    await relay.close({ within: 0 });
    expect(await fetch("GET", "/status")).toMatchObject({ status: 503 });
  });

  test("after close pages can read the 503, preflights included", async () => {
    const allowedOrigins = ["https://a.example"];
    const { relay, fetch } = await startRelay({ environments: { prod: { ...keys, allowedOrigins } } });
    await relay.close({ within: 0 });
    const headers = { origin: "https://a.example" };
    const cors = { "access-control-allow-origin": "https://a.example", vary: "Origin", connection: "close" };
    for (const path of [`/eval/${keys.envId}`, `/sdk/evalx/${keys.envId}/context`])
      expect(await fetch("OPTIONS", path, { headers })).toMatchObject({ status: 200, headers: cors });
    for (const path of [`/ping/${keys.envId}`, `/sdk/goals/${keys.envId}`])
      expect(await fetch("GET", path, { headers })).toMatchObject({ status: 503, headers: cors });
    expect((await fetch("GET", "/all", { headers })).headers).not.toHaveProperty(
      "access-control-allow-origin",
    );
  });
});

describe("malformed HTTP does not harm", () => {
  const cases = [
    { name: "garbage", text: "\x00\x01\x02\r\n\r\n" },
    { name: "a header without end", text: `GET /all HTTP/1.1\r\nx: ${"y".repeat(20_000)}` },
    {
      name: "two lengths",
      text: "POST /bulk HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
    },
    { name: "an asterisk", text: "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n" },
    {
      name: "half a body",
      text: `POST /bulk HTTP/1.1\r\nhost: x\r\nauthorization: ${keys.sdkKey}\r\ncontent-length: 50\r\n\r\n[{`,
    },
    { name: "HTTP/1.0", text: "GET /status HTTP/1.0\r\n\r\n" },
  ];
  for (const { name, text } of cases) {
    test(name, async () => {
      const relay = await startRelay();
      const socket = connect(Number(new URL(relay.url).port), "127.0.0.1");
      socket.on("error", () => {});
      socket.write(text, "latin1");
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.destroy();
      expect(await relay.fetch("GET", "/status")).toMatchObject({ status: 200 });
    });
  }
});

/** Sends bytes as they are and reads until the connection ends. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
    socket.write(text);
  });
}

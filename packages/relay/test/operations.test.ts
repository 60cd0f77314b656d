import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFixedSource, createRelay, type Relay, type RelayOptions } from "../src/index.js";
import { silentLogger } from "../src/logger.js";
import { keys, startRelay } from "./start-relay.js";

const authorization = { headers: { authorization: keys.sdkKey } };
const paths = ["/status", "/live", "/ready", "/metrics"];

async function statusListener(relay: Relay) {
  const server = createServer(relay.statusHandler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async (path: string, method: "GET" | "HEAD" | "POST" | "OPTIONS" = "GET") => {
    const { statusCode, headers, body } = await request(url + path, { method });
    return { status: statusCode, allow: headers.allow, body: await body.text() };
  };
}

describe("a listener of its own for those who run the relay", () => {
  test("has the four paths, and nothing of the SDKs", async () => {
    const { relay } = await startRelay();
    const ask = await statusListener(relay);
    for (const path of paths) expect(await ask(path), path).toMatchObject({ status: 200 });
    for (const path of ["/all", "/sdk/flags", "/bulk", "/nope", "/status/"]) {
      expect(await ask(path), path).toMatchObject({ status: 404 });
    }
  });

  test("with publicStatus: false the other handler does not have them", async () => {
    const relay = await startRelay({ options: { publicStatus: false, prometheus: true } });
    for (const path of paths) expect(await relay.fetch("GET", path), path).toMatchObject({ status: 404 });
    expect(await relay.fetch("GET", "/sdk/flags", authorization)).toMatchObject({ status: 200 });
  });

  test("goes on when the relay is closed: alive, and not ready", async () => {
    const { relay, fetch } = await startRelay();
    const ask = await statusListener(relay);
    expect(await ask("/ready")).toMatchObject({ status: 200, body: '{"ready":true}' });
    await relay.close();
    expect(await ask("/ready")).toMatchObject({ status: 503, body: '{"ready":false}' });
    expect(await ask("/live")).toMatchObject({ status: 200 });
    expect(await ask("/metrics")).toMatchObject({ status: 200 });
    // Of the handler of SDKs it is known that it does not serve them, but who asks whether to restart is told the truth.
    expect(await fetch("GET", "/live")).toMatchObject({ status: 200 });
    expect(await fetch("GET", "/ready")).toMatchObject({ status: 503 });
  });
});

test("an environment that is waited for and not there is told of, unless others name what there is", async () => {
  const lines: string[] = [];
  const logger = { ...silentLogger, warn: (line: string) => void lines.push(line) };
  const { relay } = await startRelay({ options: { logger, ready: ["prood", "prod"] } });
  expect(lines).toEqual([
    expect.stringContaining('"prood", so /ready is 503 until one is added; is "prod" meant?'),
  ]);
  const ask = await statusListener(relay);
  expect(await ask("/ready")).toMatchObject({ status: 503 });
  await relay.environments.add("prood", {
    sdkKey: "sdk-other",
    source: createFixedSource("{}").source,
  });
  expect(await ask("/ready")).toMatchObject({ status: 200 });
  const announced = createRelay({
    autoConfig: { key: "rel-1", announcements: () => ({ close() {} }) },
    logger,
    ready: ["x"],
  });
  await announced.close({ within: 0 });
  expect(lines).toHaveLength(1);
});

describe("paths that are not served are the host's, whatever the method", () => {
  const cases: { options: RelayOptions; hosts: readonly string[] }[] = [
    { options: { publicStatus: false, prometheus: true }, hosts: paths },
    { options: { probes: false }, hosts: ["/live", "/ready", "/metrics"] },
    { options: {}, hosts: ["/metrics"] },
    { options: { prometheus: true }, hosts: [] },
  ];
  for (const { options, hosts } of cases) {
    test(JSON.stringify(options), async () => {
      const relay = await startRelay({
        options,
        mount: (own) => (req, res) => own.handler(req, res, () => res.writeHead(299).end()),
      });
      const ask = await statusListener(relay.relay);
      for (const path of paths) {
        for (const method of ["HEAD", "POST", "OPTIONS", "PUT"]) {
          const expected = hosts.includes(path)
            ? { status: 299 }
            : { status: 405, headers: { allow: "GET" } };
          expect(await relay.fetch(method, path), `${method} ${path}`).toMatchObject(expected);
        }
        expect(await relay.fetch("GET", path), path).toMatchObject({
          status: hosts.includes(path) ? 299 : 200,
        });
        expect(await ask(path, "POST"), path).toMatchObject({ status: 405, allow: "GET" });
      }
      expect(await relay.fetch("POST", "/all")).toMatchObject({ status: 405, headers: { allow: "GET" } });
    });
  }
});

describe("metrics", () => {
  /** The lines of the text format, by what is measured. */
  async function values(relay: { fetch: (method: string, path: string) => Promise<{ body: string }> }) {
    const { body } = await relay.fetch("GET", "/metrics");
    const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return new Map(
      lines.map((line) => {
        const at = line.lastIndexOf(" ");
        return [line.slice("wye_relay_".length, at), Number(line.slice(at + 1))] as const;
      }),
    );
  }

  test("are text of the format of Prometheus", async () => {
    const relay = await startRelay({ options: { prometheus: true } });
    const { headers } = await relay.fetch("GET", "/metrics");
    expect(headers).toMatchObject({ "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  });

  test("are there from the start, as zero", async () => {
    const found = await values(await startRelay({ options: { prometheus: true } }));
    for (const name of [
      'requests_total{environment="prod",endpoint="evaluate",status="2xx"}',
      'requests_total{environment="prod",endpoint="all-stream",status="5xx"}',
      'requests_rejected_total{reason="unknown-credential"}',
      'request_seconds_count{endpoint="events"}',
      'request_seconds_bucket{endpoint="events",le="+Inf"}',
      'streams_opened_total{environment="prod",channel="client"}',
      'open_streams{environment="prod",channel="all"}',
      'upstream_errors_total{environment="prod",kind="NETWORK_ERROR"}',
      'events_dropped_total{environment="prod"}',
      'queued_events{environment="prod"}',
    ]) {
      expect(found.get(name), name).toBe(0);
    }
  });

  test("tell requests by the class of their status, and those that find no environment by the reason", async () => {
    const relay = await startRelay({ options: { prometheus: true } });
    const report = (body: string) =>
      relay.fetch("REPORT", "/sdk/evalx/context", {
        headers: { ...authorization.headers, "content-type": "application/json" },
        body,
      });
    await report('{"key":"a"}');
    await report("{}");
    await report("no");
    const { headers } = await relay.fetch("GET", "/sdk/flags", authorization);
    await relay.fetch("GET", "/sdk/flags", {
      headers: { ...authorization.headers, "if-none-match": String(headers.etag) },
    });
    await relay.fetch("GET", "/sdk/flags");
    await relay.fetch("GET", "/sdk/flags", { headers: { authorization: "sdk-wrong" } });
    await relay.fetch("GET", "/sdk/flags?filter=x", authorization);
    const stream = await relay.open("/all", authorization);
    await stream.next();
    const found = await values(relay);
    const requests = (endpoint: string, status: string) =>
      found.get(`requests_total{environment="prod",endpoint="${endpoint}",status="${status}"}`);
    expect([requests("evaluate", "2xx"), requests("evaluate", "4xx")]).toEqual([1, 2]);
    expect([requests("php-flags", "2xx"), requests("php-flags", "3xx")]).toEqual([1, 1]);
    expect(requests("all-stream", "2xx")).toBe(1);
    expect(found.get('request_seconds_count{endpoint="evaluate"}')).toBe(3);
    for (const reason of ["no-credential", "unknown-credential", "unknown-filter"]) {
      expect(found.get(`requests_rejected_total{reason="${reason}"}`), reason).toBe(1);
    }
  });

  test("do not grow with what clients send", async () => {
    const relay = await startRelay({ options: { prometheus: true } });
    const before = (await values(relay)).size;
    for (let n = 0; n < 50; n++) {
      await relay.fetch("GET", `/sdk/flags/key${n}`, authorization);
      await relay.fetch("GET", `/nope${n}`, {
        headers: { authorization: `sdk-${n}`, "user-agent": `agent ${n}` },
      });
      await relay.fetch("GET", `/sdk/evalx/env${n}/contexts/e30?filter=f${n}`);
      await relay.fetch("POST", "/bulk", {
        headers: { ...authorization.headers, "x-launchdarkly-tags": `t${n}` },
        body: "[]",
      });
    }
    expect((await values(relay)).size).toBe(before);
  });
});

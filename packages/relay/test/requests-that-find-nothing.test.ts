import { expect, test } from "vitest";
import { announced, environmentsOf, startAutoConfigured } from "./start-auto-configured.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const page = { origin: "https://a.example" };
const readable = { "access-control-allow-origin": page.origin, vary: "Origin" };
const prometheus = { prometheus: true };
const alice = Buffer.from('{"kind":"user","key":"alice"}').toString("base64url");

/** How many requests have found nothing, by the reason. */
async function rejected({ fetch }: Pick<Running, "fetch">): Promise<Record<string, number>> {
  const { body } = await fetch("GET", "/metrics");
  const counts = body.matchAll(/^wye_relay_requests_rejected_total\{reason="(.*)"\} ([1-9]\d*)$/gm);
  return Object.fromEntries([...counts].map(([, reason, count]) => [reason, Number(count)]));
}

test("while nobody knows which environments there are, all are to ask again, also with a filter, and pages can read it", async () => {
  const relay = await startAutoConfigured(undefined, { options: prometheus });
  const says = { status: 503, body: expect.stringContaining("not yet fully initialized") };
  for (const filter of ["", "?filter=web"]) {
    const headers = { authorization: "sdk-1" };
    expect(await relay.fetch("GET", `/sdk/flags${filter}`, { headers })).toMatchObject(says);
    const asked = await relay.fetch("GET", `/ping/env-1${filter}`, { headers: page });
    expect(asked).toMatchObject({ ...says, headers: readable });
    const preflight = await relay.fetch("OPTIONS", `/ping/env-1${filter}`, { headers: page });
    expect(preflight).toMatchObject({ status: 200, headers: readable });
  }
  expect(await rejected(relay)).toEqual({ unconfigured: 4 });
});

test("whoever asks for an environment that cannot be served is to ask again, and pages can read it", async () => {
  const store = () => {
    throw new Error("there is no place");
  };
  const configuration = { environments: environmentsOf(announced(1)) };
  const relay = await startAutoConfigured(configuration, {
    options: prometheus,
    autoConfig: { store },
  });
  const says = { status: 503, body: expect.stringContaining("cannot serve the environment") };
  const headers = { authorization: "sdk-1" };
  expect(await relay.fetch("GET", "/sdk/flags", { headers })).toMatchObject(says);
  const asked = await relay.fetch("GET", "/ping/env-1", { headers: page });
  expect(asked).toMatchObject({ ...says, headers: readable });
  const preflight = await relay.fetch("OPTIONS", "/ping/env-1", { headers: page });
  expect(preflight).toMatchObject({ status: 200, headers: readable });
  expect(await rejected(relay)).toEqual({ unserved: 2 });
});

test("a page gets the flags of the filter that it names, as the environment allows it, and can read that there is none", async () => {
  const relay = await startRelay({
    environments: { prod: { ...keys, filters: ["web"], allowedOrigins: [page.origin] } },
    options: prometheus,
    reach(upstream) {
      upstream.environment(keys.sdkKey, "web").setData({ flags: { b: flag("b", 1) } });
      return upstream.roles;
    },
  });
  const path = `/sdk/evalx/${keys.envId}/contexts/${alice}`;
  for (const [filter, names] of [
    ["", ["a"]],
    ["?filter=web", ["b"]],
  ] as const)
    for (const origin of [page.origin, "https://b.example"]) {
      const { headers, body } = await relay.fetch("GET", path + filter, { headers: { origin } });
      expect(headers).toMatchObject(readable);
      expect(Object.keys(JSON.parse(body))).toEqual(names);
    }
  for (const method of ["GET", "OPTIONS"])
    expect(await relay.fetch(method, `${path}?filter=app`, { headers: page })).toMatchObject({
      status: 404,
      body: expect.stringContaining("payload filter was not found"),
      headers: readable,
    });
  expect(await rejected(relay)).toEqual({ "unknown-filter": 2 });
});

test("an environment that upstream refuses is none: to servers, to pages and to their preflights", async () => {
  const relay = await startRelay({
    data: {},
    environments: { prod: { ...keys, allowedOrigins: ["https://b.example"] } },
    options: prometheus,
  });
  const headers = { authorization: keys.sdkKey };
  expect(await relay.fetch("GET", "/sdk/flags", { headers })).toMatchObject({ status: 401 });
  // Pages that it does not allow need not know that.
  for (const method of ["GET", "OPTIONS"])
    expect(await relay.fetch(method, `/ping/${keys.envId}`, { headers: page })).toMatchObject({
      status: 404,
      headers: { ...readable, "access-control-allow-origin": "https://b.example" },
    });
  expect(await rejected(relay)).toEqual({ "unknown-credential": 3 });
});

test("requests to a relay that is closed are counted as that, whatever they ask for, but for the probe", async () => {
  const relay = await startRelay({
    mount:
      ({ handler, statusHandler }) =>
      (req, res) =>
        req.url === "/metrics" ? statusHandler(req, res) : handler(req, res),
  });
  await relay.relay.close({ within: 0 });
  for (const [method, path] of [
    ["GET", "/status"],
    ["GET", "/all"],
    ["OPTIONS", `/ping/${keys.envId}`],
    ["GET", "/ping/unknown"],
    ["GET", "/live"],
    ["GET", "/nope"],
    ["POST", "/all"],
  ] as const)
    await relay.fetch(method, path);
  expect(await rejected(relay)).toEqual({ closed: 4 });
});

test("what is sent about an unknown path is not to be guessed at, and what the host says about caches stays", async () => {
  const { fetch } = await startRelay({
    mount:
      ({ handler }) =>
      (req, res) => {
        res.setHeader("Vary", "Accept-Encoding");
        handler(req, res);
      },
  });
  const vary = "Accept-Encoding";
  const sent = { "x-content-type-options": "nosniff", vary };
  expect(await fetch("GET", "/nope")).toMatchObject({ status: 404, headers: sent });
  const origins = { ...readable, vary: `${vary}, Origin` };
  for (const [method, path] of [
    ["GET", "/ping/unknown"],
    ["POST", `/ping/${keys.envId}`],
    ["OPTIONS", `/ping/${keys.envId}`],
  ] as const)
    expect((await fetch(method, path, { headers: page })).headers, path).toMatchObject(origins);
});

test.each(["/nope", "/sdk/%%%", "/status", "/ping/unknown"])(
  "an answer that the host does not let out ends the request, and is told as an error: %s",
  async (path) => {
    const told: string[] = [];
    const log = () => {};
    const { fetch } = await startRelay({
      options: { logger: { debug: log, info: log, warn: log, error: (line) => void told.push(line) } },
      mount:
        ({ handler }) =>
        (req, res) => {
          res.writeHead = () => {
            throw new Error("the host's own trouble");
          };
          handler(req, res);
        },
    });
    await expect(fetch("GET", path)).rejects.toThrow();
    expect(told).toEqual([
      expect.stringMatching(/^a request cannot be answered: Error: the host's own trouble/),
    ]);
  },
);

import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Relay } from "../src/index.js";
import { loggerFrom } from "../src/logger.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { keys, startRelay } from "./start-relay.js";
import { withGoals } from "./with-goals.js";

const path = `/sdk/goals/${keys.envId}`;

test("goals come from upstream once and are kept as long as it allows", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  const first = await relay.fetch("GET", path, {
    headers: { origin: "https://a.example", cookie: "secret" },
  });
  expect(first).toMatchObject({
    status: 200,
    body: '[{"id":"g"}]',
    headers: {
      "content-type": "application/json",
      etag: '"g1"',
      "cache-control": "public, max-age=10",
      "access-control-allow-origin": "https://a.example",
    },
  });
  expect(first.headers["x-from-cache"]).toBeUndefined();
  expect(relay.upstream.goalsRequests[0]?.headers).not.toHaveProperty("cookie");
  clock.advance(9999);
  expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, headers: { "x-from-cache": "1" } });
  expect(relay.upstream.goalsRequests).toHaveLength(1);
});

test("what is stale is asked for again with its tag", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  await relay.fetch("GET", path);
  clock.advance(10_000);
  expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, body: '[{"id":"g"}]' });
  expect(relay.upstream.goalsRequests[1]?.headers["if-none-match"]).toBe('"g1"');
  clock.advance(9999);
  await relay.fetch("GET", path);
  expect(relay.upstream.goalsRequests).toHaveLength(2);
});

test("a browser that has them gets 304", async () => {
  const relay = await startRelay();
  const answer = await relay.fetch("GET", path, { headers: { "if-none-match": '"g1"' } });
  expect(answer).toMatchObject({ status: 304, body: "" });
});

test("stale goals are better than none when upstream is away; without any it is 502", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  await relay.fetch("GET", path);
  await relay.upstream.close();
  clock.advance(60_000);
  expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, headers: { "x-from-cache": "1" } });
  expect(await relay.fetch("GET", `${path}?x=1`)).toMatchObject({ status: 502, body: "" });
});

test("an error of upstream is passed on and not kept", async () => {
  const relay = await startRelay({
    data: { "sdk-2": {} },
    environments: { other: { sdkKey: "sdk-2", envId: "unknown-upstream" } },
  });
  for (let i = 1; i <= 2; i++) {
    expect(await relay.fetch("GET", "/sdk/goals/unknown-upstream")).toMatchObject({ status: 404 });
    expect(relay.upstream.goalsRequests).toHaveLength(i);
  }
});

test.each([
  ["the relay is closed", 503, (relay: Relay) => void relay.close()],
  ["the environment is removed", 404, (relay: Relay) => void relay.environments.remove("prod")],
])("who waits for goals when %s hears of that, and nobody is warned of upstream", async (_, status, end) => {
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (message: string) => warnings.push(message), error() {} };
  const { relay, asked } = await withGoals(() => {}, createManualClock(), "1h", { logger });
  const answer = relay.fetch("GET", path);
  await expect.poll(asked).toBe(1);
  end(relay.relay);
  expect(await answer).toMatchObject({ status });
  expect(warnings).toEqual([]);
});

/** A moment as headers have it, so many seconds after another. */
const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1000).toUTCString();

describe("what upstream says about keeping is heeded", () => {
  const cases: { name: string; headers: Record<string, string>; secondTime: "kept" | "asked" }[] = [
    { name: "for a time", headers: { "cache-control": "max-age=10" }, secondTime: "kept" },
    { name: "for a time, publicly", headers: { "cache-control": "public,max-age=10" }, secondTime: "kept" },
    { name: "privately", headers: { "cache-control": "private, max-age=10" }, secondTime: "asked" },
    {
      name: "not at all",
      headers: { "cache-control": "no-store, max-age=10", etag: '"a"' },
      secondTime: "asked",
    },
    {
      name: "only after asking",
      headers: { "cache-control": "no-cache, max-age=10", etag: '"a"' },
      secondTime: "asked",
    },
    { name: "for a time, in quotes", headers: { "cache-control": 'Max-Age="60"' }, secondTime: "kept" },
    {
      name: "for a time, in capitals, and not at all",
      headers: { "cache-control": "MAX-AGE=60, NO-STORE" },
      secondTime: "asked",
    },
    { name: "until a moment", headers: { date: at(0), expires: at(60) }, secondTime: "kept" },
    { name: "until a moment that is over", headers: { date: at(60), expires: at(0) }, secondTime: "asked" },
    { name: "until no moment", headers: { date: at(0), expires: "0" }, secondTime: "asked" },
    {
      name: "until a moment, and for less than that",
      headers: { date: at(0), expires: at(60), "cache-control": "max-age=0" },
      secondTime: "asked",
    },
    { name: "for shared caches only", headers: { "cache-control": "s-maxage=10" }, secondTime: "asked" },
    { name: "nothing", headers: {}, secondTime: "asked" },
    { name: "less than that", headers: { "cache-control": "max-age=10", age: "9" }, secondTime: "kept" },
    { name: "that long ago", headers: { "cache-control": "max-age=10", age: "10" }, secondTime: "asked" },
    { name: "longer ago", headers: { "cache-control": "max-age=10", age: "99" }, secondTime: "asked" },
    { name: "no age", headers: { "cache-control": "max-age=10", age: "-99" }, secondTime: "kept" },
    {
      name: "by what the relay does not pass on",
      headers: { "cache-control": "max-age=10", vary: "Accept-Encoding, Cookie" },
      secondTime: "kept",
    },
    {
      name: "by what pages have in common",
      headers: { "cache-control": "max-age=10", vary: "User-Agent, Origin" },
      secondTime: "kept",
    },
    { name: "by everything", headers: { "cache-control": "max-age=10", vary: "*" }, secondTime: "asked" },
  ];
  for (const { name, headers, secondTime } of cases) {
    test(name, async () => {
      const { relay, asked } = await withGoals((_, res) => res.writeHead(200, headers).end("[1]"));
      for (let n = 0; n < 2; n++)
        expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, body: "[1]" });
      expect(asked()).toBe(secondTime === "kept" ? 1 : 2);
    });
  }
});

test("kept goals are as old as upstream says, and grow older", async () => {
  const { relay, clock, asked } = await withGoals((_, res) =>
    res.writeHead(200, { "cache-control": "max-age=60", age: "40" }).end("[1]"),
  );
  const ageNow = async () => (await relay.fetch("GET", path)).headers.age;
  expect(await ageNow()).toBe("40");
  clock.advance(19_999);
  expect(await ageNow()).toBe("59");
  expect(asked()).toBe(1);
  clock.advance(1);
  expect(await ageNow()).toBe("40");
  expect(asked()).toBe(2);
});

test("what upstream leaves out when nothing has changed is as it was, but for the age", async () => {
  const { relay, clock, asked } = await withGoals((req, res) => {
    const known = req.headers["if-none-match"] !== undefined;
    if (known) res.writeHead(304, { etag: '"a"' }).end();
    else res.writeHead(200, { etag: '"a"', "cache-control": "max-age=10", age: "5" }).end("[1]");
  });
  await relay.fetch("GET", path);
  clock.advance(5000);
  const answer = await relay.fetch("GET", path);
  expect(answer).toMatchObject({ status: 200, body: "[1]", headers: { "cache-control": "max-age=10" } });
  expect(answer.headers).not.toHaveProperty("age");
  clock.advance(9999);
  await relay.fetch("GET", path);
  expect(asked()).toBe(2);
});

describe("goals that vary by page", () => {
  const vary = { "cache-control": "max-age=10", vary: "user-agent, accept-encoding" };
  const as = (agent: string) => ({ headers: { "user-agent": agent } });

  test("are not given to another page, neither by the relay nor by caches before it", async () => {
    const { relay, asked } = await withGoals((req, res) =>
      res.writeHead(200, vary).end(`["${req.headers["user-agent"]}"]`),
    );
    for (const agent of ["a", "a", "b", "b", "a"]) {
      expect(await relay.fetch("GET", path, as(agent)), agent).toMatchObject({
        body: `["${agent}"]`,
        headers: { vary: "Origin, user-agent, accept-encoding" },
      });
    }
    expect(asked()).toBe(3);
  });

  test("are asked for one by one, also by pages that come at the same time", async () => {
    const waiting: (() => void)[] = [];
    const { relay, asked, arrived } = await withGoals((req, res) => {
      waiting.push(() => res.writeHead(200, vary).end(`["${req.headers["user-agent"]}"]`));
    });
    const answers = ["a", "a", "b", "c"].map((agent) => relay.fetch("GET", path, as(agent)));
    while (waiting.length === 0 || arrived() < 4) await new Promise(setImmediate);
    for (let answered = 0; answered < 3; answered++) {
      while (waiting.length === 0) await new Promise(setImmediate);
      waiting.shift()?.();
    }
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual([
      '["a"]',
      '["a"]',
      '["b"]',
      '["c"]',
    ]);
    expect(asked()).toBe(3);
  });

  test("are not given to another page when upstream is away", async () => {
    const { relay, clock } = await withGoals((req, res) => {
      if (req.headers["user-agent"] === "a" && req.headers["if-none-match"] === undefined)
        res.writeHead(200, { ...vary, etag: '"a"' }).end("[1]");
      else res.destroy();
    });
    await relay.fetch("GET", path, as("a"));
    clock.advance(10_000);
    expect(await relay.fetch("GET", path, as("b"))).toMatchObject({ status: 502 });
    expect(await relay.fetch("GET", path, as("a"))).toMatchObject({ status: 200, headers: { age: "10" } });
  });
});

test("that goals cannot be had is told once a minute, however many pages ask", async () => {
  const told: string[] = [];
  const logger = loggerFrom((_, message) => told.push(message));
  const { relay, clock } = await withGoals((_, res) => res.destroy(), createManualClock(), "1h", { logger });
  const ask = async () => expect(await relay.fetch("GET", path)).toMatchObject({ status: 502 });
  for (let page = 0; page < 5; page++) await ask();
  clock.advance(60_000);
  await ask();
  expect(told.filter((line) => line.includes("goals: "))).toEqual([
    expect.not.stringContaining("more"),
    expect.stringMatching(/\(4 more before\)$/),
  ]);
});

test("goals that a page has given up are counted as such", async () => {
  let answer = () => {};
  let gone = () => {};
  const left = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const { relay } = await withGoals(
    (_, res) => {
      answer = () => res.end("[1]");
      page.destroy();
    },
    createManualClock(),
    "1h",
    { prometheus: true },
  );
  const server = createServer((req, res) => {
    res.once("close", gone);
    relay.relay.handler(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const page = get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", path });
  page.on("error", () => {});
  await left;
  answer();
  const counted = async (status: string) => {
    const { body } = await relay.fetch("GET", "/metrics");
    return new RegExp(`requests_total\\{.*endpoint="goals".*status="${status}".*\\} (\\d+)`).exec(body)?.[1];
  };
  while ((await counted("aborted")) !== "1") await new Promise(setImmediate);
  expect(await counted("2xx")).toBe("0");
});

test("many who ask at once become one question, when its answer may be kept", async () => {
  const waiting: (() => void)[] = [];
  const { relay, asked, arrived } = await withGoals((_, res) => {
    waiting.push(() => res.writeHead(200, { "cache-control": "max-age=10" }).end("[1]"));
  });
  const answers = Array.from({ length: 30 }, () => relay.fetch("GET", path));
  while (waiting.length === 0 || arrived() < 30) await new Promise(setImmediate);
  waiting[0]?.();
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200, body: "[1]" });
  expect(asked()).toBe(1);
});

for (const control of ["no-store", "private", undefined]) {
  test(`many who ask at once get the answer of one question, also when it may not be kept: ${control ?? "nothing is said"}`, async () => {
    const waiting: (() => void)[] = [];
    const { relay, asked, arrived } = await withGoals((_, res) => {
      const headers = control === undefined ? {} : { "cache-control": control };
      waiting.push(() => res.writeHead(200, headers).end("[1]"));
    });
    const answers = Array.from({ length: 40 }, () => relay.fetch("GET", path));
    while (waiting.length === 0 || arrived() < 40) await new Promise(setImmediate);
    waiting[0]?.();
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ status: 200, body: "[1]" });
    expect(asked()).toBe(1);
    const later = relay.fetch("GET", path);
    while (waiting.length === 1) await new Promise(setImmediate);
    waiting[1]?.();
    expect(await later).toMatchObject({ status: 200 });
  });
}

test("questions with addresses of their own wait for their turn: sixteen at a time", async () => {
  const waiting: (() => void)[] = [];
  const { relay } = await withGoals((req, res) => {
    waiting.push(() => res.writeHead(200).end(req.url));
  });
  const answers = Array.from({ length: 50 }, (_, n) => relay.fetch("GET", `${path}?x=${n}`));
  for (let answered = 0; answered < 50; answered++) {
    while (waiting.length === 0) await new Promise(setImmediate);
    // More would come while these are answered.
    for (let n = 0; n < 5; n++) await relay.fetch("GET", "/status");
    expect(waiting.length).toBeLessThanOrEqual(16);
    waiting.shift()?.();
  }
  for (const [n, answer] of (await Promise.all(answers)).entries())
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(`?x=${n}`) });
});

test("what all pages ask does not wait behind questions with addresses of their own", async () => {
  const { relay, asked } = await withGoals((req, res) => {
    if (req.url?.includes("?") !== true) res.end("[1]");
  });
  const others = Array.from({ length: 40 }, (_, n) => relay.fetch("GET", `${path}?x=${n}`));
  void Promise.allSettled(others);
  while (asked() < 16) await new Promise(setImmediate);
  expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, body: "[1]" });
});

test("while upstream hangs, those that wait for their turn get 502 as well", async () => {
  const { relay } = await withGoals(() => {}, undefined, "200ms");
  const answers = Array.from({ length: 50 }, (_, n) => relay.fetch("GET", `${path}?x=${n}`));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([502]));
});

test("while upstream hangs, many who ask do not become as many connections", async () => {
  const { relay, asked, arrived } = await withGoals(() => {});
  const answers = Array.from({ length: 50 }, (_, n) => relay.fetch("GET", `${path}?x=${n}`));
  void Promise.allSettled(answers);
  while (arrived() < 50 || asked() < 16) await new Promise(setImmediate);
  // Whoever did not wait for a turn would have asked by now.
  expect(await relay.fetch("GET", "/sdk/flags", { headers: { authorization: keys.sdkKey } })).toMatchObject({
    status: 200,
  });
  expect(asked()).toBe(16);
});

test("an answer of upstream that cannot be passed on is an error of ours, and the request gets one", async () => {
  const dispatcher = new Agent().compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (...args) => handler.onRequestStart?.(...args),
        onResponseStart: (controller, status, headers, message) =>
          handler.onResponseStart?.(controller, status, { ...headers, "x-odd": "a\nb" }, message),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  );
  onTestFinished(() => dispatcher.destroy());
  const errors: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
  const relay = await startRelay({ options: { logger }, reach: ({ roles }) => ({ ...roles, dispatcher }) });
  const answer = relay.fetch("GET", path);
  await expect.poll(() => errors).toEqual([expect.stringContaining("goals: TypeError")]);
  expect(await answer).toMatchObject({ status: 500, body: '{"message":"internal error"}' });
  expect(errors[0]).not.toContain("\n");
});

test("304 has no length, and no body", async () => {
  const relay = await startRelay();
  const { headers } = await relay.fetch("GET", "/sdk/flags/a", { headers: { authorization: keys.sdkKey } });
  const cases = [
    { target: path, tag: '"g1"' },
    { target: "/sdk/flags/a", tag: String(headers.etag) },
    {
      target: "/sdk/flags",
      tag: (await relay.fetch("GET", "/sdk/flags", { headers: { authorization: keys.sdkKey } })).headers.etag,
    },
  ];
  for (const { target, tag } of cases) {
    const answer = await relay.fetch("GET", target, {
      headers: { authorization: keys.sdkKey, "if-none-match": String(tag) },
    });
    expect(answer).toMatchObject({ status: 304, body: "" });
    expect(answer.headers).not.toHaveProperty("content-length");
    expect(answer.headers).not.toHaveProperty("transfer-encoding");
  }
});

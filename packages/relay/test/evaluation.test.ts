import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { flag, keys, type Running, type StartOptions, startRelay } from "./start-relay.js";

const user = { kind: "user", key: "userkey" };
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const json = { "content-type": "application/json" };
const server = { authorization: keys.sdkKey };
const mobile = { authorization: keys.mobileKey };

const data = {
  flags: {
    all: flag("all", 3),
    "server-only": flag("server-only", 1, {
      clientSideAvailability: { usingMobileKey: false, usingEnvironmentId: false },
    }),
    "mobile-only": flag("mobile-only", 1, {
      clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: false },
    }),
  },
};
const start = (options: StartOptions = {}) => startRelay({ data: { [keys.sdkKey]: data }, ...options });

const families = [
  { name: "servers", base: "/sdk/*", headers: server, sees: ["all", "mobile-only", "server-only"] },
  { name: "mobile", base: "/msdk/*", headers: mobile, sees: ["all", "mobile-only"] },
  { name: "browsers", base: `/sdk/*/${keys.envId}`, headers: {}, sees: ["all"] },
];

for (const { name, base, headers, sees } of families) {
  describe(`evaluation for ${name}`, () => {
    for (const spelling of ["contexts", "users"]) {
      test(`GET …/${spelling}/{context}, with details or bare`, async () => {
        const relay = await start();
        const path = `${base}/${spelling}/${base64(user)}`;
        const details = JSON.parse((await relay.fetch("GET", path.replace("*", "evalx"), { headers })).body);
        expect(Object.keys(details).sort()).toEqual(sees);
        expect(details.all).toEqual({ value: true, variation: 0, version: 3 });
        const bare = JSON.parse((await relay.fetch("GET", path.replace("*", "eval"), { headers })).body);
        expect(bare).toEqual(Object.fromEntries(sees.map((key) => [key, true])));
      });
    }
    for (const spelling of ["context", "contexts", "user", "users"]) {
      test(`REPORT …/${spelling}`, async () => {
        const relay = await start();
        const path = `${base}/${spelling}`.replace("*", "evalx");
        const answer = await relay.fetch("REPORT", path, {
          headers: { ...headers, ...json },
          body: JSON.stringify(user),
        });
        expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
        expect(Object.keys(JSON.parse(answer.body)).sort()).toEqual(sees);
      });
    }
  });
}

describe("reasons", () => {
  const cases = [
    { query: "?withReasons=true", given: true },
    { query: "?withReasons=true&withReasons=false", given: true },
    { query: "?withReasons=TRUE", given: false },
    { query: "?withReasons=1", given: false },
    { query: "", given: false },
  ];
  for (const { query, given } of cases) {
    test(`${query || "no query"} ${given ? "gives" : "does not give"} reasons`, async () => {
      const relay = await start();
      const { body } = await relay.fetch("GET", `/sdk/evalx/contexts/${base64(user)}${query}`, {
        headers: server,
      });
      expect(JSON.parse(body).all.reason).toEqual(given ? { kind: "FALLTHROUGH" } : undefined);
    });
  }
});

describe("contexts in the path", () => {
  const text = JSON.stringify({ kind: "user", key: "a?>" });
  const url = Buffer.from(text).toString("base64url");
  const notBase64 = '{"message":"context part of URL path did not decode as valid base64"}';
  const notContext =
    '{"message":"context part of URL path did not decode to valid evaluation context as JSON"}';
  const cases = [
    { name: "URL-safe", path: url, status: 200 },
    {
      name: "standard alphabet",
      path: encodeURIComponent(Buffer.from(text).toString("base64")),
      status: 200,
    },
    { name: "padded", path: Buffer.from('{"kind":"user","key":"userkey"}').toString("base64"), status: 200 },
    { name: "a user of the old form", path: base64({ key: "old" }), status: 200 },
    {
      name: "several kinds",
      path: base64({ kind: "multi", user: { key: "u" }, org: { key: "o" } }),
      status: 200,
    },
    { name: "no base64", path: "a!b", status: 400, body: notBase64 },
    { name: "a group too short", path: `${url}A`, status: 400 },
    { name: "no JSON", path: Buffer.from("{").toString("base64url"), status: 400, body: notContext },
    { name: "no key", path: base64({ kind: "user" }), status: 400, body: notContext },
    {
      name: "an empty key of the old form",
      path: base64({ key: "" }),
      status: 400,
      body: `{"message":"User must have a 'key' attribute"}`,
    },
  ];
  for (const { name, path, status, body } of cases) {
    test(name, async () => {
      const relay = await start();
      const answer = await relay.fetch("GET", `/msdk/evalx/contexts/${path}`, { headers: mobile });
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(body ?? "");
    });
  }
});

describe("contexts in the body", () => {
  const good = JSON.stringify(user);
  const cases = [
    { name: "exactly JSON", type: "application/json", body: good, status: 200 },
    { name: "JSON with a character set", type: "application/json; charset=utf-8", body: good, status: 200 },
    { name: "other letter case", type: "Application/JSON", body: good, status: 200 },
    {
      name: "another type",
      type: "text/plain",
      body: good,
      status: 415,
      text: "Content-Type must be application/json.",
    },
    { name: "no type", type: undefined, body: good, status: 415 },
    { name: "an empty body", type: "application/json", body: "", status: 400 },
    { name: "broken JSON", type: "application/json", body: '{"kind":', status: 400 },
    {
      name: "a wrong kind",
      type: "application/json",
      body: '{"kind":"a b","key":"x"}',
      status: 400,
      text: "/kind",
    },
    {
      name: "too large",
      type: "application/json",
      body: `{"kind":"user","key":"${"x".repeat(2000)}"}`,
      status: 413,
    },
  ];
  for (const { name, type, body, status, text } of cases) {
    test(name, async () => {
      const relay = await start({ options: { maxContextBytes: 1000 } });
      const headers = { ...server, ...(type === undefined ? {} : { "content-type": type }) };
      const answer = await relay.fetch("REPORT", "/sdk/evalx/context", { headers, body });
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(text ?? "");
    });
  }
});

describe("secure mode", () => {
  const environments = {
    prod: {
      ...keys,
      secureMode: true,
      furtherSdkKeys: ["sdk-further", { key: "sdk-expired", expires: 1 }],
      furtherMobileKeys: ["mob-further"],
    },
  };
  const sign = (key: string, sdkKey = keys.sdkKey) => createHmac("sha256", sdkKey).update(key).digest("hex");
  const denied = '{"message":"Environment is in secure mode, and context hash does not match."}';
  const cases = [
    { name: "a right signature", context: user, h: sign("userkey"), status: 200 },
    {
      name: "one of another kind",
      context: { kind: "org", key: ":key" },
      h: sign("org:%3Akey"),
      status: 200,
    },
    {
      name: "one of several kinds",
      context: { kind: "multi", user: { key: "u1" }, org: { key: "o1" } },
      h: sign("org:o1:user:u1"),
      status: 200,
    },
    { name: "that of a further SDK key", context: user, h: sign("userkey", "sdk-further"), status: 200 },
    { name: "that of a further mobile key", context: user, h: sign("userkey", "mob-further"), status: 400 },
    { name: "that of the mobile key", context: user, h: sign("userkey", keys.mobileKey), status: 400 },
    { name: "that of an expired SDK key", context: user, h: sign("userkey", "sdk-expired"), status: 400 },
    { name: "upper case", context: user, h: sign("userkey").toUpperCase(), status: 400 },
    { name: "another context's", context: user, h: sign("other"), status: 400 },
    { name: "another key's", context: user, h: sign("userkey", "sdk-x"), status: 400 },
    { name: "an empty one", context: user, h: "", status: 400 },
  ];
  for (const { name, context, h, status } of cases) {
    test(`${name} gives ${status}, also for streams`, async () => {
      const relay = await start({ environments });
      for (const path of [
        `/sdk/evalx/${keys.envId}/contexts`,
        `/sdk/eval/${keys.envId}/users`,
        `/eval/${keys.envId}`,
      ]) {
        const answer = await relay.open(`${path}/${base64(context)}?h=${h}`);
        expect(answer.status, path).toBe(status);
        answer.close();
      }
      for (const path of [`/sdk/evalx/${keys.envId}/context`, `/eval/${keys.envId}`]) {
        const body = JSON.stringify(context);
        const answer = await relay.open(`${path}?h=${h}`, { method: "REPORT", headers: json, body });
        expect(answer.status, path).toBe(status);
        answer.close();
      }
    });
  }

  test("the vector of the documentation", () => {
    expect(sign("Message", "secret")).toBe(
      "aa747c502a898200f9e4fa21bac68136f886a0e27aec70ba06daf2e2a5cb5597",
    );
  });

  test("none is 400; mobile, servers, pings and environments without secure mode need none", async () => {
    const relay = await start({ environments });
    const path = `/sdk/evalx/${keys.envId}/contexts/${base64(user)}`;
    expect(await relay.fetch("GET", path)).toMatchObject({ status: 400, body: denied });
    for (const [other, headers] of [
      [`/msdk/evalx/contexts/${base64(user)}`, mobile],
      [`/sdk/evalx/contexts/${base64(user)}`, server],
    ] as const) {
      expect(await relay.fetch("GET", other, { headers })).toMatchObject({ status: 200 });
    }
    const ping = await relay.open(`/ping/${keys.envId}`);
    expect(ping.status).toBe(200);
    ping.close();
    const open = await start();
    expect(await open.fetch("GET", `${path}?h=wrong`)).toMatchObject({ status: 200 });
  });
});

describe("prerequisites", () => {
  const hidden = { usingMobileKey: false, usingEnvironmentId: false };
  const needs = (...needed: string[]) => ({ prerequisites: needed.map((key) => ({ key, variation: 0 })) });
  const flags = {
    p1: flag("p1", 1),
    p2: flag("p2", 1, needs("p1")),
    failing: flag("failing", 1, { fallthrough: { variation: 1 } }),
    hidden: flag("hidden", 1, { clientSideAvailability: hidden }),
    direct: flag("direct", 1, needs("p2", "p1")),
    off: flag("off", 1, { ...needs("p1"), on: false }),
    stopped: flag("stopped", 1, needs("p1", "failing", "p2")),
    "needs-hidden": flag("needs-hidden", 1, needs("hidden")),
    "needs-nothing-known": flag("needs-nothing-known", 1, needs("unknown")),
  };
  const cases = [
    {
      name: "direct ones are listed in order, those of prerequisites with them",
      key: "direct",
      listed: ["p2", "p1"],
    },
    { name: "none are listed when the flag is off", key: "off", listed: undefined },
    { name: "the list ends with one that fails", key: "stopped", listed: ["p1", "failing"] },
    { name: "one that clients do not see is listed", key: "needs-hidden", listed: ["hidden"] },
    { name: "one that does not exist is not", key: "needs-nothing-known", listed: undefined },
  ];
  for (const { name, key, listed } of cases) {
    test(name, async () => {
      const relay = await start({ data: { [keys.sdkKey]: { flags } } });
      for (const { base, headers } of families) {
        const path = `${base.replace("*", "evalx")}/contexts/${base64(user)}`;
        const all = JSON.parse((await relay.fetch("GET", path, { headers })).body);
        expect(all[key].prerequisites, base).toEqual(listed);
        expect("hidden" in all, base).toBe(base === "/sdk/*");
      }
    });
  }
});

describe("before there is data", () => {
  const path = `/sdk/evalx/contexts/${base64(user)}`;
  async function startSilent(): Promise<Running> {
    const running = await start({ wait: false, options: { initTimeout: 60_000 } });
    running.upstream.environment(keys.sdkKey).answer("silent");
    return running;
  }

  test("503 in words while starting, whatever the context", async () => {
    const { createManualClock } = await import("../src/testing/manual-clock.js");
    const clock = createManualClock();
    const silent = await start({ data: {}, wait: false, environments: {}, options: { clock } });
    silent.upstream.environment(keys.sdkKey).answer("silent");
    const added = silent.relay.environments.add("prod", keys);
    for (const target of [path, "/sdk/evalx/contexts/!!", "/all", "/sdk/flags"]) {
      expect(await silent.fetch("GET", target, { headers: server }), target).toMatchObject({
        status: 503,
        body: "client was not initialized",
      });
    }
    clock.advance(10_000);
    await added;
    expect(await silent.fetch("GET", path, { headers: server })).toMatchObject({
      status: 503,
      body: '{"message":"Service not initialized"}',
    });
    expect(await silent.fetch("GET", "/sdk/evalx/contexts/!!", { headers: server })).toMatchObject({
      status: 400,
    });
    for (const target of ["/all", "/flags", "/sdk/flags", "/sdk/flags/x", "/sdk/latest-all"]) {
      expect(await silent.fetch("GET", target, { headers: server }), target).toMatchObject({ status: 503 });
    }
    expect(await silent.fetch("GET", `/meval/${base64(user)}`, { headers: mobile })).toMatchObject({
      status: 503,
    });
    silent.upstream.environment(keys.sdkKey).put(data);
    while ((await silent.fetch("GET", path, { headers: server })).status !== 200)
      await new Promise(setImmediate);
  });

  test("preflights, goals and events need none", async () => {
    const silent = await startSilent();
    expect(await silent.fetch("OPTIONS", `/eval/${keys.envId}`)).toMatchObject({ status: 200 });
    expect(await silent.fetch("GET", `/sdk/goals/${keys.envId}`)).toMatchObject({ status: 200 });
    expect(await silent.fetch("POST", "/bulk", { headers: server, body: "[]" })).toMatchObject({
      status: 202,
    });
  });

  test("a key that upstream refuses is 401, and 404 for browsers", async () => {
    const refused = await start({ data: {} });
    expect(await refused.fetch("GET", path, { headers: server })).toMatchObject({ status: 401 });
    expect(await refused.fetch("GET", "/mping", { headers: mobile })).toMatchObject({ status: 401 });
    expect(await refused.fetch("GET", `/ping/${keys.envId}`)).toMatchObject({ status: 404 });
    expect(await refused.fetch("POST", "/bulk", { headers: server, body: "[]" })).toMatchObject({
      status: 401,
    });
  });
});

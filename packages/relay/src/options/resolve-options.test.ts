import { describe, expect, test } from "vitest";
import { problemsOf } from "../../test/problems-of.js";
import { silentLogger } from "../logger.js";
import type { RelayOptions } from "./options.js";
import { resolveEnvironment } from "./resolve-environment.js";
import { resolveOptions } from "./resolve-options.js";

const sdkKey = "sdk-1";

test.each(["/relay", "/a.b/c..d", "/~a/%7Eb", "/.well-known/x"])("%s is a prefix", (prefix) => {
  expect(resolveOptions({ prefix }).prefix).toBe(prefix);
});

test("further keys are read in each of their forms", () => {
  const at = Date.UTC(2027, 0, 31, 18);
  const furtherSdkKeys = [
    "a",
    { key: "b" },
    { key: "c", expires: at },
    { key: "d", expires: new Date(at) },
    { key: "e", expires: "2027-01-31T18:00:00Z" },
    { key: "f", expires: "2027-01-31T19:30+01:30" },
  ];
  const resolved = resolveEnvironment("x", { sdkKey, furtherSdkKeys, furtherMobileKeys: ["m"] });
  expect(resolved.keys.further).toEqual([
    { kind: "sdkKey", value: "a" },
    { kind: "sdkKey", value: "b" },
    ...["c", "d", "e", "f"].map((value) => ({ kind: "sdkKey", value, expires: at })),
    { kind: "mobileKey", value: "m" },
  ]);
});

test("what is set arrives, with time spans in milliseconds and addresses without the slash at the end", () => {
  const warnings: string[] = [];
  const options = resolveOptions({
    environments: { a: { sdkKey, mobileKey: "mob-1", envId: "e", ttl: "5m", filters: ["web"] } },
    upstream: { stream: "http://localhost:1/base/" },
    streams: { heartbeat: "1m30s" },
    events: false,
    prefix: "/relay",
    logger: { ...silentLogger, warn: (message) => warnings.push(message) },
  });
  expect(options.environments.get("a")).toMatchObject({
    ttlMs: 300_000,
    filters: ["web"],
    clientStream: "evaluated",
  });
  expect(options.upstream.stream).toBe("http://localhost:1/base");
  expect(options.streams.heartbeatMs).toBe(90_000);
  expect(options.events).toBe(false);
  options.logger.warn("w");
  expect(warnings).toEqual(["w"]);
});

describe("each mistake has one sentence that names the place", () => {
  // What a program without types may pass.
  const cases: { name: string; options: unknown; problem: string }[] = [
    { name: "no object", options: 5, problem: "options must be an object" },
    {
      name: "unknown option",
      options: { enviroments: {} },
      problem: "options: enviroments is not an option",
    },
    {
      name: "missing key",
      options: { environments: { a: {} } },
      problem: "environments.a: sdkKey is required",
    },
    {
      name: "empty key",
      options: { environments: { a: { sdkKey: "" } } },
      problem: "environments.a: sdkKey must not be empty",
    },
    {
      name: "key with a blank",
      options: { environments: { a: { sdkKey, mobileKey: "m x" } } },
      problem: "environments.a: mobileKey must not be empty, and have no blanks",
    },
    {
      name: "key of another type",
      options: { environments: { a: { sdkKey: 7 } } },
      problem: "environments.a: sdkKey must be a string",
    },
    {
      name: "environment that is no object",
      options: { environments: { a: "sdk-1" } },
      problem: "environments.a must be an object",
    },
    {
      name: "time span",
      options: { initTimeout: "10" },
      problem: "options: initTimeout must be a time span",
    },
    {
      name: "number",
      options: { maxContextBytes: 0 },
      problem: "options: maxContextBytes must be a whole number above",
    },
    { name: "readiness", options: { ready: "some" }, problem: "options: ready must be one of" },
    { name: "names of readiness", options: { ready: [""] }, problem: "options: ready must be a list" },
    { name: "readiness of none", options: { ready: [] }, problem: "options: ready must name an environment" },
    { name: "null", options: { probes: null }, problem: "options: probes must be true or false" },
    {
      name: "null as a list",
      options: { environments: { a: { sdkKey, filters: null } } },
      problem: "filters must be a list",
    },
    {
      name: "an environment without options",
      options: { environments: { a: undefined } },
      problem: "environments.a must be an object",
    },
    {
      name: "an environment without a name",
      options: { environments: { "": { sdkKey } } },
      problem: 'the name of an environment must be text that is not empty, not ""',
    },
    {
      name: "half a character in a name",
      options: { environments: { "a\ud800": { sdkKey } } },
      problem: 'text that is not empty, not "a\\ud800"',
    },
    {
      name: "half a character in a filter",
      options: { environments: { a: { sdkKey, filters: ["\ud800"] } } },
      problem: 'environments.a: filters has "\\ud800"; half a character stands in no address',
    },
    {
      name: "an origin with a slash",
      options: { environments: { a: { sdkKey, allowedOrigins: ["https://a.example/"] } } },
      problem: 'allowedOrigins has "https://a.example/"; browsers write it as "https://a.example"',
    },
    {
      name: "a header that is none",
      options: { environments: { a: { sdkKey, allowedHeaders: ["x\r\ny: z"] } } },
      problem: 'allowedHeaders has "x\\r\\ny: z"; the name of a header is like "X-Request-Id"',
    },
    {
      name: "a time span of centuries",
      options: { environments: { a: { sdkKey, ttl: "9000000000h" } } },
      problem: "environments.a: ttl must be a time span up to 100 years",
    },
    {
      name: "uploads that hold less than twice the largest event post",
      options: { maxUploadBytes: 20 * 1024 * 1024 - 1 },
      problem: "options: maxUploadBytes must be 20971520 at least",
    },
    {
      name: "uploads that hold less than twice the largest context",
      options: { events: false, maxUploadBytes: 2 * 1024 * 1024 - 1 },
      problem: "options: maxUploadBytes must be 2097152 at least",
    },
    { name: "boolean", options: { probes: "yes" }, problem: "options: probes must be true or false" },
    {
      name: "address",
      options: { upstream: { app: "app" } },
      problem: "upstream: app must be an absolute address",
    },
    {
      name: "address with a query",
      options: { upstream: { app: "http://a/?b" } },
      problem: "upstream: app must not have a query",
    },
    {
      name: "count that may be none",
      options: { answerCacheBytes: -1 },
      problem: "options: answerCacheBytes must be zero or a whole number above it",
    },
    {
      name: "choice",
      options: { environments: { a: { sdkKey, clientStream: "x" } } },
      problem: "clientStream must be one",
    },
    {
      name: "list",
      options: { environments: { a: { sdkKey, filters: "web" } } },
      problem: "filters must be a list",
    },
    ...["source", "store", "bigSegments"].map((name) => ({
      name: `${name} that is none`,
      options: { environments: { a: { sdkKey, [name]: {} } } },
      problem: `environments.a: ${name} must be a function`,
    })),
    {
      name: "secure mode",
      options: { environments: { a: { sdkKey, secureMode: 1 } } },
      problem: "environments.a: secureMode must be true or false",
    },
    {
      name: "clock",
      options: { clock: { monotonic() {} } },
      problem:
        "options: clock must be an object with the methods now, monotonic, schedule; missing: now, schedule",
    },
    {
      name: "metrics",
      options: { metrics: {} },
      problem: "options: metrics must be an object with the methods count, gauge; missing: count, gauge",
    },
    {
      name: "dispatcher",
      options: { upstream: { dispatcher: {} } },
      problem: "upstream: dispatcher must be an object with the methods request; missing: request",
    },
    { name: "function", options: { random: 4 }, problem: "options: random must be a function" },
    { name: "logger", options: { logger: { info() {} } }, problem: "missing: debug, warn, error" },
    {
      name: "logger that is none",
      options: { logger: 1 },
      problem: "logger must be an object with the methods",
    },
    ...["relay/", "/relay/", "/a/../b", "/a/.", "/é", "/a b", "/a?b", "//a"].map((prefix) => ({
      name: `prefix ${prefix}`,
      options: { prefix },
      problem: "options: prefix must be a path as it stands in requests",
    })),
    { name: "a Map", options: new Map(), problem: "options must be an object" },
    {
      name: "environments in a Map",
      options: { environments: new Map() },
      problem: "environments must be an object",
    },
    ...[0.5, 1.5, Number.POSITIVE_INFINITY, "1"].map((capacity) => ({
      name: `a capacity of ${capacity}`,
      options: { events: { capacity } },
      problem: "events: capacity must be a whole number above zero",
    })),
    {
      name: "a filter twice",
      options: { environments: { a: { sdkKey, filters: ["web", "web"] } } },
      problem: 'environment "a" has a filter or name that makes "a/web" twice',
    },
    {
      name: "a filter and an environment of one name",
      options: { environments: { a: { sdkKey, filters: ["web"] }, "a/web": { sdkKey: "sdk-2" } } },
      problem: 'environments "a" and "a/web" both have a filter or name that makes "a/web" twice',
    },
    {
      name: "filters that make the same name",
      options: {
        environments: { a: { sdkKey, filters: ["b/c"] }, "a/b": { sdkKey: "sdk-2", filters: ["c"] } },
      },
      problem: '"a/b/c" twice',
    },
    {
      name: "a further key that is the key",
      options: { environments: { a: { sdkKey, furtherSdkKeys: [sdkKey] } } },
      problem: "environments.a: furtherSdkKeys lists a key that is there already",
    },
    {
      name: "a further key twice",
      options: { environments: { a: { sdkKey, furtherMobileKeys: ["m", { key: "m", expires: 1 }] } } },
      problem: "environments.a: furtherMobileKeys lists a key that is there already",
    },
    {
      name: "further keys that are no list",
      options: { environments: { a: { sdkKey, furtherSdkKeys: "sdk-2" } } },
      problem: "environments.a: furtherSdkKeys must be a list of keys",
    },
    {
      name: "a further key without the key",
      options: { environments: { a: { sdkKey, furtherSdkKeys: [{ expires: 1 }] } } },
      problem: "environments.a.furtherSdkKeys[0]: key is required",
    },
    {
      name: "a further key with a blank",
      options: { environments: { a: { sdkKey, furtherSdkKeys: ["x", "a b"] } } },
      problem: "environments.a.furtherSdkKeys[1]: key must not be empty",
    },
    {
      name: "a moment without a zone",
      options: {
        environments: { a: { sdkKey, furtherSdkKeys: [{ key: "x", expires: "2027-01-01T00:00:00" }] } },
      },
      problem:
        "environments.a.furtherSdkKeys[0]: expires must be Unix milliseconds, a Date, or text with a zone",
    },
    {
      name: "a wildcard in the middle of an origin",
      options: {
        environments: { a: { sdkKey, allowedOrigins: ["https://*.fine.example", "https://a.*.example"] } },
      },
      problem: 'allowedOrigins has "https://a.*.example"',
    },
    {
      name: "an address that is no longer an option",
      options: { upstream: { clientstream: "https://a.example" } },
      problem: "clientstream is not an option",
    },
    {
      name: "a date that is none",
      options: {
        environments: { a: { sdkKey, furtherSdkKeys: [{ key: "x", expires: new Date(Number.NaN) }] } },
      },
      problem: "expires must be Unix milliseconds",
    },
    {
      name: "a moment in seconds",
      options: { environments: { a: { sdkKey, furtherSdkKeys: [{ key: "x", expires: 1_800_000_000 }] } } },
      problem: "furtherSdkKeys[0]: expires is 1800000000, which is Unix seconds: milliseconds are meant",
    },
    {
      name: "a further key of another environment",
      options: { environments: { a: { sdkKey }, b: { sdkKey: "sdk-2", furtherSdkKeys: [sdkKey] } } },
      problem: 'environments "a" and "b" have the same sdkKey',
    },
    {
      name: "the same key twice",
      options: { environments: { a: { sdkKey }, b: { sdkKey } } },
      problem: 'environments "a" and "b" have the same sdkKey',
    },
  ];
  for (const { name, options, problem } of cases) {
    test(name, () => {
      const problems = problemsOf(() => resolveOptions(options as RelayOptions));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(problem);
    });
  }

  test("of two environments without keys: those are not the same", () => {
    expect(
      problemsOf(() => resolveOptions({ environments: { a: { sdkKey: "" }, b: { sdkKey: "" } } })),
    ).toEqual([
      expect.stringContaining("environments.a: sdkKey must not be empty"),
      expect.stringContaining("environments.b: sdkKey must not be empty"),
    ]);
    // What a program without types may pass.
    const options = { environments: { a: {}, b: {} } } as unknown as RelayOptions;
    expect(problemsOf(() => resolveOptions(options))).toEqual([
      "environments.a: sdkKey is required: the key of server-side SDKs",
      "environments.b: sdkKey is required: the key of server-side SDKs",
    ]);
  });

  test("all of them at once", () => {
    const options: RelayOptions = { initTimeout: "x", environments: { a: { sdkKey: "" } }, prefix: "p" };
    expect(problemsOf(() => resolveOptions(options))).toHaveLength(3);
  });

  test("uploads have 64 MiB, four times the largest body if that is more, or what the host says", () => {
    const cases: [RelayOptions, number][] = [
      [{}, 64 * 1024 * 1024],
      [{ events: { maxBodyBytes: 17_000_000 } }, 68_000_000],
      [{ events: false, maxContextBytes: 17_000_001 }, 68_000_004],
      [{ maxUploadBytes: 20 * 1024 * 1024 }, 20 * 1024 * 1024],
      [{ events: false, maxUploadBytes: 2 * 1024 * 1024 }, 2 * 1024 * 1024],
    ];
    for (const [options, bytes] of cases) expect(resolveOptions(options).maxUploadBytes).toBe(bytes);
  });

  test("of the name of an environment that joins later", () => {
    expect(problemsOf(() => resolveEnvironment("", { sdkKey, filters: ["a", "a"] }))).toEqual([
      'the name of an environment must be text that is not empty, not ""',
      'environment "" has a filter or name that makes "/a" twice; each may be there once',
    ]);
  });

  test("of an environment that joins later", () => {
    expect(problemsOf(() => resolveEnvironment("late", { sdkKey: "", ttl: "x" }))).toEqual([
      expect.stringContaining('environment "late": sdkKey must not be empty'),
      expect.stringContaining('environment "late": ttl must be a time span'),
    ]);
  });
});

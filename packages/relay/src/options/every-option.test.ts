import { expect, test, vi } from "vitest";
import { problemsOf } from "../../test/problems-of.js";
import { systemClock } from "../clock.js";
import { silentLogger } from "../logger.js";
import { UpstreamConnections } from "../upstream/upstream-connections.js";
import type { RelayOptions } from "./options.js";
import { resolveEnvironment } from "./resolve-environment.js";
import { resolveOptions } from "./resolve-options.js";

const sdkKey = "sdk-1";
const mebibyte = 1024 * 1024;

test("an empty object is enough, and the defaults are those of the documentation", () => {
  const { upstream, disconnect: _, logger, clock, random: __, ...options } = resolveOptions({});
  expect(options).toStrictEqual({
    environments: new Map(),
    configuration: undefined,
    eventLanes: expect.any(Function),
    events: {
      flushIntervalMs: 5000,
      capacity: 10_000,
      capacityBytes: 16 * mebibyte,
      maxBodyBytes: 10 * mebibyte,
      retryDelayMs: 1000,
    },
    streams: { heartbeatMs: 180_000, maxConnectionMs: 0, stallMs: 60_000, sliceMs: 2 },
    bigSegments: { staleThresholdMs: 300_000, staleAsDegraded: false },
    prefix: "",
    initTimeoutMs: 10_000,
    ready: "all",
    disconnectedStatusMs: 60_000,
    maxContextBytes: mebibyte,
    maxUploadBytes: 64 * mebibyte,
    answerCacheBytes: 32 * mebibyte,
    probes: true,
    prometheus: false,
    publicStatus: true,
    metrics: undefined,
  });
  expect(upstream).toStrictEqual({
    stream: "https://stream.launchdarkly.com",
    app: "https://clientsdk.launchdarkly.com",
    polling: "https://sdk.launchdarkly.com",
    events: "https://events.launchdarkly.com",
    dispatcher: expect.any(UpstreamConnections),
    readTimeoutMs: 300_000,
    requestTimeoutMs: 3000,
    maxEventBytes: 256 * mebibyte,
  });
  expect([logger, clock]).toEqual([silentLogger, systemClock]);
  expect(resolveOptions({ environments: { a: { sdkKey } } }).environments.get("a")).toStrictEqual({
    keys: { sdkKey, further: [], refused: [] },
    secureMode: false,
    ttlMs: 0,
    allowedOrigins: [],
    allowedHeaders: [],
    filters: [],
    clientStream: "evaluated",
    about: {},
  });
});

test("every option that is set arrives", () => {
  const dispatcher = { request: () => expect.unreachable() };
  const host = { count: vi.fn(), gauge: vi.fn(), now: () => 5, monotonic: () => 6, schedule: vi.fn() };
  const { upstream, random, clock, metrics, ...options } = resolveOptions({
    metrics: host,
    clock: host,
    upstream: {
      stream: "http://a",
      app: "http://b",
      polling: "http://c",
      events: "http://d",
      dispatcher,
      readTimeout: 1,
      requestTimeout: 2,
      maxEventBytes: 3,
    },
    events: { flushInterval: 4, capacity: 5, capacityBytes: 6, maxBodyBytes: 7, retryDelay: 8 },
    streams: { heartbeat: 9, maxConnectionTime: 10, stallTimeout: 11, sliceMs: 12 },
    bigSegments: { staleThreshold: 13, staleAsDegraded: true },
    prefix: "/p",
    initTimeout: 14,
    ready: "any",
    disconnectedStatusTime: 15,
    maxContextBytes: 16,
    maxUploadBytes: 32,
    answerCacheBytes: 0,
    probes: false,
    prometheus: true,
    publicStatus: false,
    random: () => 0.25,
  });
  expect(upstream).toStrictEqual({
    stream: "http://a",
    app: "http://b",
    polling: "http://c",
    events: "http://d",
    dispatcher,
    readTimeoutMs: 1,
    requestTimeoutMs: 2,
    maxEventBytes: 3,
  });
  expect(options).toMatchObject({
    events: { flushIntervalMs: 4, capacity: 5, capacityBytes: 6, maxBodyBytes: 7, retryDelayMs: 8 },
    streams: { heartbeatMs: 9, maxConnectionMs: 10, stallMs: 11, sliceMs: 12 },
    bigSegments: { staleThresholdMs: 13, staleAsDegraded: true },
    prefix: "/p",
    initTimeoutMs: 14,
    ready: "any",
    disconnectedStatusMs: 15,
    maxContextBytes: 16,
    maxUploadBytes: 32,
    answerCacheBytes: 0,
    probes: false,
    prometheus: true,
    publicStatus: false,
  });
  expect([random(), clock.now(), clock.monotonic()]).toEqual([0.25, 5, 6]);
  metrics?.count("requests", 1, {});
  expect(host.count).toHaveBeenCalledWith("requests", 1, {});
  expect(resolveOptions({ ready: ["a", "b"] }).ready).toEqual(["a", "b"]);
});

test("connections that are the relay's own are cut off", async () => {
  const { upstream, disconnect } = resolveOptions({});
  disconnect();
  const asked = { origin: "http://127.0.0.1:1", path: "/", method: "GET", headers: {} } as const;
  const limits = { signal: new AbortController().signal, headersTimeout: 0, bodyTimeout: 0 };
  await expect(upstream.dispatcher.request({ ...asked, ...limits })).rejects.toThrow("closed");
});

test("members are asked for where the app is, if the host says where that is", () => {
  const pollingOf = (upstream: NonNullable<RelayOptions["upstream"]>) =>
    resolveOptions({ upstream }).upstream.polling;
  expect(pollingOf({ app: "http://a/" })).toBe("http://a");
  expect(pollingOf({ app: "http://a", polling: "http://b" })).toBe("http://b");
});

test("what an environment has that is set arrives", () => {
  const [source, store, bigSegments] = [vi.fn(), vi.fn(), vi.fn()];
  const about = { envKey: "k", envName: "n", projKey: "p", projName: "q" };
  const allowedOrigins = ["https://a.example"];
  const allowedHeaders = ["X-Own"];
  const set = {
    ...{ sdkKey, mobileKey: "mob-1", envId: "e", secureMode: true, ttl: "1s", filters: ["web"] },
    clientStream: "ping" as const,
    ...{ allowedOrigins, allowedHeaders, about, source, store, bigSegments },
  };
  const resolved = resolveOptions({ environments: { a: set } }).environments.get("a");
  expect(resolved).toStrictEqual({
    keys: { sdkKey, mobileKey: "mob-1", envId: "e", further: [], refused: [] },
    ...{ secureMode: true, ttlMs: 1000, filters: ["web"], clientStream: "ping" },
    ...{ allowedOrigins, allowedHeaders, about, source, store, bigSegments },
  });
  expect(resolveEnvironment("a", set)).toStrictEqual(resolved);
});

test("a mistake in any option is told by its name", () => {
  const wrong = Symbol("wrong");
  const sections: Record<string, string[]> = {
    upstream: "stream app polling events dispatcher readTimeout requestTimeout maxEventBytes".split(" "),
    events: ["flushInterval", "capacity", "capacityBytes", "maxBodyBytes", "retryDelay"],
    streams: ["heartbeat", "maxConnectionTime", "stallTimeout", "sliceMs"],
    bigSegments: ["staleThreshold", "staleAsDegraded"],
  };
  const alone = "prefix initTimeout ready disconnectedStatusTime maxContextBytes maxUploadBytes".split(" ");
  alone.push(
    "answerCacheBytes",
    "probes",
    "prometheus",
    "publicStatus",
    "metrics",
    "logger",
    "clock",
    "random",
  );
  const said = (options: unknown) => problemsOf(() => resolveOptions(options as RelayOptions));
  for (const name of alone)
    expect(said({ [name]: wrong })).toEqual([expect.stringMatching(`^options: ${name} must be `)]);
  for (const [section, names] of Object.entries(sections)) {
    const words = section === "events" ? ', false or "discard"' : "";
    expect(said({ [section]: wrong })).toEqual([`${section} must be an object${words}`]);
    expect(said({ [section]: { x: 1 } })).toEqual([
      `${section}: x is not an option; there are ${names.join(", ")}`,
    ]);
    for (const name of names)
      expect(said({ [section]: { [name]: wrong } })).toEqual([
        expect.stringMatching(`^${section}: ${name} must be `),
      ]);
  }
  const all = ["environments", "autoConfig", "offline", ...Object.keys(sections), ...alone];
  expect(said({ x: 1 })).toEqual([`options: x is not an option; there are ${all.join(", ")}`]);
});

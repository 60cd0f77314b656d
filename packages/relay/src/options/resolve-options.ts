import type { Dispatcher } from "undici";
import type { Clock } from "../clock.js";
import { systemClock } from "../clock.js";
import { type AcceptedKey, credentialsOf, type EnvironmentKeys } from "../credentials.js";
import { RelayError } from "../error.js";
import { guardedLogger, guardedRandom, guardedSink } from "../host-callbacks.js";
import { isOriginPattern, wellFormedOriginPattern } from "../http/cors.js";
import { type Logger, silentLogger } from "../logger.js";
import type { MetricsSink } from "../metrics.js";
import type { ReadyPolicy } from "../ready-policy.js";
import { OptionReader } from "./option-reader.js";
import type {
  BigSegmentOptions,
  EnvironmentChanges,
  EnvironmentOptions,
  EventOptions,
  RelayOptions,
  StreamOptions,
  UpstreamOptions,
} from "./options.js";
import type { ResolvedEnvironment, ResolvedOptions } from "./resolved-options.js";
import type {
  ResolvedBigSegments,
  ResolvedEvents,
  ResolvedStreams,
  ResolvedUpstream,
} from "./resolved-sections.js";

// The reader has seen that an object has the methods of its type, or that a function is one; more cannot be seen from
// outside, and the types of the options say the rest.

/** Checks what a host has set. Throws one `RelayError` that names every mistake. */
export function resolveOptions(options: RelayOptions): ResolvedOptions {
  const reader = new OptionReader(options, "options");
  const hostLogger = reader.object<Logger>("logger", ["debug", "info", "warn", "error"]);
  const logger = hostLogger === undefined ? silentLogger : guardedLogger(hostLogger);
  const sink = reader.object<MetricsSink>("metrics", ["count", "gauge"]);
  const resolved: ResolvedOptions = {
    environments: environmentsFrom(reader.section("environments", anyName)),
    upstream: upstreamFrom(reader.section("upstream", upstreamNames)),
    events: options?.events === false ? false : eventsFrom(reader.section("events", eventNames)),
    streams: streamsFrom(reader.section("streams", streamNames)),
    bigSegments: bigSegmentsFrom(reader.section("bigSegments", bigSegmentNames)),
    prefix: prefixFrom(reader),
    initTimeoutMs: reader.duration("initTimeout", 10_000),
    ready: readyFrom(reader),
    disconnectedStatusMs: reader.duration("disconnectedStatusTime", 60_000),
    maxContextBytes: reader.positive("maxContextBytes", 1024 * 1024),
    probes: reader.boolean("probes", true),
    prometheus: reader.boolean("prometheus", false),
    publicStatus: reader.boolean("publicStatus", true),
    metrics: sink === undefined ? undefined : guardedSink(sink, logger),
    logger,
    clock: reader.object<Clock>("clock", ["now", "monotonic", "schedule"]) ?? systemClock,
    random: guardedRandom(reader.function("random", Math.random)),
  };
  reader.onlyThese(relayNames);
  const environments = [...resolved.environments];
  const problems = [...reader.problems, ...sameKeys(environments), ...sameNames(environments)];
  if (problems.length > 0) throw invalidOptions(problems);
  return resolved;
}

/** Checks the options of one environment that joins a running relay. */
export function resolveEnvironment(name: string, options: EnvironmentOptions): ResolvedEnvironment {
  const reader = new OptionReader(options, `environment ${JSON.stringify(name)}`);
  reader.onlyThese(environmentNames);
  const resolved = environmentFrom(reader, newEnvironment);
  const problems = [...reader.problems, ...sameNames([[name, resolved]])];
  if (problems.length > 0) throw invalidOptions(problems);
  return resolved;
}

/** Checks what is to be changed of an environment and gives all of its options as they are afterwards. */
export function resolveChanges(
  name: string,
  changes: EnvironmentChanges,
  present: ResolvedEnvironment,
): ResolvedEnvironment {
  const reader = new OptionReader(changes, `environment ${JSON.stringify(name)}`);
  reader.onlyThese(changeableNames);
  const resolved = environmentFrom(reader, present);
  const problems = [...reader.problems, ...sameNames([[name, resolved]])];
  if (problems.length > 0) throw invalidOptions(problems);
  return resolved;
}

function invalidOptions(problems: readonly string[]): RelayError {
  return new RelayError("invalid_options", problems.join("\n"), { problems });
}

const anyName = undefined;
const upstreamNames = [
  "stream",
  "app",
  "polling",
  "events",
  "dispatcher",
  "readTimeout",
  "requestTimeout",
  "maxEventBytes",
] satisfies (keyof UpstreamOptions)[];
const eventNames = [
  "flushInterval",
  "capacity",
  "capacityBytes",
  "maxBodyBytes",
  "retryDelay",
] satisfies (keyof EventOptions)[];
const streamNames = [
  "heartbeat",
  "maxConnectionTime",
  "stallTimeout",
  "sliceMs",
] satisfies (keyof StreamOptions)[];
const bigSegmentNames = ["staleThreshold", "staleAsDegraded"] satisfies (keyof BigSegmentOptions)[];
const changeableNames = [
  "sdkKey",
  "mobileKey",
  "furtherSdkKeys",
  "furtherMobileKeys",
  "secureMode",
  "ttl",
  "allowedOrigins",
  "allowedHeaders",
  "filters",
  "clientStream",
] satisfies (keyof EnvironmentChanges)[];
const environmentNames = [
  ...changeableNames,
  "envId",
  "source",
  "store",
  "bigSegments",
] satisfies (keyof EnvironmentOptions)[];
const relayNames = [
  "environments",
  "upstream",
  "events",
  "streams",
  "bigSegments",
  "prefix",
  "initTimeout",
  "ready",
  "disconnectedStatusTime",
  "maxContextBytes",
  "probes",
  "prometheus",
  "publicStatus",
  "metrics",
  "logger",
  "clock",
  "random",
] satisfies (keyof RelayOptions)[];

function environmentsFrom(reader: OptionReader): Map<string, ResolvedEnvironment> {
  return new Map(
    reader
      .names()
      .map((name) => [name, environmentFrom(reader.section(name, environmentNames), newEnvironment)]),
  );
}

/** What an environment is as long as nothing is set. */
const newEnvironment: ResolvedEnvironment = {
  keys: { sdkKey: "", further: [] },
  secureMode: false,
  ttlMs: 0,
  allowedOrigins: [],
  allowedHeaders: [],
  filters: [],
  clientStream: "evaluated",
};

/** Reads the options of an environment; what is not there stays as it is. */
function environmentFrom(reader: OptionReader, present: ResolvedEnvironment): ResolvedEnvironment {
  const source = reader.function<EnvironmentOptions["source"]>("source", present.source);
  const store = reader.function<EnvironmentOptions["store"]>("store", present.store);
  const bigSegments = reader.function<EnvironmentOptions["bigSegments"]>("bigSegments", present.bigSegments);
  return {
    keys: keysFrom(reader, present.keys),
    secureMode: reader.boolean("secureMode", present.secureMode),
    ttlMs: reader.duration("ttl", present.ttlMs),
    allowedOrigins: originsFrom(reader, present.allowedOrigins),
    allowedHeaders: reader.strings("allowedHeaders", present.allowedHeaders),
    filters: reader.strings("filters", present.filters),
    clientStream: reader.oneOf("clientStream", ["evaluated", "ping"], present.clientStream),
    ...(source === undefined ? {} : { source }),
    ...(store === undefined ? {} : { store }),
    ...(bigSegments === undefined ? {} : { bigSegments }),
  };
}

function keysFrom(reader: OptionReader, present: EnvironmentKeys): EnvironmentKeys {
  const required = present.sdkKey === "" ? "is required: the key of server-side SDKs" : undefined;
  const mobileKey = reader.isNull("mobileKey")
    ? undefined
    : (reader.credential("mobileKey") ?? present.mobileKey);
  const envId = reader.credential("envId") ?? present.envId;
  const sdkKey = reader.credential("sdkKey", required) ?? present.sdkKey;
  const further = (["sdkKey", "mobileKey"] as const).flatMap((kind): readonly AcceptedKey[] => {
    const name = kind === "sdkKey" ? "furtherSdkKeys" : "furtherMobileKeys";
    const first = kind === "sdkKey" ? sdkKey : mobileKey;
    const given = reader.keys(name)?.map((key) => ({ ...key, kind }));
    if (given === undefined) return present.further.filter((key) => key.kind === kind && key.value !== first);
    const values = [first, ...given.map(({ value }) => value)];
    if (new Set(values).size < values.length) reader.report(name, "lists a key that is there already");
    return given;
  });
  return {
    sdkKey,
    ...(mobileKey === undefined ? {} : { mobileKey }),
    ...(envId === undefined ? {} : { envId }),
    further,
  };
}

function originsFrom(reader: OptionReader, present: readonly string[]): readonly string[] {
  const origins = reader.strings("allowedOrigins", present);
  for (const origin of origins) {
    if (!isOriginPattern(origin) || wellFormedOriginPattern.test(origin)) continue;
    reader.report(
      "allowedOrigins",
      `has ${JSON.stringify(origin)}; a wildcard stands as in "https://*.example.org"`,
    );
  }
  return origins;
}

const defaultApp = "https://clientsdk.launchdarkly.com";

function bigSegmentsFrom(reader: OptionReader): ResolvedBigSegments {
  return {
    staleThresholdMs: reader.duration("staleThreshold", 300_000),
    staleAsDegraded: reader.boolean("staleAsDegraded", false),
  };
}

function upstreamFrom(reader: OptionReader): ResolvedUpstream {
  const app = reader.url("app", defaultApp);
  return {
    stream: reader.url("stream", "https://stream.launchdarkly.com"),
    app,
    polling: reader.url("polling", app === defaultApp ? "https://sdk.launchdarkly.com" : app),
    events: reader.url("events", "https://events.launchdarkly.com"),
    dispatcher: reader.object<Dispatcher>("dispatcher", ["dispatch"]),
    readTimeoutMs: reader.timeLimit("readTimeout", 300_000),
    requestTimeoutMs: reader.timeLimit("requestTimeout", 3000),
    maxEventBytes: reader.positive("maxEventBytes", 256 * 1024 * 1024),
  };
}

function eventsFrom(reader: OptionReader): ResolvedEvents {
  return {
    flushIntervalMs: reader.duration("flushInterval", 5000),
    capacity: reader.positive("capacity", 10_000),
    capacityBytes: reader.positive("capacityBytes", 16 * 1024 * 1024),
    maxBodyBytes: reader.positive("maxBodyBytes", 10 * 1024 * 1024),
    retryDelayMs: reader.duration("retryDelay", 1000),
  };
}

function streamsFrom(reader: OptionReader): ResolvedStreams {
  return {
    heartbeatMs: reader.duration("heartbeat", 180_000),
    maxConnectionMs: reader.duration("maxConnectionTime", 0),
    stallMs: reader.duration("stallTimeout", 60_000),
    sliceMs: reader.positive("sliceMs", 2),
  };
}

function readyFrom(reader: OptionReader): ReadyPolicy {
  return reader.isList("ready")
    ? reader.strings("ready")
    : reader.oneOf<"all" | "any">("ready", ["all", "any"]);
}

function prefixFrom(reader: OptionReader): string {
  const prefix = reader.string("prefix") ?? "";
  if (prefix !== "" && !/^(?:\/[^/?#]+)+$/.test(prefix)) {
    reader.report("prefix", 'must start with "/" and not end with one, as "/relay" does');
  }
  return prefix;
}

type Named = readonly [name: string, environment: ResolvedEnvironment];

/** Each credential may lead to one environment only. */
function sameKeys(environments: readonly Named[]): string[] {
  const owners = new Map<string, string>();
  return environments.flatMap(([name, { keys }]) =>
    credentialsOf(keys).flatMap(({ kind, value }) => {
      const place = JSON.stringify([kind, value]);
      const owner = owners.get(place) ?? name;
      owners.set(place, owner);
      if (owner === name || value === "") return [];
      return [`environments ${JSON.stringify(owner)} and ${JSON.stringify(name)} have the same ${kind}`];
    }),
  );
}

/** The name of an environment with a payload filter, as the status, metrics and stores call it. */
export function variantName(name: string, filter: string | undefined): string {
  return filter === undefined ? name : `${name}/${filter}`;
}

/** The names of an environment: its own, and one for each payload filter. */
export function variantNames(name: string, { filters }: ResolvedEnvironment): string[] {
  return [undefined, ...filters].map((filter) => variantName(name, filter));
}

/** Environments and their filters are told apart by their names. */
function sameNames(environments: readonly Named[]): string[] {
  const owners = new Map<string, string>();
  return environments.flatMap(([name, environment]) =>
    variantNames(name, environment).flatMap((variant) => {
      const owner = owners.get(variant);
      owners.set(variant, name);
      if (owner === undefined) return [];
      const who =
        owner === name
          ? `environment ${JSON.stringify(name)} has`
          : `environments ${JSON.stringify(owner)} and ${JSON.stringify(name)} both have`;
      return [`${who} a filter or name that makes ${JSON.stringify(variant)} twice; each may be there once`];
    }),
  );
}

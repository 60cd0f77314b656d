import type { Dispatcher } from "undici";
import type { Clock } from "../clock.js";
import { systemClock } from "../clock.js";
import { RelayError } from "../error.js";
import { type Logger, silentLogger } from "../logger.js";
import type { MetricsSink } from "../metrics.js";
import { OptionReader } from "./option-reader.js";
import type {
  EnvironmentOptions,
  EventOptions,
  RelayOptions,
  StreamOptions,
  UpstreamOptions,
} from "./options.js";

/** An environment's options, checked, with defaults filled in. */
export interface ResolvedEnvironment extends Omit<EnvironmentOptions, "ttl"> {
  readonly secureMode: boolean;
  readonly ttlMs: number;
  readonly allowedOrigins: readonly string[];
  readonly allowedHeaders: readonly string[];
  readonly filters: readonly string[];
  readonly clientStream: "evaluated" | "ping";
}

export interface ResolvedUpstream {
  readonly stream: string;
  readonly app: string;
  readonly clientstream: string;
  readonly events: string;
  readonly dispatcher: UpstreamOptions["dispatcher"];
  readonly readTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxEventBytes: number;
}

export interface ResolvedEvents {
  readonly flushIntervalMs: number;
  readonly capacity: number;
  readonly capacityBytes: number;
  readonly maxBodyBytes: number;
  readonly retryDelayMs: number;
}

export interface ResolvedStreams {
  readonly heartbeatMs: number;
  readonly maxConnectionMs: number;
  readonly maxBufferedBytes: number;
  readonly sliceMs: number;
}

/** A relay's options, checked, with defaults filled in and time spans in milliseconds. */
export interface ResolvedOptions {
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>;
  readonly upstream: ResolvedUpstream;
  readonly events: ResolvedEvents | false;
  readonly streams: ResolvedStreams;
  readonly prefix: string;
  readonly initTimeoutMs: number;
  readonly disconnectedStatusMs: number;
  readonly maxContextBytes: number;
  readonly probes: boolean;
  readonly prometheus: boolean;
  readonly metrics: MetricsSink | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
}

// The reader has seen that an object has the methods of its type, or that a function is one; more cannot be seen from
// outside, and the types of the options say the rest.

/** Checks what a host has set. Throws one `RelayError` that names every mistake. */
export function resolveOptions(options: RelayOptions): ResolvedOptions {
  const reader = new OptionReader(options, "options");
  const resolved: ResolvedOptions = {
    environments: environmentsFrom(reader.section("environments", anyName)),
    upstream: upstreamFrom(reader.section("upstream", upstreamNames)),
    events: options?.events === false ? false : eventsFrom(reader.section("events", eventNames)),
    streams: streamsFrom(reader.section("streams", streamNames)),
    prefix: prefixFrom(reader),
    initTimeoutMs: reader.duration("initTimeout", 10_000),
    disconnectedStatusMs: reader.duration("disconnectedStatusTime", 60_000),
    maxContextBytes: reader.positive("maxContextBytes", 1024 * 1024),
    probes: reader.boolean("probes", true),
    prometheus: reader.boolean("prometheus", false),
    metrics: reader.object<MetricsSink>("metrics", ["count", "gauge"]),
    logger: reader.object<Logger>("logger", ["debug", "info", "warn", "error"]) ?? silentLogger,
    clock: reader.object<Clock>("clock", ["now", "monotonic", "schedule"]) ?? systemClock,
    random: reader.function("random", Math.random),
  };
  reader.onlyThese(relayNames);
  const problems = [...reader.problems, ...duplicatesAmong(resolved.environments)];
  if (problems.length > 0) throw invalidOptions(problems);
  return resolved;
}

/** Checks the options of one environment that joins a running relay. */
export function resolveEnvironment(name: string, options: EnvironmentOptions): ResolvedEnvironment {
  const reader = new OptionReader(options, `environment ${JSON.stringify(name)}`);
  const resolved = environmentFrom(reader);
  if (reader.problems.length > 0) throw invalidOptions(reader.problems);
  return resolved;
}

function invalidOptions(problems: readonly string[]): RelayError {
  return new RelayError("invalid_options", problems.join("\n"), { problems });
}

const anyName = undefined;
const upstreamNames = [
  "stream",
  "app",
  "clientstream",
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
  "maxBufferedBytes",
  "sliceMs",
] satisfies (keyof StreamOptions)[];
const environmentNames = [
  "sdkKey",
  "mobileKey",
  "envId",
  "secureMode",
  "ttl",
  "allowedOrigins",
  "allowedHeaders",
  "filters",
  "clientStream",
  "source",
  "store",
] satisfies (keyof EnvironmentOptions)[];
const relayNames = [
  "environments",
  "upstream",
  "events",
  "streams",
  "prefix",
  "initTimeout",
  "disconnectedStatusTime",
  "maxContextBytes",
  "probes",
  "prometheus",
  "metrics",
  "logger",
  "clock",
  "random",
] satisfies (keyof RelayOptions)[];

function environmentsFrom(reader: OptionReader): Map<string, ResolvedEnvironment> {
  return new Map(
    reader.names().map((name) => [name, environmentFrom(reader.section(name, environmentNames))]),
  );
}

function environmentFrom(reader: OptionReader): ResolvedEnvironment {
  reader.onlyThese(environmentNames);
  const mobileKey = reader.credential("mobileKey");
  const envId = reader.credential("envId");
  const source = reader.function<EnvironmentOptions["source"]>("source", undefined);
  const store = reader.function<EnvironmentOptions["store"]>("store", undefined);
  return {
    sdkKey: reader.credential("sdkKey", "is required: the key of server-side SDKs") ?? "",
    ...(mobileKey === undefined ? {} : { mobileKey }),
    ...(envId === undefined ? {} : { envId }),
    secureMode: reader.boolean("secureMode", false),
    ttlMs: reader.duration("ttl", 0),
    allowedOrigins: reader.strings("allowedOrigins"),
    allowedHeaders: reader.strings("allowedHeaders"),
    filters: reader.strings("filters"),
    clientStream: reader.oneOf("clientStream", ["evaluated", "ping"]),
    ...(source === undefined ? {} : { source }),
    ...(store === undefined ? {} : { store }),
  };
}

function upstreamFrom(reader: OptionReader): ResolvedUpstream {
  return {
    stream: reader.url("stream", "https://stream.launchdarkly.com"),
    app: reader.url("app", "https://clientsdk.launchdarkly.com"),
    clientstream: reader.url("clientstream", "https://clientstream.launchdarkly.com"),
    events: reader.url("events", "https://events.launchdarkly.com"),
    dispatcher: reader.object<Dispatcher>("dispatcher", ["dispatch"]),
    readTimeoutMs: reader.duration("readTimeout", 300_000),
    requestTimeoutMs: reader.duration("requestTimeout", 3000),
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
    maxBufferedBytes: reader.positive("maxBufferedBytes", 1024 * 1024),
    sliceMs: reader.positive("sliceMs", 2),
  };
}

function prefixFrom(reader: OptionReader): string {
  const prefix = reader.string("prefix") ?? "";
  if (prefix !== "" && !/^(?:\/[^/?#]+)+$/.test(prefix)) {
    reader.report("prefix", 'must start with "/" and not end with one, as "/relay" does');
  }
  return prefix;
}

/** Each credential may lead to one environment only. */
function duplicatesAmong(environments: ReadonlyMap<string, ResolvedEnvironment>): string[] {
  const problems: string[] = [];
  for (const kind of ["sdkKey", "mobileKey", "envId"] as const) {
    const owners = new Map<string, string>();
    for (const [name, environment] of environments) {
      const value = environment[kind];
      if (value === undefined || value === "") continue;
      const owner = owners.get(value);
      if (owner !== undefined) {
        problems.push(
          `environments ${JSON.stringify(owner)} and ${JSON.stringify(name)} have the same ${kind}`,
        );
      }
      owners.set(value, name);
    }
  }
  return problems;
}

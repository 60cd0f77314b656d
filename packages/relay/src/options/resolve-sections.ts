import type { Dispatcher } from "undici";
import type { OptionReader } from "./option-reader.js";
import type { BigSegmentOptions, EventOptions, StreamOptions, UpstreamOptions } from "./options.js";
import type {
  ResolvedBigSegments,
  ResolvedEvents,
  ResolvedStreams,
  ResolvedUpstream,
} from "./resolved-sections.js";

const defaultApp = "https://clientsdk.launchdarkly.com";
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

/** The section `upstream` of a relay's options. */
export function upstreamFrom(options: OptionReader): ResolvedUpstream {
  const reader = options.section("upstream", upstreamNames);
  const app = reader.url("app", defaultApp);
  return {
    stream: reader.url("stream", "https://stream.launchdarkly.com"),
    app,
    polling: reader.url("polling", app === defaultApp ? "https://sdk.launchdarkly.com" : app),
    events: reader.url("events", "https://events.launchdarkly.com"),
    dispatcher: reader.object<Dispatcher>("dispatcher", ["dispatch"]),
    readTimeoutMs: reader.timeLimit("readTimeout", 300_000),
    requestTimeoutMs: reader.timeLimit("requestTimeout", 3000),
    maxEventBytes: reader.count("maxEventBytes", 256 * 1024 * 1024),
  };
}

const eventNames = [
  "flushInterval",
  "capacity",
  "capacityBytes",
  "maxBodyBytes",
  "retryDelay",
] satisfies (keyof EventOptions)[];

/** The section `events`; `false` stays what it is. */
export function eventsFrom(options: OptionReader): ResolvedEvents | false {
  if (options.isFalse("events")) return false;
  const reader = options.section("events", eventNames);
  return {
    flushIntervalMs: reader.duration("flushInterval", 5000),
    capacity: reader.count("capacity", 10_000),
    capacityBytes: reader.count("capacityBytes", 16 * 1024 * 1024),
    maxBodyBytes: reader.count("maxBodyBytes", 10 * 1024 * 1024),
    retryDelayMs: reader.duration("retryDelay", 1000),
  };
}

const streamNames = [
  "heartbeat",
  "maxConnectionTime",
  "stallTimeout",
  "sliceMs",
] satisfies (keyof StreamOptions)[];

/** The section `streams`. */
export function streamsFrom(options: OptionReader): ResolvedStreams {
  const reader = options.section("streams", streamNames);
  return {
    heartbeatMs: reader.duration("heartbeat", 180_000),
    maxConnectionMs: reader.duration("maxConnectionTime", 0),
    stallMs: reader.duration("stallTimeout", 60_000),
    sliceMs: reader.positive("sliceMs", 2),
  };
}

const bigSegmentNames = ["staleThreshold", "staleAsDegraded"] satisfies (keyof BigSegmentOptions)[];

/** The section `bigSegments`. */
export function bigSegmentsFrom(options: OptionReader): ResolvedBigSegments {
  const reader = options.section("bigSegments", bigSegmentNames);
  return {
    staleThresholdMs: reader.duration("staleThreshold", 300_000),
    staleAsDegraded: reader.boolean("staleAsDegraded", false),
  };
}

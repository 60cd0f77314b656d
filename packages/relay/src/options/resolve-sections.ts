import { UpstreamConnections } from "../upstream/upstream-connections.js";
import type { OptionReader } from "./option-reader.js";
import type { BigSegmentOptions, EventOptions, StreamOptions, UpstreamOptions } from "./options.js";
import type { ResolvedOptions } from "./resolved-options.js";
import {
  defaultMaxBodyBytes,
  type ResolvedBigSegments,
  type ResolvedEvents,
  type ResolvedStreams,
  type UpstreamDispatcher,
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

/** The section `upstream` of a relay's options. Connections are the relay's own, unless the host brings a dispatcher. */
export function upstreamFrom(options: OptionReader): Pick<ResolvedOptions, "upstream" | "disconnect"> {
  const reader = options.section("upstream", upstreamNames);
  const app = reader.url("app", defaultApp);
  const asked = {
    stream: reader.url("stream", "https://stream.launchdarkly.com"),
    app,
    polling: reader.url("polling", app === defaultApp ? "https://sdk.launchdarkly.com" : app),
    events: reader.url("events", "https://events.launchdarkly.com"),
    dispatcher: reader.object<UpstreamDispatcher>("dispatcher", ["request"]),
    readTimeoutMs: reader.timeLimit("readTimeout", 300_000),
    requestTimeoutMs: reader.timeLimit("requestTimeout", 3000),
    maxEventBytes: reader.count("maxEventBytes", 256 * 1024 * 1024),
  };
  const connections = new UpstreamConnections(asked.requestTimeoutMs);
  const upstream = { ...asked, dispatcher: asked.dispatcher ?? connections };
  return { upstream, disconnect: () => connections.close() };
}

const eventNames = [
  "flushInterval",
  "capacity",
  "capacityBytes",
  "maxBodyBytes",
  "retryDelay",
] satisfies (keyof EventOptions)[];

const offlineEvents = 'are sent nowhere with offline: leave them out, or say "discard" or false';

/** The section `events`; a word in its place stays what it is. Without one nothing is sent when there is no upstream. */
export function eventsFrom(options: OptionReader): ResolvedEvents | false | "discard" {
  if (options.isFalse("events")) return false;
  if (options.isWord("events", "discard")) return "discard";
  const given = options.names();
  if (given.includes("offline")) {
    if (given.includes("events")) options.report("events", offlineEvents);
    return "discard";
  }
  const reader = options.section("events", eventNames, { shape: 'an object, false or "discard"' });
  return {
    flushIntervalMs: reader.duration("flushInterval", 5000),
    capacity: reader.count("capacity", 10_000),
    capacityBytes: reader.count("capacityBytes", 16 * 1024 * 1024),
    maxBodyBytes: reader.count("maxBodyBytes", defaultMaxBodyBytes),
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

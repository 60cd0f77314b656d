import type { Clock } from "../clock.js";
import { systemClock } from "../clock.js";
import { invalidOptions } from "../error.js";
import { guardedClock, guardedLogger, guardedRandom, guardedSink } from "../host-callbacks.js";
import { createLanes } from "../lanes.js";
import { type Logger, silentLogger } from "../logger.js";
import type { MetricsSink } from "../metrics.js";
import type { ReadyPolicy } from "../ready-policy.js";
import { sharedKeys, unusableNames } from "./environment-names.js";
import { OptionReader } from "./option-reader.js";
import type { RelayOptions } from "./options.js";
import { configurationFrom } from "./resolve-configuration.js";
import { environmentsFrom } from "./resolve-environment.js";
import { bigSegmentsFrom, eventsFrom, streamsFrom, upstreamFrom } from "./resolve-sections.js";
import type { ResolvedOptions } from "./resolved-options.js";
import { defaultMaxBodyBytes, type ResolvedEvents } from "./resolved-sections.js";

// The reader has seen that an object has the methods of its type, or that a function is one; more cannot be seen from
// outside, and the types of the options say the rest.

/** Of all environments together. */
const maxConcurrentEventPosts = 64;

const relayNames = [
  "environments",
  "autoConfig",
  "offline",
  "upstream",
  "events",
  "streams",
  "bigSegments",
  "prefix",
  "initTimeout",
  "ready",
  "disconnectedStatusTime",
  "maxContextBytes",
  "maxUploadBytes",
  "answerCacheBytes",
  "probes",
  "prometheus",
  "publicStatus",
  "metrics",
  "logger",
  "clock",
  "random",
] satisfies (keyof RelayOptions)[];

/** Checks what a host has set. Throws one `RelayError` that names every mistake. */
export function resolveOptions(options: RelayOptions): ResolvedOptions {
  const reader = new OptionReader(options, "options");
  const hostLogger = reader.object<Logger>("logger", ["debug", "info", "warn", "error"]);
  const logger = hostLogger === undefined ? silentLogger : guardedLogger(hostLogger);
  const sink = reader.object<MetricsSink>("metrics", ["count", "gauge"]);
  const clock = reader.object<Clock>("clock", ["now", "monotonic", "schedule"]);
  const events = eventsFrom(reader);
  const maxContextBytes = reader.count("maxContextBytes", 1024 * 1024);
  const resolved: ResolvedOptions = {
    environments: environmentsFrom(reader),
    configuration: configurationFrom(reader, logger),
    ...upstreamFrom(reader),
    events,
    eventLanes: createLanes(maxConcurrentEventPosts),
    streams: streamsFrom(reader),
    bigSegments: bigSegmentsFrom(reader),
    prefix: prefixFrom(reader),
    initTimeoutMs: reader.duration("initTimeout", 10_000),
    ready: readyFrom(reader),
    disconnectedStatusMs: reader.duration("disconnectedStatusTime", 60_000),
    maxContextBytes,
    maxUploadBytes: maxUploadBytesFrom(reader, events, maxContextBytes),
    answerCacheBytes: reader.countOrNone("answerCacheBytes", 32 * 1024 * 1024),
    probes: reader.boolean("probes", true),
    prometheus: reader.boolean("prometheus", false),
    publicStatus: reader.boolean("publicStatus", true),
    metrics: sink === undefined ? undefined : guardedSink(sink, logger),
    logger,
    clock: clock === undefined ? systemClock : guardedClock(clock, logger),
    random: guardedRandom(reader.function("random", Math.random)),
  };
  reader.onlyThese(relayNames);
  const environments = [...resolved.environments];
  const problems = [
    ...reader.problems,
    ...sharedKeys(environments, resolved.clock.now()),
    ...unusableNames(environments),
  ];
  if (problems.length > 0) throw invalidOptions(problems);
  return resolved;
}

const leastUploadBytes = 64 * 1024 * 1024;

/** Unless the host says otherwise, four of the largest bodies have room beside each other. One must have in any case. */
function maxUploadBytesFrom(
  reader: OptionReader,
  events: ResolvedEvents | false | "discard",
  maxContextBytes: number,
): number {
  const largest = Math.max(maxContextBytes, maxEventBytes(events));
  const bytes = reader.count("maxUploadBytes", Math.max(leastUploadBytes, 4 * largest));
  if (bytes < 2 * largest) {
    reader.report("maxUploadBytes", `must be ${2 * largest} at least: twice what the largest body may take`);
  }
  return bytes;
}

function maxEventBytes(events: ResolvedEvents | false | "discard"): number {
  if (events === false) return 0;
  return events === "discard" ? defaultMaxBodyBytes : events.maxBodyBytes;
}

function readyFrom(reader: OptionReader): ReadyPolicy {
  if (!reader.isList("ready")) return reader.oneOf<"all" | "any">("ready", ["all", "any"]);
  if (reader.isEmptyList("ready")) reader.report("ready", 'must name an environment, or be "all" or "any"');
  return reader.strings("ready");
}

/** Segments of printable ASCII; requests with dot segments are sent elsewhere. */
const wellFormedPrefix = /^(?:\/(?!\.\.?(?:\/|$))[!"$-.0->@-~]+)+$/;

function prefixFrom(reader: OptionReader): string {
  const prefix = reader.string("prefix") ?? "";
  if (prefix !== "" && !wellFormedPrefix.test(prefix)) {
    reader.report("prefix", 'must be a path as it stands in requests, such as "/relay": no slash at the end');
  }
  return prefix;
}

import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import { type EventContext, readEventContext } from "./event-context.js";
import type { EventBatch } from "./event-publisher.js";
import { createSummary } from "./summary.js";

/** Turns the single evaluations of PHP and very old SDKs into what upstream expects of newer ones. */
export interface Summarizer {
  /** Takes the events of a post. */
  add(events: readonly unknown[]): void;
  /** Publishes what was counted since the last time. */
  flush(): void;
}

export interface SummarizerOptions {
  /** The schema of the incoming events. */
  readonly schema: number;
  readonly clock: Clock;
  /** The last known time of upstream: a flag is debugged until a time of upstream's clock, whatever is wrong with ours. */
  readonly serverTime: () => number;
  /** The JSON of a flag that exists. */
  readonly findFlag: (key: string) => string | undefined;
  readonly publish: (batch: EventBatch) => void;
  readonly logger: Logger;
}

type Fields = Readonly<Record<string, unknown>>;

const rememberedContexts = 1000;
const forgetContextsAfterMs = 300_000;

/** Creates the summariser of the posts that have the same schema and tags. */
export function createSummarizer({
  schema,
  clock,
  serverTime,
  findFlag,
  publish,
  logger,
}: SummarizerOptions): Summarizer {
  const summary = createSummary();
  const seen = createRecentKeys(clock);

  function send(...events: readonly unknown[]): void {
    publish({ text: events.map((event) => JSON.stringify(event)).join(","), count: events.length });
  }

  function index(context: EventContext, creationDate: unknown): void {
    if (seen.add(context.fullKey)) send({ kind: "index", creationDate, context: context.value });
  }

  function feature(event: Fields, context: EventContext): void {
    const known = withFlag(event, schema, findFlag);
    index(context, event.creationDate);
    const output = {
      creationDate: event.creationDate,
      key: event.key,
      version: event.version,
      context: context.value,
      variation: known.variation,
      value: event.value ?? null,
      default: event.default ?? null,
      reason: event.reason,
      samplingRatio: event.samplingRatio === 1 ? undefined : event.samplingRatio,
    };
    if (known.trackEvents) send({ kind: "feature", ...output });
    if (known.debugUntil > Math.max(clock.now(), serverTime())) send({ kind: "debug", ...output });
    if (event.excludeFromSummaries !== true) {
      summary.count({ ...event, variation: known.variation }, context.kinds);
    }
  }

  function add(event: unknown): boolean {
    if (!isFields(event) || typeof event.kind !== "string" || event.kind === "") return false;
    if (!["feature", "identify", "custom"].includes(event.kind)) {
      send(event);
      return true;
    }
    const context = readEventContext(event.context ?? event.user);
    if (context === undefined) return false;
    const { creationDate } = event;
    if (event.kind === "identify") {
      seen.add(context.fullKey);
      send({ kind: "identify", creationDate, context: context.value });
      return true;
    }
    if (typeof event.key !== "string") return false;
    if (event.kind === "feature") {
      feature(event, context);
    } else {
      const { key, data, metricValue } = event;
      index(context, creationDate);
      send({ kind: "custom", creationDate, key, data, contextKeys: context.keys, metricValue });
    }
    return true;
  }

  return {
    add(events) {
      const dropped = events.filter((event) => !add(event)).length;
      if (dropped > 0) logger.error(`events: ${dropped} are not events of a known form`);
    },
    flush() {
      const counted = summary.take();
      if (counted !== undefined) send(counted);
    },
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What old SDKs left out because the relay can see the flag. */
function withFlag(
  event: Fields,
  schema: number,
  findFlag: (key: string) => string | undefined,
): { trackEvents: boolean; debugUntil: number; variation: unknown } {
  const own = {
    trackEvents: event.trackEvents === true,
    debugUntil: typeof event.debugEventsUntilDate === "number" ? event.debugEventsUntilDate : 0,
    variation: event.variation ?? undefined,
  };
  const complete = event.trackEvents !== undefined || event.debugEventsUntilDate !== undefined;
  const json = event.version === undefined || complete ? undefined : findFlag(String(event.key));
  if (json === undefined) return own;
  const flag: Fields = JSON.parse(json);
  const variations: readonly unknown[] = Array.isArray(flag.variations) ? flag.variations : [];
  const inferred = variations.findIndex((value) => isDeepStrictEqual(value, event.value ?? null));
  return {
    trackEvents: flag.trackEvents === true,
    debugUntil: typeof flag.debugEventsUntilDate === "number" ? flag.debugEventsUntilDate : 0,
    variation: own.variation ?? (schema <= 1 && inferred >= 0 ? inferred : undefined),
  };
}

/** Keys that were seen lately, up to a number of them. */
function createRecentKeys(clock: Clock): { add(key: string): boolean } {
  const keys = new Set<string>();
  let forgetAt = clock.monotonic() + forgetContextsAfterMs;
  return {
    add(key) {
      if (clock.monotonic() >= forgetAt) {
        keys.clear();
        forgetAt = clock.monotonic() + forgetContextsAfterMs;
      }
      const isNew = !keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > rememberedContexts && oldest !== undefined) keys.delete(oldest);
      return isNew;
    },
  };
}

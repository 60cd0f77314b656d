import type { Clock } from "../clock.js";
import { type Fields, isFields } from "../fields.js";
import { type EventContext, readEventContext } from "./event-context.js";
import { eventFlag, type FlagText } from "./event-flag.js";
import { isTypedEvent } from "./is-typed-event.js";
import type { RecentKeys } from "./recent-keys.js";
import { createSummary, type SummaryMemory } from "./summary.js";

/** Turns the single evaluations of PHP and very old SDKs into what upstream expects of newer ones. */
export interface Summarizer {
  /** Takes an event, and its text as it came. Gives false when it has no known form. */
  add(event: unknown, text: string): boolean;
  /** Publishes what was counted since the last time. */
  flush(): void;
}

export interface SummarizerOptions {
  /** The schema of the incoming events. */
  readonly schema: number;
  readonly clock: Clock;
  /** The last known time of upstream: a flag is debugged until a time of upstream's clock, whatever is wrong with ours. */
  readonly serverTime: () => number;
  readonly findFlag: (key: string) => FlagText | undefined;
  /** The contexts that upstream has been told of. */
  readonly seen: RecentKeys;
  /** Takes one event as JSON. */
  readonly publish: (event: string) => void;
  /** Whether `publish` would drop what it is given. */
  readonly full: () => boolean;
  /** Counts events that are not kept for want of room. */
  readonly dropped: (count: number) => void;
  readonly memory: SummaryMemory;
}

/** Creates the summariser of the posts that have the same schema and tags. */
export function createSummarizer(options: SummarizerOptions): Summarizer {
  const { schema, clock, serverTime, findFlag, seen, publish, full, dropped, memory } = options;
  const summary = createSummary(memory);

  function send(event: object, context?: EventContext): void {
    // What would be dropped need not be written first.
    if (full()) dropped(1);
    else publish(context === undefined ? JSON.stringify(event) : withContext(event, context));
  }

  function index(context: EventContext, creationDate: unknown): void {
    if (!full() && seen.add(context.fullKey)) send({ kind: "index", creationDate }, context);
  }

  function feature(event: Fields, context: EventContext): void {
    const known = withFlag(event, schema, findFlag);
    index(context, event.creationDate);
    const output = {
      creationDate: event.creationDate,
      key: event.key,
      version: event.version ?? undefined,
      variation: known.variation,
      value: event.value ?? null,
      default: event.default ?? null,
      reason: event.reason,
      samplingRatio: event.samplingRatio === 1 ? undefined : event.samplingRatio,
    };
    if (known.trackEvents) send({ kind: "feature", ...output }, context);
    if (known.debugUntil > Math.max(clock.now(), serverTime())) send({ kind: "debug", ...output }, context);
    if (event.excludeFromSummaries === true) return;
    if (!summary.count({ ...event, variation: known.variation }, context.kinds)) dropped(1);
  }

  function add(event: unknown, text: string): boolean {
    if (!isFields(event) || typeof event.kind !== "string" || event.kind === "") return false;
    if (!["feature", "identify", "custom"].includes(event.kind)) {
      publish(text);
      return true;
    }
    const context = readEventContext(event.context ?? event.user);
    if (context === undefined || !isTypedEvent(event)) return false;
    const { creationDate } = event;
    if (event.kind === "identify") {
      seen.add(context.fullKey);
      send({ kind: "identify", creationDate }, context);
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
    add,
    flush() {
      const counted = summary.take();
      if (counted !== undefined) publish(counted);
    },
  };
}

/** An event, which has members, and its context as JSON. */
function withContext(event: object, context: EventContext): string {
  return `${JSON.stringify(event).slice(0, -1)},"context":${context.json()}}`;
}

/** What old SDKs left out because the relay can see the flag. */
function withFlag(
  event: Fields,
  schema: number,
  findFlag: (key: string) => FlagText | undefined,
): { trackEvents: boolean; debugUntil: number; variation: unknown } {
  const own = {
    trackEvents: event.trackEvents === true,
    debugUntil: typeof event.debugEventsUntilDate === "number" ? event.debugEventsUntilDate : 0,
    variation: event.variation ?? undefined,
  };
  const complete = (event.trackEvents ?? event.debugEventsUntilDate ?? undefined) !== undefined;
  const found =
    (event.version ?? undefined) === undefined || complete ? undefined : findFlag(String(event.key));
  if (found === undefined) return own;
  const { trackEvents, debugUntil, variationOf } = eventFlag(found);
  const variation = own.variation ?? (schema <= 1 ? variationOf(event.value ?? null) : undefined);
  return { trackEvents, debugUntil, variation };
}

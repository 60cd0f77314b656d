import type { Clock } from "../clock.js";
import { type Fields, isFields } from "../fields.js";
import { type EventContext, readEventContext } from "./event-context.js";
import { eventFlag, type FlagText } from "./event-flag.js";
import { isTypedEvent } from "./is-typed-event.js";
import { type MemberText, memberTexts } from "./member-texts.js";
import type { RecentKeys } from "./recent-keys.js";
import { createSummary, type SummaryMemory } from "./summary.js";

/** Turns the single evaluations of PHP and very old SDKs into what upstream expects of newer ones. */
export interface Summarizer {
  /** Takes an event, and its JSON as it came. Gives false when it has no known form. */
  add(event: unknown, json: string): boolean;
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

  /** Publishes members that have texts. What would be dropped is not written first. */
  function send(kind: string, members: Readonly<Record<string, string | undefined>>): void {
    if (full()) {
      dropped(1);
      return;
    }
    let text = `{"kind":"${kind}"`;
    for (const [name, value] of Object.entries(members))
      if (value !== undefined) text += `,"${name}":${value}`;
    publish(`${text}}`);
  }

  function index({ about, creationDate, context }: Told): void {
    if (!full() && seen.add(about.fullKey)) send("index", { creationDate, context });
  }

  function feature(event: Fields, told: Told, text: MemberText): void {
    const known = withFlag(event, schema, findFlag);
    index(told);
    const isDebugged = known.debugUntil > Math.max(clock.now(), serverTime());
    if (known.trackEvents || isDebugged) {
      const output = {
        creationDate: told.creationDate,
        key: text("key"),
        version: unlessNull(text("version")),
        variation: JSON.stringify(known.variation),
        value: text("value") ?? "null",
        default: text("default") ?? "null",
        reason: text("reason"),
        samplingRatio: event.samplingRatio === 1 ? undefined : text("samplingRatio"),
        context: told.context,
      };
      if (known.trackEvents) send("feature", output);
      if (isDebugged) send("debug", output);
    }
    if (event.excludeFromSummaries === true) return;
    if (!summary.count({ ...event, variation: known.variation }, told.about.kinds)) dropped(1);
  }

  function add(event: unknown, json: string): boolean {
    if (!isFields(event) || typeof event.kind !== "string" || event.kind === "") return false;
    if (!["feature", "identify", "custom"].includes(event.kind)) {
      publish(json);
      return true;
    }
    const hasContext = (event.context ?? null) !== null;
    const about = readEventContext(hasContext ? event.context : event.user);
    if (about === undefined || !isTypedEvent(event)) return false;
    const text = memberTexts(json);
    const told = {
      about,
      creationDate: text("creationDate"),
      context: text(hasContext ? "context" : "user"),
    };
    const { creationDate, context } = told;
    if (event.kind === "identify") {
      seen.add(about.fullKey);
      send("identify", { creationDate, context });
      return true;
    }
    if (typeof event.key !== "string") return false;
    if (event.kind === "feature") {
      feature(event, told, text);
    } else {
      const contextKeys = JSON.stringify(about.keys);
      index(told);
      const [key, data, metricValue] = [text("key"), text("data"), text("metricValue")];
      send("custom", { creationDate, key, data, contextKeys, metricValue });
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

/** What stands in all events that come of one. */
interface Told {
  readonly about: EventContext;
  /** As JSON: it is passed on as it is, as the SDK has already stripped it of private attributes. */
  readonly context: string | undefined;
  readonly creationDate: string | undefined;
}

function unlessNull(text: string | undefined): string | undefined {
  return text === "null" ? undefined : text;
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

import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { IsOwnKey } from "../credentials.js";
import { createLanes } from "../lanes.js";
import { messageOf } from "../message-of.js";
import type { ResolvedEvents } from "../options/resolved-sections.js";
import { seldom } from "../seldom.js";
import type { EventMetadata } from "./collected-events.js";
import { DiagnosticForwarder } from "./diagnostic-forwarder.js";
import type { EventArray } from "./event-array.js";
import { EventBudget, type EventRoom, entryBytes } from "./event-budget.js";
import type { FlagText } from "./event-flag.js";
import { EventPublisher } from "./event-publisher.js";
import type { EventDestination } from "./post-upstream.js";
import type { PublisherPort } from "./publisher-port.js";
import { createRecentKeys, type RecentKeys } from "./recent-keys.js";
import { createSummarizer, type Summarizer } from "./summarizer.js";
import { memoryWithin } from "./summary-memory.js";

/** What the forwarding of events needs of the environment whose events they are. */
export interface ForwarderPort extends PublisherPort {
  /** The keys that may be known to upstream now, the likeliest first. */
  sdkKeys(): readonly string[];
  mobileKeys(): readonly string[];
  readonly isOwnKey: IsOwnKey;
  /** The client-side ID as it is now. */
  envId(): string | undefined;
  /** A flag that exists. */
  findFlag(key: string): FlagText | undefined;
}

/** Where the events of one kind of SDK go. */
export interface FamilyDestination extends EventDestination {
  readonly diagnosticUrl: () => string;
}

/** What posts that are summarised together have in common. */
type Origin = Omit<EventMetadata, "origin">;

/** Tags come from clients: an unusual number of them must not be remembered for ever. */
const maxSummarizers = 100;

/** Passes the events of one kind of SDK on to upstream, within one budget for all that is kept of them. */
export class FamilyForwarder {
  readonly #port: ForwarderPort;
  readonly #publisher: EventPublisher;
  readonly #diagnostics: DiagnosticForwarder;
  readonly #summarizers = new Map<string, Summarizer>();
  readonly #seen: RecentKeys;
  readonly #keys: EventDestination["keys"];
  readonly #oneAtATime = createLanes(1);
  readonly #summarising = new Set<Promise<void>>();
  /** Says what is wrong with what clients send. */
  readonly #complain: (message: string) => void;
  /** Whether posts that are not summarised yet are given up, and how many events of them were. */
  #late = false;
  #givenUp = 0;

  constructor(port: ForwarderPort, settings: ResolvedEvents, destination: FamilyDestination) {
    this.#port = port;
    this.#complain = seldom(port.clock, (message) => port.logger.error(message));
    const all = new EventBudget({ count: settings.capacity, bytes: settings.capacityBytes }, (change) =>
      port.queuedEvents(change),
    );
    const strange = all.part();
    this.#publisher = new EventPublisher(port, settings, destination, { all, strange });
    this.#publisher.beforeFlush = () => {
      for (const summarizer of this.#summarizers.values()) summarizer.flush();
    };
    const { diagnosticUrl } = destination;
    this.#keys = destination.keys;
    this.#diagnostics = new DiagnosticForwarder(port, settings.retryDelayMs, diagnosticUrl, strange);
    this.#seen = createRecentKeys(port.clock);
  }

  /** Takes the body of an event post. What is not an array of events is dropped; what nests too deep is refused. */
  accept(body: Buffer, found: EventArray, headers: IncomingHttpHeaders): "taken" | "too-deep" {
    const schema = schemaFrom(headers["x-launchdarkly-event-schema"]);
    const tags = String(headers["x-launchdarkly-tags"] ?? "");
    const summarised = schema < 3 || headers["x-launchdarkly-unsummarized"] !== undefined;
    const origin = { schema, tags, key: this.#keys()[0] };
    const verbatim = { ...origin, origin: "verbatim" };
    if (found.kind === "too-deep") return found.kind;
    if (found.kind !== "events") {
      if (!isNull(body)) this.#complain(`events: ${whyNot(found)}`);
      return "taken";
    }
    const { start, count } = found;
    if (count === 0) return "taken";
    this.#port.countEvents("events_accepted", count);
    // Many evaluations become one counter, so it is not their size that has to fit.
    const ends = summarised ? found.ends : fitting(found, this.#publisher.roomFor(verbatim));
    if (ends.length > 0) {
      if (summarised) this.#summarise(origin, body, start, ends);
      else
        this.#publisher.add(verbatim, {
          bytes: ownBytes(body.subarray(start, ends.at(-1))),
          count: ends.length,
        });
    }
    if (ends.length < count) this.#publisher.dropped(count - ends.length);
    return "taken";
  }

  /** Takes the body of a diagnostic post and sends it on, with the headers that the SDK gave it. */
  forwardDiagnostic(body: Buffer, headers: IncomingHttpHeaders): void {
    this.#diagnostics.forward(body, headers);
  }

  /** Sends what is left and stops, at the latest when `deadline` resolves. Tells how many events there was no time for. */
  async close(deadline: Promise<void>): Promise<number> {
    await Promise.race([deadline, Promise.all(this.#summarising)]);
    this.#late = true;
    await Promise.all(this.#summarising);
    const [events, diagnostics] = await Promise.all([
      this.#publisher.close(deadline),
      this.#diagnostics.close(deadline),
    ]);
    return this.#givenUp + events + diagnostics;
  }

  /** Summarises a post, a few milliseconds at a time: what it takes depends on what is in it more than on its size. */
  #summarise(origin: Origin, body: Buffer, start: number, ends: readonly number[]): void {
    const budget = this.#publisher.budgetFor(summaryOf(origin));
    const cost = body.length + entryBytes;
    if (!budget.take(0, cost)) {
      this.#publisher.dropped(ends.length);
      return;
    }
    const done: Promise<void> = this.#oneAtATime(() =>
      // Looked up when it is its turn: one that is put away for another has nothing left to take.
      summarisePost(this.#summarizer(origin), body, start, ends, () => this.#late),
    )
      .then(({ unknown, late }) => {
        if (unknown > 0) {
          this.#port.countEvents("events_dropped", unknown);
          this.#complain(`events: ${unknown} are not events of a known form`);
        }
        if (late > 0) this.#port.countEvents("events_dropped", late);
        this.#givenUp += late;
      })
      .catch((error: unknown) => this.#port.logger.error(`events: summarising failed: ${messageOf(error)}`))
      .finally(() => {
        budget.giveBack(0, cost);
        this.#summarising.delete(done);
        this.#publisher.scheduleFlush();
      });
    this.#summarising.add(done);
    this.#publisher.scheduleFlush();
  }

  #summarizer(origin: Origin): Summarizer {
    const summaries = summaryOf(origin);
    const name = summaries.origin;
    const known = this.#summarizers.get(name);
    if (known !== undefined) return known;
    const publisher = this.#publisher;
    const created = createSummarizer({
      schema: origin.schema,
      clock: this.#port.clock,
      serverTime: () => publisher.serverTime,
      findFlag: (key) => this.#port.findFlag(key),
      seen: { add: (key) => this.#seen.add(name + key) },
      publish: (event) => publisher.add(summaries, { bytes: Buffer.from(event), count: 1 }),
      full: () => {
        const { count, bytes } = publisher.budgetFor(summaries).room;
        return count <= 0 || bytes <= entryBytes;
      },
      dropped: (count) => publisher.dropped(count),
      memory: memoryWithin(() => publisher.budgetFor(summaries)),
    });
    if (this.#summarizers.size >= maxSummarizers) {
      const [oldest] = this.#summarizers;
      oldest?.[1].flush();
      if (oldest !== undefined) this.#summarizers.delete(oldest[0]);
    }
    this.#summarizers.set(name, created);
    return created;
  }
}

/** What is made of posts that are summarised. */
function summaryOf({ schema, tags, key }: Origin): EventMetadata {
  return { schema: 4, tags, key, origin: JSON.stringify([schema, tags, key]) };
}

/** Where those events end that there is room for. */
function fitting(
  { start, ends }: { start: number; ends: readonly number[] },
  room: EventRoom,
): readonly number[] {
  const first = ends.findIndex((end, index) => index >= room.count || end - start > room.bytes);
  return first < 0 ? ends : ends.slice(0, first);
}

/** The schema of a post: 1 when the header is missing or no whole number above zero, as old SDKs had none. */
function schemaFrom(header: string | string[] | undefined): number {
  const schema = /^\+?\d+$/.test(String(header)) ? Number(header) : 0;
  return Number.isSafeInteger(schema) && schema > 0 ? schema : 1;
}

function whyNot(found: Exclude<EventArray, { kind: "events" | "too-deep" }>): string {
  return found.kind === "not-json" ? `the body is not JSON at byte ${found.at}` : "the body is not an array";
}

const sliceMs = 5;
/** An event beyond this size is read in a turn of its own, and passed on in another. */
const largeEventBytes = 64 * 1024;

/** Gives the events of a post to a summariser one after the other; tells how many it did not know, or did not get. */
async function summarisePost(
  summarizer: Summarizer,
  body: Buffer,
  start: number,
  ends: readonly number[],
  isLate: () => boolean,
): Promise<{ readonly unknown: number; readonly late: number }> {
  let unknown = 0;
  let from = start;
  let sliceEnds = performance.now() + sliceMs;
  for (const [index, end] of ends.entries()) {
    if (isLate()) return { unknown, late: ends.length - index };
    const isLarge = end - from > largeEventBytes;
    if (isLarge) await new Promise(setImmediate);
    const json = body.toString("utf8", from, end);
    const event: unknown = JSON.parse(json);
    if (isLarge) await new Promise(setImmediate);
    if (!isKnown(summarizer, event, json)) unknown++;
    from = end + 1;
    if (performance.now() < sliceEnds) continue;
    await new Promise(setImmediate);
    sliceEnds = performance.now() + sliceMs;
  }
  return { unknown, late: 0 };
}

/** Whether the summariser has taken an event. What goes wrong with one does not concern those behind it. */
function isKnown(summarizer: Summarizer, event: unknown, json: string): boolean {
  try {
    return summarizer.add(event, json);
  } catch {
    // What the flag that it is about says is nested deeper than can be compared.
    return false;
  }
}

function isNull(body: Buffer): boolean {
  return body.length < 100 && body.toString().trim() === "null";
}

/** Bytes that hold no more memory than they are long, and that upstream can read. */
function ownBytes(inside: Buffer): Buffer {
  if (!isUtf8(inside)) return Buffer.from(inside.toString());
  if (inside.buffer.byteLength <= 2 * inside.length) return inside;
  const own = Buffer.allocUnsafeSlow(inside.length);
  inside.copy(own);
  return own;
}

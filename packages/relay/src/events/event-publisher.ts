import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { messageOf } from "../message-of.js";
import type { ResolvedEvents } from "../options/resolved-sections.js";
import type { EventRoom } from "./event-array.js";
import { type EventBudget, entryBytes } from "./event-budget.js";
import { createLanes } from "./lanes.js";
import { pause } from "./pause.js";
import { type PostOutcome, postUpstream } from "./post-upstream.js";
import type { PublisherPort } from "./publisher-port.js";

const compress = promisify(gzip);

/** What distinguishes posts: events that differ in it are never sent together. */
export interface EventMetadata {
  readonly schema: number;
  readonly tags: string;
  /** Keeps the output of the summarising path apart from events that are passed on as they are. */
  readonly origin: string;
}

/** Events as the inside of a JSON array. */
export interface EventBatch {
  readonly bytes: Buffer;
  readonly count: number;
}

/** Tags come from clients: many of them must not mean as many connections. */
const maxConcurrentPosts = 8;

/** What is kept, and what it has taken from the budget. */
interface Kept {
  readonly count: number;
  readonly cost: number;
}

interface Collected {
  readonly metadata: EventMetadata;
  readonly batches: Buffer[];
  count: number;
  cost: number;
}

interface Payload extends Kept {
  readonly id: string;
  readonly metadata: EventMetadata;
  /** As it is posted. */
  readonly body: Buffer;
}

/** Where a publisher sends, and as whom, as it is now: keys may be replaced. */
export interface EventDestination {
  readonly url: () => string;
  /** The keys that may be known to upstream, the likeliest first; `undefined` for no key. */
  readonly authorizations: () => readonly (string | undefined)[];
}

/**
 * Collects events for one address and posts them from time to time. What upstream does not take now is kept within the
 * budget and tried again with the next flush; what it refuses is dropped and counted.
 */
export class EventPublisher {
  readonly #port: PublisherPort;
  readonly #settings: ResolvedEvents;
  readonly #destination: EventDestination;
  readonly #budget: EventBudget;
  readonly #collected = new Map<string, Collected>();
  #undelivered: Payload[] = [];
  #full = false;
  #flushing: Promise<void> | undefined;
  #flushScheduled = false;
  #closing = false;
  #serverTime = 0;
  readonly #abort = new AbortController();
  /** Ends pauses: there is no later any more. */
  readonly #hurry = new AbortController();
  /** Adds what is only known when a flush begins, such as summaries. */
  beforeFlush: () => void = () => {};

  constructor(
    port: PublisherPort,
    settings: ResolvedEvents,
    destination: EventDestination,
    budget: EventBudget,
  ) {
    this.#port = port;
    this.#settings = settings;
    this.#destination = destination;
    this.#budget = budget;
    setMaxListeners(0, this.#abort.signal, this.#hurry.signal);
  }

  /** What upstream's clock showed when it last took events, in Unix milliseconds. */
  get serverTime(): number {
    return this.#serverTime;
  }

  /** What can be added now: events, and bytes of one batch of them. */
  roomFor(metadata: EventMetadata): EventRoom {
    const { count, bytes } = this.#budget.room;
    return { count, bytes: bytes - this.#overhead(nameOf(metadata)) };
  }

  /** What a batch costs beside its bytes: itself, and its queue when it is the first there. */
  #overhead(name: string): number {
    return entryBytes + (this.#collected.has(name) ? 0 : entryBytes + 2 * name.length);
  }

  /** Collects events. Those that do not fit are dropped and counted. */
  add(metadata: EventMetadata, { bytes, count }: EventBatch): void {
    if (count === 0) return;
    this.scheduleFlush();
    const name = nameOf(metadata);
    const cost = bytes.length + this.#overhead(name);
    if (!this.#budget.take(count, cost)) {
      this.dropped(count);
      return;
    }
    let queue = this.#collected.get(name);
    if (queue === undefined) {
      queue = { metadata, batches: [], count: 0, cost: 0 };
      this.#collected.set(name, queue);
    }
    queue.batches.push(bytes);
    queue.count += count;
    queue.cost += cost;
  }

  /** Counts events for which there is no room. */
  dropped(count: number): void {
    this.#port.countEvents("events_dropped", count);
    if (!this.#full) this.#port.logger.warn("the event buffer is full; raise capacity to keep more events");
    this.#full = true;
  }

  /** Counts events for which there was no time before the end. */
  lost(count: number): void {
    this.#port.countEvents("events_dropped", count);
    this.#port.logger.error(`events: ${count} could not be delivered before the relay was closed`);
  }

  /** Makes sure that there will be a flush. */
  scheduleFlush(): void {
    if (this.#flushScheduled || this.#closing) return;
    this.#flushScheduled = true;
    this.#port.later(this.#settings.flushIntervalMs, () => {
      this.#flushScheduled = false;
      void this.flush();
    });
  }

  /** Sends what there is. While one flush is under way another only waits for it. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#sendAll()
      .catch((error: unknown) => this.#port.logger.error(`events: sending failed: ${messageOf(error)}`))
      .finally(() => {
        this.#flushing = undefined;
        if (this.#undelivered.length > 0 || this.#collected.size > 0) this.scheduleFlush();
      });
    return this.#flushing;
  }

  async #sendAll(): Promise<void> {
    this.beforeFlush();
    const late = this.#undelivered;
    const collected = [...this.#collected.values()];
    this.#undelivered = [];
    this.#collected.clear();
    const lanes = createLanes(maxConcurrentPosts);
    await Promise.all([
      ...late.map((payload) => lanes(() => this.#send(payload))),
      ...collected.map((queue) => lanes(async () => this.#send(await payloadFrom(queue)))),
    ]);
  }

  async #send(payload: Payload): Promise<void> {
    const { count, cost } = payload;
    let outcome = await this.#postAsKnown(payload);
    if (outcome.kind === "retryable" && !this.#abort.signal.aborted) {
      this.#port.logger.warn(`events: ${outcome.reason}; trying once more`);
      await pause(this.#port.clock, this.#settings.retryDelayMs, this.#hurry.signal);
      outcome = await this.#postAsKnown(payload);
    }
    if (outcome.kind === "retryable") {
      this.#port.countEvents("event_posts_failed", 1);
      this.#port.logger.warn(`events: ${outcome.reason}; keeping ${count} for the next flush`);
      this.#undelivered.push(payload);
      return;
    }
    this.#budget.giveBack(count, cost);
    this.#full = false;
    if (outcome.kind === "accepted") {
      this.#serverTime = outcome.serverTime ?? this.#serverTime;
      this.#port.countEvents("events_delivered", count);
      return;
    }
    this.#port.countEvents("event_posts_failed", 1);
    this.#port.countEvents("events_dropped", count);
    this.#port.logger.error(`events: ${outcome.reason}; dropping ${count}`);
  }

  /** Posts as whom upstream knows: while keys are replaced that may be one or the other. */
  async #postAsKnown(payload: Payload): Promise<PostOutcome> {
    let outcome: PostOutcome = { kind: "unauthorized", reason: "there is no key to send with" };
    for (const authorization of this.#destination.authorizations()) {
      outcome = await this.#post(payload, authorization);
      if (outcome.kind !== "unauthorized") break;
    }
    return outcome;
  }

  #post({ id, metadata, body }: Payload, authorization: string | undefined): Promise<PostOutcome> {
    const { dispatcher, requestTimeoutMs } = this.#port.upstream;
    return postUpstream(
      this.#destination.url(),
      body,
      {
        "content-type": "application/json",
        "content-encoding": "gzip",
        "user-agent": "wye-relay",
        "x-launchdarkly-event-schema": String(metadata.schema),
        "x-launchdarkly-payload-id": id,
        ...(metadata.tags === "" ? {} : { "x-launchdarkly-tags": metadata.tags }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      { dispatcher, timeoutMs: requestTimeoutMs, signal: this.#abort.signal },
    );
  }

  /** Sends what is left and stops, at the latest when `deadline` resolves. */
  async close(deadline: Promise<void>): Promise<void> {
    this.#closing = true;
    this.#hurry.abort();
    void deadline.then(() => this.#abort.abort());
    await this.#flushing;
    await this.flush();
    const undelivered = this.#undelivered.reduce((sum, { count }) => sum + count, 0);
    if (undelivered > 0) this.lost(undelivered);
    for (const { count, cost } of this.#undelivered) this.#budget.giveBack(count, cost);
    this.#undelivered = [];
  }
}

function nameOf({ schema, tags, origin }: EventMetadata): string {
  return JSON.stringify([schema, tags, origin]);
}

const openBracket = Buffer.from("[");
const separator = Buffer.from(",");
const closeBracket = Buffer.from("]");

/** Joins what was collected; only the compressed form is kept until upstream has it. */
async function payloadFrom({ metadata, batches, count, cost }: Collected): Promise<Payload> {
  const pieces = batches.flatMap((batch, index) => [index === 0 ? openBracket : separator, batch]);
  const body = await compress(Buffer.concat([...pieces, closeBracket]));
  return { id: randomUUID(), metadata, body, count, cost };
}

import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import type { CounterName } from "../metrics.js";
import type { ResolvedEvents, ResolvedUpstream } from "../options/resolve-options.js";
import { pause } from "./pause.js";
import { postUpstream } from "./post-upstream.js";

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
  readonly text: string;
  readonly count: number;
}

const maxConcurrentPosts = 8;

interface Payload extends EventBatch {
  readonly id: string;
  readonly metadata: EventMetadata;
}

/** What the sending of events needs of the environment whose events they are. */
export interface PublisherPort {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly upstream: Pick<ResolvedUpstream, "events" | "dispatcher" | "requestTimeoutMs">;
  /** Calls `run` after a time unless the environment is closed before. */
  later(ms: number, run: () => void): () => void;
  countEvents(name: CounterName & `event${string}`, count: number): void;
  /** Notes how many events more, or fewer, are waiting. */
  queuedEvents(change: number): void;
}

/** Where a publisher sends, and as whom. */
export interface EventDestination {
  readonly url: string;
  readonly authorization: () => string | undefined;
}

/**
 * Collects events for one address and posts them from time to time. What upstream does not take now is kept within the
 * bounds and tried again with the next flush; what it refuses is dropped and counted.
 */
export class EventPublisher {
  readonly #port: PublisherPort;
  readonly #settings: ResolvedEvents;
  readonly #destination: EventDestination;
  readonly #collected = new Map<
    string,
    { readonly metadata: EventMetadata; readonly batches: EventBatch[] }
  >();
  #undelivered: Payload[] = [];
  #count = 0;
  #bytes = 0;
  #full = false;
  #flushing: Promise<void> | undefined;
  #flushScheduled = false;
  #closing = false;
  #serverTime = 0;
  readonly #abort = new AbortController();
  /** Adds what is only known when a flush begins, such as summaries. */
  beforeFlush: () => void = () => {};

  constructor(port: PublisherPort, settings: ResolvedEvents, destination: EventDestination) {
    this.#port = port;
    this.#settings = settings;
    this.#destination = destination;
    setMaxListeners(0, this.#abort.signal);
  }

  /** What upstream's clock showed when it last took events, in Unix milliseconds. */
  get serverTime(): number {
    return this.#serverTime;
  }

  /** Whether another event would be dropped. */
  get full(): boolean {
    return this.#count >= this.#settings.capacity || this.#bytes >= this.#settings.capacityBytes;
  }

  /** Collects events. Those beyond the bounds are dropped and counted. */
  add(metadata: EventMetadata, batch: EventBatch): void {
    if (batch.count === 0) return;
    const fits =
      this.#count + batch.count <= this.#settings.capacity &&
      this.#bytes + batch.text.length <= this.#settings.capacityBytes;
    const kept = fits ? batch : this.#firstOf(batch);
    this.#noteFull(batch.count - kept.count);
    this.scheduleFlush();
    if (kept.count === 0) return;
    const name = JSON.stringify([metadata.schema, metadata.tags, metadata.origin]);
    const queue = this.#collected.get(name);
    if (queue === undefined) this.#collected.set(name, { metadata, batches: [kept] });
    else queue.batches.push(kept);
    this.#grow(kept, 1);
  }

  /** As many of the first events as there is room for. */
  #firstOf({ text, count }: EventBatch): EventBatch {
    let room = Math.min(count, this.#settings.capacity - this.#count);
    if (room <= 0) return { text: "", count: 0 };
    const events: unknown[] = JSON.parse(`[${text}]`);
    const texts: string[] = [];
    let bytes = this.#bytes;
    for (const event of events) {
      const one = JSON.stringify(event);
      bytes += one.length + 1;
      if (room-- <= 0 || bytes > this.#settings.capacityBytes) break;
      texts.push(one);
    }
    return { text: texts.join(","), count: texts.length };
  }

  #noteFull(dropped: number): void {
    const { logger } = this.#port;
    if (dropped > 0) {
      this.#port.countEvents("events_dropped", dropped);
      if (!this.#full) logger.warn("the event buffer is full; raise capacity to keep more events");
    }
    this.#full = dropped > 0;
  }

  #grow({ count, text }: EventBatch, sign: 1 | -1): void {
    this.#count += sign * count;
    this.#bytes += sign * text.length;
    this.#port.queuedEvents(sign * count);
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

  /** Sends what there is. While one flush is under way another only waits for it. */
  flush(): Promise<void> {
    this.#flushing ??= this.#sendAll().finally(() => {
      this.#flushing = undefined;
      if (this.#count > 0) this.scheduleFlush();
    });
    return this.#flushing;
  }

  async #sendAll(): Promise<void> {
    this.beforeFlush();
    const payloads = this.#undelivered;
    this.#undelivered = [];
    for (const { metadata, batches } of this.#collected.values()) {
      const text = batches.map((batch) => batch.text).join(",");
      const count = batches.reduce((sum, batch) => sum + batch.count, 0);
      // The commas between batches are not counted when they arrive.
      this.#bytes += text.length - batches.reduce((sum, batch) => sum + batch.text.length, 0);
      payloads.push({ id: randomUUID(), metadata, text, count });
    }
    this.#collected.clear();
    // Tags come from clients: many of them must not mean as many connections.
    const waiting = payloads[Symbol.iterator]();
    const sender = async () => {
      for (const payload of waiting) await this.#send(payload);
    };
    await Promise.all(Array.from({ length: maxConcurrentPosts }, sender));
  }

  async #send(payload: Payload): Promise<void> {
    const body = await compress(`[${payload.text}]`);
    let outcome = await this.#post(payload, body);
    if (outcome.kind === "retryable" && !this.#abort.signal.aborted) {
      this.#port.logger.warn(`events: ${outcome.reason}; trying once more`);
      if (!this.#closing) {
        await pause(this.#port.clock, this.#settings.retryDelayMs, this.#abort.signal);
      }
      outcome = await this.#post(payload, body);
    }
    if (outcome.kind === "retryable" && !this.#abort.signal.aborted) {
      this.#port.countEvents("event_posts_failed", 1);
      this.#port.logger.warn(`events: ${outcome.reason}; keeping ${payload.count} for the next flush`);
      this.#undelivered.push(payload);
      return;
    }
    this.#grow(payload, -1);
    if (outcome.kind === "accepted") {
      this.#serverTime = outcome.serverTime ?? this.#serverTime;
      this.#port.countEvents("events_delivered", payload.count);
      return;
    }
    this.#port.countEvents("event_posts_failed", 1);
    this.#port.countEvents("events_dropped", payload.count);
    this.#port.logger.error(`events: ${outcome.reason}; dropping ${payload.count}`);
  }

  #post({ id, metadata }: Payload, body: Buffer) {
    const { dispatcher, requestTimeoutMs } = this.#port.upstream;
    const authorization = this.#destination.authorization();
    return postUpstream(
      this.#destination.url,
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
    void deadline.then(() => this.#abort.abort());
    await this.#flushing;
    await this.flush();
    const lost = this.#undelivered.reduce((sum, { count }) => sum + count, 0);
    if (lost > 0) {
      this.#port.countEvents("events_dropped", lost);
      this.#port.logger.error(`events: ${lost} could not be delivered before the relay was closed`);
    }
    this.#undelivered = [];
  }
}

import { setMaxListeners } from "node:events";
import { createLanes, type Lanes } from "../lanes.js";
import { messageOf } from "../message-of.js";
import type { ResolvedEvents } from "../options/resolved-sections.js";
import { type Collected, CollectedEvents, type EventBatch, type EventMetadata } from "./collected-events.js";
import { doubtsAbout, doubtsOf, enoughDoubts } from "./doubts.js";
import type { EventBudget, EventBudgets, EventRoom } from "./event-budget.js";
import { pause } from "./pause.js";
import { halvesOf, type Payload, payloadFrom } from "./payload.js";
import {
  type EventDestination,
  type PostFailure,
  type PostOutcome,
  postAsKnown,
  postInLane,
} from "./post-upstream.js";
import { createPrecedence, type Precedence } from "./precedence.js";
import { createPublisherLog, type PublisherLog } from "./publisher-log.js";
import type { PublisherPort } from "./publisher-port.js";

/** Tags come from clients: many of them must not mean as many connections. */
const maxConcurrentPosts = 8;

/** So many posts a flush begins in any case, others only until the next one is due: what has come meanwhile does not wait for all of them. */
const postsInAnyCase = 100;

/** So many posts of one flush are made of others that upstream did not take; what is left waits for the next flush. */
const mostPieces = 64;

/** At the end there is no later flush: upstream is asked again as long as there is time. */
const longestLastPauseMs = 1000;

/** A flush whose posts have begun. */
interface Begun {
  readonly sent: Promise<void>;
}

/**
 * Collects events for one address and posts them from time to time. What upstream does not take now is kept within the
 * budget and tried again with the next flush; what it refuses is dropped and counted. What it takes in parts only is sent in parts.
 */
export class EventPublisher {
  readonly #port: PublisherPort;
  readonly #settings: ResolvedEvents;
  readonly #destination: EventDestination;
  readonly #collected: CollectedEvents;
  #undelivered: Payload[] = [];
  /** Made of what upstream did not take, to be sent in the same flush. */
  #pieces: Payload[] = [];
  /** How many posts upstream has taken. */
  #taken = 0;
  #full = false;
  /** The flush that is beginning its posts: those of others may be under way. */
  #beginning: Promise<Begun> | undefined;
  /** Posts and flushes that are not over. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #lanes: Lanes = createLanes(maxConcurrentPosts);
  /** How many posts the flush that is beginning may begin. */
  #mostPosts = Number.POSITIVE_INFINITY;
  #flushScheduled = false;
  #closing = false;
  #serverTime = 0;
  readonly #precedence: Precedence;
  readonly #log: PublisherLog;
  readonly #abort = new AbortController();
  /** Ends pauses that began when there was time. */
  readonly #hurry = new AbortController();
  /** Adds what is only known when a flush begins, such as summaries. */
  beforeFlush: () => void = () => {};

  constructor(
    port: PublisherPort,
    settings: ResolvedEvents,
    destination: EventDestination,
    budgets: EventBudgets,
  ) {
    this.#port = port;
    this.#settings = settings;
    this.#destination = destination;
    this.#precedence = createPrecedence(port.clock);
    this.#collected = new CollectedEvents(budgets, this.#precedence.isKnown);
    this.#log = createPublisherLog(port.clock, port.logger);
    setMaxListeners(0, this.#abort.signal, this.#hurry.signal);
  }

  /** What upstream's clock showed when it last took events, in Unix milliseconds. */
  get serverTime(): number {
    return this.#serverTime;
  }

  /** What events are kept within, until upstream has taken them. */
  budgetFor(metadata: EventMetadata): EventBudget {
    return this.#collected.budgetFor(metadata);
  }

  /** What can be added now: events, and bytes of one batch of them. */
  roomFor(metadata: EventMetadata): EventRoom {
    return this.#collected.roomFor(metadata);
  }

  /** Collects events. Those that do not fit are dropped and counted. */
  add(metadata: EventMetadata, batch: EventBatch): void {
    if (batch.count === 0) return;
    this.scheduleFlush();
    if (!this.#collected.add(metadata, batch)) this.dropped(batch.count);
  }

  /** Counts events for which there is no room. */
  dropped(count: number): void {
    this.#port.countEvents("events_dropped", count);
    if (!this.#full) this.#log.full("the event buffer is full; raise capacity to keep more events");
    this.#full = true;
  }

  /** Makes sure that there will be a flush. */
  scheduleFlush(): void {
    if (this.#flushScheduled || this.#closing) return;
    this.#flushScheduled = true;
    this.#port.later(this.#settings.flushIntervalMs, () => {
      this.#flushScheduled = false;
      this.#mostPosts = Math.min(this.#mostPosts, postsInAnyCase);
      void this.flush();
    });
  }

  /** Sends what there is, and waits for it. While a flush begins its posts another one only waits for these. Never rejects. */
  async flush(): Promise<void> {
    await (await this.#beginFlush()).sent;
  }

  #beginFlush(): Promise<Begun> {
    this.#beginning ??= this.#beginAll()
      .catch(this.#noneBegun)
      .finally(() => {
        this.#beginning = undefined;
        // The next one was due meanwhile: it adds what this one did not know.
        if (this.#mostPosts === postsInAnyCase) void this.#beginFlush();
        else if (this.#hasMore) this.scheduleFlush();
      });
    return this.#beginning;
  }

  get #hasMore(): boolean {
    return this.#undelivered.length > 0 || !this.#collected.isEmpty;
  }

  readonly #failed = (error: unknown): void =>
    this.#port.logger.error(`events: sending failed: ${messageOf(error)}`);

  readonly #noneBegun = (error: unknown): Begun => {
    this.#failed(error);
    return { sent: Promise.resolve() };
  };

  async #beginAll(): Promise<Begun> {
    this.#mostPosts = this.#abort.signal.aborted ? 0 : Number.POSITIVE_INFINITY;
    this.beforeFlush();
    const late = this.#undelivered;
    this.#undelivered = [];
    const posts: Promise<void>[] = [];
    const left = await this.#beginInOrder(
      this.#precedence.inOrder([...late, ...this.#collected.idle]),
      posts,
    );
    // What was collected still is, and may grow.
    this.#undelivered = this.#undelivered.concat(left.filter((waiting) => "body" in waiting));
    return { sent: this.#watched(this.#sendWithPieces(posts)) };
  }

  async #sendWithPieces(posts: readonly Promise<void>[]): Promise<void> {
    await Promise.all(posts);
    for (let most = mostPieces; most > 0 && this.#pieces.length > 0; ) {
      const pieces = this.#pieces.splice(0, most);
      most -= pieces.length;
      const begun: Promise<void>[] = [];
      const left = await this.#beginInOrder(pieces, begun);
      this.#undelivered = this.#undelivered.concat(left);
      await Promise.all(begun);
    }
    this.#undelivered = this.#undelivered.concat(this.#pieces.splice(0));
    if (this.#hasMore) this.scheduleFlush();
  }

  /** Begins as many as the flush may, each when there is a lane for it. Gives those that were not begun. */
  async #beginInOrder<Waiting extends Payload | Collected>(
    waiting: readonly Waiting[],
    posts: Promise<void>[],
  ): Promise<readonly Waiting[]> {
    for (const [index, one] of waiting.entries()) {
      const mayBegin = await new Promise<boolean>((resolve) => {
        const begin = async () => {
          const isTimely = index < this.#mostPosts;
          resolve(isTimely);
          if (isTimely) await this.#begin(one);
        };
        posts.push(this.#watched(this.#lanes(begin)));
      });
      if (!mayBegin) return waiting.slice(index);
    }
    return [];
  }

  #watched(work: Promise<void>): Promise<void> {
    const watched = work.catch(this.#failed).finally(() => this.#underWay.delete(watched));
    this.#underWay.add(watched);
    return watched;
  }

  async #begin(waiting: Payload | Collected): Promise<void> {
    if ("body" in waiting) return this.#settle(waiting, await this.#post(waiting));
    this.#collected.lineUp(waiting);
    let payload: Payload | undefined;
    // Of all that waits only what has a lane is compressed: that takes more memory than what comes of it.
    const outcome = await this.#inLane(async () => {
      this.#precedence.sent(waiting.name);
      this.#collected.take(waiting);
      payload = await this.#packed(waiting);
      return this.#postNow(payload);
    });
    if (payload === undefined) this.#collected.fallOut(waiting);
    else await this.#settle(payload, outcome);
  }

  async #packed(taken: Collected): Promise<Payload> {
    try {
      return await payloadFrom(taken, this.#abort.signal);
    } catch (error) {
      this.#leave({ ...taken, id: "", body: Buffer.alloc(0), doubts: 0 }, error);
      throw error;
    }
  }

  /** Sees to what could not be made a post: when there is no time for it, it is counted as what is left. */
  #leave(payload: Payload, error: unknown): void {
    if (this.#abort.signal.aborted) this.#undelivered.push(payload);
    else this.#drop(payload, { reason: messageOf(error) });
  }

  /** Sees to what has become of a post. */
  async #settle(payload: Payload, first: PostOutcome): Promise<void> {
    const { budget, count, cost } = payload;
    let outcome = first;
    if (outcome.kind === "retryable" && this.#mayPass(payload, outcome)) {
      this.#log.again(`events: ${outcome.reason}; trying once more`);
      await this.#pause();
      outcome = await this.#post(payload);
    }
    if (outcome.kind === "accepted") {
      this.#taken++;
      this.#full = false;
      budget.giveBack(count, cost);
      this.#serverTime = outcome.serverTime ?? this.#serverTime;
      this.#port.countEvents("events_delivered", count);
      return;
    }
    this.#port.countEvents("event_posts_failed", 1);
    const doubts = doubtsAbout(payload, outcome, this.#taken);
    const isFinal = outcome.kind === "refused" || outcome.kind === "unauthorized";
    // It was cut off, or there is no time for what would follow.
    if (this.#abort.signal.aborted && !isFinal) this.#undelivered.push(payload);
    else if (doubts < enoughDoubts && outcome.kind === "retryable")
      this.#keep({ ...payload, doubts }, outcome);
    else if (count > 1 && !isFinal) await this.#split(payload, outcome);
    else this.#drop(payload, outcome);
  }

  /** Whether it is worth another attempt now. */
  #mayPass(payload: Payload, outcome: PostFailure): boolean {
    return doubtsAbout(payload, outcome, this.#taken) < enoughDoubts && !this.#abort.signal.aborted;
  }

  #keep(payload: Payload, { reason }: PostFailure): void {
    this.#log.kept(`events: ${reason}; keeping ${payload.count} for the next flush`);
    this.#undelivered.push({ ...payload, takenBefore: this.#taken });
  }

  /** One event that upstream does not take spoils no others: they are sent apart from it. */
  async #split(payload: Payload, outcome: PostFailure): Promise<void> {
    this.#log.split(`events: ${outcome.reason}; sending ${payload.count} in two posts`);
    const isContent = outcome.kind === "retryable" && outcome.fault === "content";
    // The same answer once more is enough for a part.
    const doubts = isContent ? enoughDoubts - doubtsOf.content : 0;
    try {
      this.#pieces.push(...(await halvesOf(payload, doubts, this.#abort.signal)));
    } catch (error) {
      this.#leave(payload, error);
    }
  }

  #drop({ budget, count, cost }: Payload, { reason }: Pick<PostFailure, "reason">): void {
    budget.giveBack(count, cost);
    this.#full = false;
    this.#port.countEvents("events_dropped", count);
    this.#log.dropped(`events: ${reason}; dropping ${count}`);
  }

  #post(payload: Payload): Promise<PostOutcome> {
    return this.#inLane(() => this.#postNow(payload));
  }

  #postNow(payload: Payload): Promise<PostOutcome> {
    return postAsKnown(payload, this.#destination, this.#port.upstream, this.#abort.signal);
  }

  #inLane(post: () => Promise<PostOutcome>): Promise<PostOutcome> {
    return postInLane(this.#port.upstream.eventLanes, post, this.#abort.signal);
  }

  /** Waits for what may pass by itself. */
  #pause(): Promise<void> {
    const { retryDelayMs } = this.#settings;
    return this.#closing
      ? pause(this.#port.clock, Math.min(retryDelayMs, longestLastPauseMs), this.#abort.signal)
      : pause(this.#port.clock, retryDelayMs, this.#hurry.signal);
  }

  /** Sends what is left and stops when that is done, at the latest when `deadline` resolves. Tells how many there was no time for. */
  async close(deadline: Promise<void>): Promise<number> {
    this.#closing = true;
    this.#hurry.abort();
    // What is left of the flush that is beginning takes its place anew.
    this.#mostPosts = 0;
    void deadline.then(() => {
      this.#abort.abort();
      this.#mostPosts = 0;
    });
    await this.#beginning;
    await this.#beginFlush();
    while ((this.#hasMore || this.#underWay.size > 0) && !this.#abort.signal.aborted) {
      if (!this.#hasMore) {
        await Promise.race(this.#underWay);
        continue;
      }
      await this.#pause();
      await this.#beginFlush();
    }
    await Promise.all(this.#underWay);
    return this.#giveUp();
  }

  #giveUp(): number {
    const collected = this.#collected.idle;
    for (const one of collected) this.#collected.take(one);
    let given = 0;
    for (const { budget, count, cost } of [...this.#undelivered, ...collected]) {
      budget.giveBack(count, cost);
      given += count;
    }
    this.#undelivered = [];
    if (given > 0) this.#port.countEvents("events_dropped", given);
    return given;
  }
}

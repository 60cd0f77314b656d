import type { Clock } from "../clock.js";
import type { Frame } from "./frame.js";
import type { Subscriber } from "./subscriber.js";

/** Chooses what a subscriber is sent, if anything. */
export type Render = (subscriber: Subscriber) => Frame | undefined;

interface Broadcast {
  readonly sequence: number;
  readonly render: Render;
  readonly subscribers: Iterator<Subscriber>;
}

/** What a broadcaster needs of its environment. */
export interface BroadcasterPort {
  /** How long one turn of sending may take. */
  readonly sliceMs: number;
  /** Counts a reader that was too slow. */
  dropped(): void;
  /** Calls `run` after a time unless the environment is closed before. */
  later(ms: number, run: () => void): () => void;
}

/** How all streams are ended. */
export interface EndOfStreams {
  /** The time over which the ends are spread, so that SDKs do not all connect again at once. */
  readonly spreadMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Resolves when readers have had time enough. */
  readonly deadline: Promise<void>;
}

const checkTimeEvery = 8;
/** How long a reader may take to notice that its stream has ended. */
const endGraceMs = 5000;

/**
 * Sends to the streams of an environment, in the same order to each. A broadcast to many streams is cut into turns of a
 * few milliseconds, so that other requests do not wait for it.
 */
export class Broadcaster {
  readonly #subscribers = new Set<Subscriber>();
  /** Streams that have ended, and whose readers have not gone yet. */
  readonly #ending = new Map<Subscriber, () => void>();
  readonly #queue: Broadcast[] = [];
  readonly #port: BroadcasterPort;
  #emptied: () => void = () => {};
  #sequence = 0;
  #turnScheduled = false;

  constructor(port: BroadcasterPort) {
    this.#port = port;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** Adds a stream that has just been sent everything up to now, or will be before anything else. */
  join(subscriber: Subscriber): void {
    subscriber.joinedAt = this.#sequence;
    this.#subscribers.add(subscriber);
  }

  /** Forgets a stream whose reader has gone. */
  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    this.#ending.get(subscriber)?.();
    this.#ending.delete(subscriber);
    if (this.#subscribers.size === 0 && this.#ending.size === 0) this.#emptied();
  }

  /** Ends a stream in an orderly way. A reader that does not take notice is cut off after a while. */
  end(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    this.#ending.set(
      subscriber,
      this.#port.later(endGraceMs, () => subscriber.destroy()),
    );
    subscriber.end();
  }

  /** Ends all streams, spread at random over a time; readers that are there when `deadline` resolves are cut off. */
  async endAll({ spreadMs, clock, random, deadline }: EndOfStreams): Promise<void> {
    const present = this.subscribers();
    if (present.length === 0 && this.#ending.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    const cancels: (() => void)[] = [];
    for (const subscriber of present) {
      if (spreadMs === 0) this.end(subscriber);
      else cancels.push(clock.schedule(spreadMs * random(), () => this.end(subscriber)));
    }
    await Promise.race([emptied, deadline]);
    for (const cancel of cancels) cancel();
    for (const subscriber of [...this.#subscribers, ...this.#ending.keys()]) subscriber.destroy();
  }

  send(render: Render): void {
    this.#sequence++;
    if (this.#subscribers.size === 0) return;
    this.#queue.push({
      sequence: this.#sequence,
      render,
      subscribers: this.#subscribers.values(),
    });
    if (!this.#turnScheduled) this.#turn();
  }

  #turn(): void {
    this.#turnScheduled = false;
    const end = performance.now() + this.#port.sliceMs;
    let count = 0;
    for (let broadcast = this.#queue[0]; broadcast !== undefined; broadcast = this.#queue[0]) {
      for (let next = broadcast.subscribers.next(); !next.done; next = broadcast.subscribers.next()) {
        this.#deliver(broadcast, next.value);
        if (++count % checkTimeEvery === 0 && performance.now() >= end) {
          this.#turnScheduled = true;
          setImmediate(() => this.#turn());
          return;
        }
      }
      this.#queue.shift();
    }
  }

  #deliver({ sequence, render }: Broadcast, subscriber: Subscriber): void {
    if (subscriber.joinedAt >= sequence) return;
    const frame = render(subscriber);
    if (frame !== undefined && !subscriber.write(frame)) {
      this.leave(subscriber);
      this.#port.dropped();
    }
  }

  /** The streams that were opened with a credential, or all of them. */
  subscribers(credential?: string): Subscriber[] {
    const all = [...this.#subscribers];
    return credential === undefined ? all : all.filter((one) => one.credential === credential);
  }
}

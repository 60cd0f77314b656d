import type { Frame } from "./frame.js";
import type { Subscriber } from "./subscriber.js";

/** Chooses what a subscriber is sent, if anything. */
export type Render = (subscriber: Subscriber) => Frame | undefined;

interface Broadcast {
  readonly sequence: number;
  readonly render: Render;
  readonly subscribers: Iterator<Subscriber>;
}

const checkTimeEvery = 8;

/**
 * Sends to the streams of an environment, in the same order to each. A broadcast to many streams is cut into turns of a
 * few milliseconds, so that other requests do not wait for it.
 */
export class Broadcaster {
  readonly #subscribers = new Set<Subscriber>();
  readonly #queue: Broadcast[] = [];
  readonly #sliceMs: number;
  readonly #dropped: () => void;
  #sequence = 0;
  #turnScheduled = false;

  constructor(sliceMs: number, dropped: () => void) {
    this.#sliceMs = sliceMs;
    this.#dropped = dropped;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** Adds a stream that has just been sent everything up to now, or will be before anything else. */
  join(subscriber: Subscriber): void {
    subscriber.joinedAt = this.#sequence;
    this.#subscribers.add(subscriber);
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
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
    const end = performance.now() + this.#sliceMs;
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
      this.#dropped();
    }
  }

  /** The streams that were opened with a credential, or all of them. */
  subscribers(credential?: string): Subscriber[] {
    const all = [...this.#subscribers];
    return credential === undefined ? all : all.filter((one) => one.credential === credential);
  }
}

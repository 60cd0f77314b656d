import type { Clock } from "../clock.js";
import type { Timers } from "../timers.js";
import type { Subscriber } from "./subscriber.js";

/** Watches the readers that have not taken yet what they were sent, and finds those that take nothing at all. */
export class SlowReaders {
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #later: Timers["later"];
  readonly #stalled: (subscriber: Subscriber) => void;
  /** Since when each has taken nothing, the longest first. */
  readonly #since = new Map<Subscriber, number>();
  #watching = false;

  constructor(
    timeoutMs: number,
    clock: Clock,
    later: Timers["later"],
    stalled: (subscriber: Subscriber) => void,
  ) {
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#later = later;
    this.#stalled = stalled;
  }

  has(subscriber: Subscriber): boolean {
    return this.#since.has(subscriber);
  }

  /** The reader has something to take, and has just taken something or been given it. */
  watch(subscriber: Subscriber): void {
    this.#since.delete(subscriber);
    this.#since.set(subscriber, this.#clock.monotonic());
    if (!this.#watching && this.#timeoutMs > 0) this.#watch(this.#timeoutMs);
  }

  /** The reader has taken everything, or has gone. */
  release(subscriber: Subscriber): void {
    this.#since.delete(subscriber);
  }

  #watch(ms: number): void {
    this.#watching = true;
    this.#later(ms, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.monotonic();
    for (const [subscriber, since] of this.#since) {
      const left = since + this.#timeoutMs - now;
      if (left > 0) {
        this.#watch(left);
        return;
      }
      this.#since.delete(subscriber);
      this.#stalled(subscriber);
    }
    this.#watching = false;
  }
}

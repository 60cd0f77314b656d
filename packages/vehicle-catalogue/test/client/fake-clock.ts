import type { VehicleClientClock } from "../../src/client/index.js";

/** A clock that stands still until it is told to go on. */
export class FakeClock implements VehicleClientClock {
  time: number = Date.UTC(2026, 10, 21, 9, 0, 0);
  /** What `random()` answers. */
  chance = 0.5;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  random(): number {
    return this.chance;
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Lets time pass, and all that falls due in it happen. */
  advance(ms: number): void {
    this.time += ms;
    const due = this.#timers.filter(({ at }) => at <= this.time);
    this.#timers = this.#timers.filter(({ at }) => at > this.time);
    for (const { run } of due) run();
  }
}

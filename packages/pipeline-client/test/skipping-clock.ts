import type { PipelineClientClock } from "../src/index.js";

/** Waits pass at once, and limits of time never come: no test has to wait, and none can be too slow. */
export class SkippingClock implements PipelineClientClock {
  time: number = Date.UTC(2026, 10, 21, 9, 0, 0);
  /** What has been waited for, in order. */
  readonly waits: number[] = [];

  /** Whatever is as long as this is a limit. */
  readonly #limitMs: number;

  constructor(limitMs: number = 25_000) {
    this.#limitMs = limitMs;
  }

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): () => void {
    if (ms >= this.#limitMs) return () => {};
    this.waits.push(ms);
    const timer = setImmediate(() => {
      this.time += ms;
      run();
    });
    return () => clearImmediate(timer);
  }

  random(): number {
    return 0.5;
  }
}

/** Notes every limit of time, none of which comes. */
export class NotingClock extends SkippingClock {
  readonly limits: number[] = [];

  override after(ms: number): () => void {
    this.limits.push(ms);
    return () => {};
  }
}

import type { Clock } from "../clock.js";
import { type TimedCall, timedCall } from "../timed-call.js";
import type { FlagStore } from "./flag-store.js";

const defaultTimeoutMs = 10_000;

/** A call that was given up because its answer is not wanted any more. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

/** The calls of a store, one at a time, each for as long as the store may take. */
export class StoreCalls {
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  #running: { readonly writes: boolean; readonly call: TimedCall<unknown> } | undefined;

  constructor({ timeoutMs = defaultTimeoutMs }: Pick<FlagStore, "timeoutMs">, clock: Clock) {
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
  }

  /** Asks the store something. */
  ask<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#call(run, false);
  }

  /** Has the store write something. */
  write<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#call(run, true);
  }

  /** Gives up what is asked, so that it rejects as superseded. */
  stopAsking(): void {
    if (this.#running?.writes === false) this.stop();
  }

  /** Gives up whatever is under way. */
  stop(): void {
    this.#running?.call.cancel(new Superseded());
  }

  async #call<Result>(run: (signal: AbortSignal) => Promise<Result>, writes: boolean): Promise<Result> {
    const call = timedCall(this.#clock, this.#timeoutMs, run);
    this.#running = { writes, call };
    try {
      return await call.result;
    } finally {
      this.#running = undefined;
    }
  }
}

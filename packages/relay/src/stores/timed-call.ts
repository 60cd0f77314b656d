import type { Clock } from "../clock.js";

/** A call that may never be answered, and is given up. */
export interface TimedCall<Result> {
  /** Rejects when the call does, when its time is over, or when it is cancelled, whatever the callee makes of its signal. */
  readonly result: Promise<Result>;
  /** Stops waiting. */
  cancel(reason: Error): void;
}

/** Calls something that is not to be trusted to answer. */
export function timedCall<Result>(
  clock: Clock,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
): TimedCall<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const cancelLimit = clock.schedule(limitMs, () =>
    controller.abort(new Error(`no answer within ${limitMs} ms`)),
  );
  const givenUp = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // What throws at once counts as rejected.
  const answer = (async () => call(signal))();
  return {
    result: Promise.race([answer, givenUp]).finally(cancelLimit),
    cancel: (reason) => controller.abort(reason),
  };
}

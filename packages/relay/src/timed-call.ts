import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.js";
import { orAborted } from "./or-aborted.js";

/** A call that may never be answered, and is given up. */
export interface TimedCall<Result> {
  /** Rejects when the call does, when its time is over, or when it is cancelled, whatever the callee makes of its signal. */
  readonly result: Promise<Result>;
  /** Stops waiting. */
  cancel(reason: Error): void;
}

/**
 * Calls something that is not to be trusted to answer. When `until` is aborted it is given up early, or not called at
 * all.
 */
export function timedCall<Result>(
  clock: Clock,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
  until?: AbortSignal,
): TimedCall<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  // What is called may do many things side by side until then.
  setMaxListeners(0, signal);
  const cancelLimit = clock.schedule(limitMs, () =>
    controller.abort(new Error(`no answer within ${limitMs} ms`)),
  );
  const stop = () => controller.abort(until?.reason);
  if (until?.aborted) stop();
  else until?.addEventListener("abort", stop);
  // What throws at once counts as rejected.
  const answer = (async () => {
    signal.throwIfAborted();
    return call(signal);
  })();
  return {
    result: orAborted(answer, signal).finally(() => {
      cancelLimit();
      until?.removeEventListener("abort", stop);
    }),
    cancel: (reason) => controller.abort(reason),
  };
}

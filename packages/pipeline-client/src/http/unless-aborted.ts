import type { PipelineClientClock } from "../clock.js";
import { onAbort } from "./on-abort.js";

/** Settles as `promise` does, or rejects with the signal's reason, whichever is first, also where `promise` heeds no signal. */
export function unlessAborted<T>(signal: AbortSignal, promise: PromiseLike<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const leave = signal.aborted ? () => {} : onAbort(signal, () => reject(signal.reason));
    Promise.resolve(promise).then(resolve, reject).finally(leave);
  });
}

/** Waits `ms`, or less when aborted: then it rejects with the signal's reason. */
export function pause(ms: number, clock: PipelineClientClock, signal: AbortSignal): Promise<void> {
  let cancel: () => void = () => {};
  const elapsed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  return unlessAborted(signal, elapsed).finally(cancel);
}

import type { VehicleClientClock } from "./clock.js";
import { onAbort } from "./on-abort.js";

/** Settles as `promise` does, or rejects with the signal's reason, whichever is first, also where `promise` heeds no signal. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    promise.then(resolve, reject).finally(onAbort(signal, stop));
  });
}

/** Waits for a hook that gives a promise, which may reject. */
export const hookOver = (given: unknown, signal: AbortSignal): unknown =>
  given instanceof Promise ? unlessAborted(signal, given) : given;

/** Waits `ms`, or less when aborted: then it rejects with the signal's reason. */
export function pause(ms: number, clock: VehicleClientClock, signal: AbortSignal): Promise<void> {
  let cancel: () => void = () => {};
  const elapsed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  return unlessAborted(signal, elapsed).finally(cancel);
}

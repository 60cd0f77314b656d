import type { PipelineClientClock } from "../clock.js";

/** Settles as `promise` does, or rejects with the signal's reason, whichever is first, also where `promise` heeds no signal. */
export function unlessAborted<T>(signal: AbortSignal, promise: PromiseLike<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
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

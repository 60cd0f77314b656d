interface Listening {
  readonly calls: Set<() => void>;
  readonly stop: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `call` when the signal is aborted, unless the returned function has been called before. However much waits for a signal, it has one
 * listener: platforms take more than ten for a leak, and say so.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const { calls, stop } = listening.get(signal) ?? listen(signal);
  const own = (): void => call();
  calls.add(own);
  return () => {
    calls.delete(own);
    if (calls.size === 0) stop();
  };
}

function listen(signal: AbortSignal): Listening {
  const calls = new Set<() => void>();
  const stop = (): void => {
    signal.removeEventListener("abort", aborted);
    if (listening.get(signal) === found) listening.delete(signal);
  };
  const aborted = (): void => {
    stop();
    for (const call of calls) call();
  };
  const found: Listening = { calls, stop };
  listening.set(signal, found);
  signal.addEventListener("abort", aborted);
  return found;
}

const listenersOf = new WeakMap<EventTarget, Set<() => void>>();

/** One and the same for all signals, so that a signal has it once. */
function tell(this: EventTarget): void {
  for (const listener of listenersOf.get(this) ?? []) listener();
}

/**
 * Calls a listener when a signal aborts; what it returns ends that. However many wait for one signal, it has one listener of ours: of more
 * than ten a platform says that they are a leak.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? new Set();
  listenersOf.set(signal, listeners.add(listener));
  signal.addEventListener("abort", tell);
  return () => {
    listeners.delete(listener);
    if (!listeners.size) signal.removeEventListener("abort", tell);
  };
}

import type { Clock } from "./clock.js";

/** What something with a life has scheduled, to be let go of together. */
export interface Timers {
  /** Calls `run` after a time unless it is cancelled, by the result or with all others, before. */
  later(ms: number, run: () => void): () => void;
  /** Cancels everything; afterwards nothing is scheduled any more. */
  close(): void;
}

/** Creates the timers of one life. */
export function createTimers(clock: Clock): Timers {
  const cancels = new Set<() => void>();
  let closed = false;
  return {
    later(ms, run) {
      if (closed) return () => {};
      const cancel = clock.schedule(ms, () => {
        cancels.delete(cancel);
        run();
      });
      cancels.add(cancel);
      return () => {
        cancels.delete(cancel);
        cancel();
      };
    },
    close() {
      closed = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}

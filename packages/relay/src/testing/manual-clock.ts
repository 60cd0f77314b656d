import type { Clock } from "../clock.js";

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Lets time pass and runs, in order, everything that falls due. */
  advance(ms: number): void;
  /** Sets the wall clock as an administrator would: `monotonic` does not notice. */
  jump(ms: number): void;
  /** How many scheduled calls are waiting. */
  readonly pending: number;
}

/** Creates a clock that starts at `start`, in Unix milliseconds. */
export function createManualClock(start = 1_700_000_000_000): ManualClock {
  let elapsed = 0;
  let offset = start;
  const scheduled = new Set<{ at: number; run: () => void }>();
  return {
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    schedule(ms, run) {
      const entry = { at: elapsed + ms, run };
      scheduled.add(entry);
      return () => void scheduled.delete(entry);
    },
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        const due = [...scheduled].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        scheduled.delete(due);
        elapsed = Math.max(elapsed, due.at);
        due.run();
      }
      elapsed = end;
    },
    jump(ms) {
      offset += ms;
    },
    get pending() {
      return scheduled.size;
    },
  };
}

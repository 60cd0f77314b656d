import type { Clock } from "./clock.js";

/** A moment after which nobody waits any more. */
export interface Deadline {
  readonly reached: Promise<void>;
  /** Lets go of the timer; `reached` resolves now. */
  cancel(): void;
}

/** Creates a deadline; without any time left it is reached at once. */
export function createDeadline(clock: Clock, ms: number): Deadline {
  if (ms <= 0) return { reached: Promise.resolve(), cancel: () => {} };
  let cancel = () => {};
  const reached = new Promise<void>((resolve) => {
    const unschedule = clock.schedule(ms, () => resolve());
    cancel = () => {
      unschedule();
      resolve();
    };
  });
  return { reached, cancel: () => cancel() };
}

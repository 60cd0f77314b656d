/** Where the client gets time and chance from. Replace it in tests, so that they need not wait. */
export interface PipelineClientClock {
  /** Milliseconds since 1970. Only differences count: a clock that is wrong does no harm. */
  now(): number;
  /** Calls `run` once, `ms` milliseconds from now; what it returns takes that back. */
  after(ms: number, run: () => void): () => void;
  /** A number from 0, included, to 1, excluded. */
  random(): number;
}

/** Timers take a signed 32-bit number and fire at once on a larger one. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: PipelineClientClock = {
  // Goes on evenly when somebody sets the clock of the machine.
  now: () => performance.timeOrigin + performance.now(),
  after(ms, run) {
    if (ms === Number.POSITIVE_INFINITY) return () => {};
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number): void => {
      const step = Math.min(left, longestTimerMs);
      timer = setTimeout(() => (left > step ? wait(left - step) : run()), step);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

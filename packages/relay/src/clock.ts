/** Time as a relay sees it. Tests pass their own and never sleep. */
export interface Clock {
  /** Unix time in milliseconds: what is shown to people and sent to SDKs. It may jump. */
  now(): number;
  /** Milliseconds since any fixed moment: what time spans are measured with. It never goes back. */
  monotonic(): number;
  /** Calls `run` once, not before `ms` milliseconds have passed; the result cancels it. */
  schedule(ms: number, run: () => void): () => void;
}

/** Node's timers fire at once beyond this. */
const longestTimerMs = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(ms, run) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      const stepMs = Math.min(leftMs, longestTimerMs);
      timer = setTimeout(leftMs > stepMs ? () => wait(leftMs - stepMs) : run, stepMs);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Where the client gets time and chance from. Replace it in tests, so that they need not wait. */
export interface VehicleClientClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once, `ms` milliseconds from now; what it returns takes that back. */
  after(ms: number, run: () => void): () => void;
  /** A number from 0, included, to 1, excluded. */
  random(): number;
}

/** Timers take a signed 32-bit number and fire at once on a larger one. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: VehicleClientClock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, longestTimerMs));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

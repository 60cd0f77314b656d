/** Settings of the pauses between attempts. */
export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
  /** A connection that was good for this long starts a new sequence. */
  readonly resetAfterMs: number;
  readonly random: () => number;
  readonly monotonic: () => number;
}

/** Pauses that double with each failure in a row, less up to a half at random. */
export interface Backoff {
  /** Data arrived: the connection is good from now on, if it was not before. */
  good(): void;
  /** The connection failed: how long to wait before the next attempt. */
  nextMs(): number;
  /** Upstream asked for another first pause. */
  setBase(ms: number): void;
}

/** For what is likely to fail again: a key that was refused, a store that cannot be made. */
export const slowPauses = { baseMs: 10_000, maxMs: 600_000, resetAfterMs: 60_000 };

const shortestBaseMs = 100;

/** Creates the pauses of one connection. */
export function createBackoff({ baseMs, maxMs, resetAfterMs, random, monotonic }: BackoffOptions): Backoff {
  let base = baseMs;
  let failures = 0;
  let goodSince: number | undefined;
  return {
    good() {
      goodSince ??= monotonic();
    },
    nextMs() {
      if (goodSince !== undefined && monotonic() - goodSince >= resetAfterMs) failures = 0;
      goodSince = undefined;
      // 2 ** 30 is beyond every maximum; without the bound the power would become infinite after a long outage.
      const full = Math.min(maxMs, base * 2 ** Math.min(failures, 30));
      failures++;
      return full - (full / 2) * random();
    },
    setBase(ms) {
      base = Math.min(Math.max(ms, shortestBaseMs), maxMs);
    },
  };
}

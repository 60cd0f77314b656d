/** Timers of Node that are longer fire at once. */
const longestMs = 2 ** 31 - 1;

/**
 * Refuses times that would be over at once.
 *
 * @throws TypeError that names the function and the option
 */
export function checkTimes(
  caller: string,
  {
    timeoutMs,
    ...graces
  }: {
    readonly timeoutMs?: number | undefined;
    readonly graceMs?: number | undefined;
    readonly endsWithinMs?: number | undefined;
  },
): void {
  if (timeoutMs !== undefined && !(isTime(timeoutMs) && timeoutMs > 0)) {
    throw new TypeError(`the option "timeoutMs" of ${caller} is between 0 and 2^31 ms, not ${timeoutMs}`);
  }
  for (const name of ["graceMs", "endsWithinMs"] as const) {
    const ms = graces[name];
    if (ms !== undefined && !isTime(ms))
      throw new TypeError(
        `the option "${name}" of ${caller} is a number of milliseconds from 0, less than 2^31, not ${ms}`,
      );
  }
}

const isTime = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= longestMs;

/** A time with something added to it, as far as timers go. */
export function longer(ms: number, byMs: number): number {
  return Math.min(ms + byMs, longestMs);
}

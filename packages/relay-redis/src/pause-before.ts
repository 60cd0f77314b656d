const shortestMs = 50;
const longestMs = 5000;

/**
 * How long is waited before connecting once more: ever longer, up to five seconds, and by a chance from 0 to 1 up to half of it less,
 * because the relays of a fleet had better not all come at once.
 */
export function pauseBefore(attempt: number, chance: number): number {
  return Math.min(longestMs, shortestMs * 2 ** Math.min(attempt, 10)) * (0.5 + chance / 2);
}

import { shown } from "./check-members.js";

/** Timers take a signed 32-bit number and fire at once on a larger one. */
const longestTimerMs = 2 ** 31 - 1;

/** A duration that can be meant, as timers take it: without end is as long as there is. */
export function checkMs(name: string, ms: number): number {
  if (typeof ms === "number" && ms >= 1) return Math.min(ms, longestTimerMs);
  throw new TypeError(`${name} must be a number of milliseconds from 1; got ${shown(ms)}`);
}

/** A share of what is there. */
export function checkShare(leastShare: number): number {
  if (typeof leastShare === "number" && leastShare >= 0 && leastShare <= 1) return leastShare;
  throw new TypeError(`leastShare must be a number from 0 to 1; got ${shown(leastShare)}`);
}

/** A time as the server takes it: in whole milliseconds, and so many at most. */
export function serverTimeout(ms: number): number {
  return Math.min(Math.ceil(ms), longestTimerMs);
}

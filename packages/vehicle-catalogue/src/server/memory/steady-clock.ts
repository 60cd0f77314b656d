import { show } from "../../records/check-value.js";

/** The latest time that a date can have. */
const latestTime = 8.64e15;

/** A clock that stands still while it tells no time. One that has never told any is refused. */
export function steadyClock(now: () => number = Date.now): () => number {
  let last: number | undefined;
  return () => {
    const told: unknown = now();
    if (typeof told === "number" && told >= 0 && told <= latestTime) last = told;
    if (last !== undefined) return last;
    throw new TypeError(`now must give milliseconds since 1970; got ${show(told)}.`);
  };
}

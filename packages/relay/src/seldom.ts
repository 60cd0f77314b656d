import type { Clock } from "./clock.js";

const quietMs = 60_000;

/** Logs what anybody can cause as often as he likes: at once, then at most once a minute, with how many were not told. */
export function seldom(clock: Pick<Clock, "monotonic">, log: (message: string) => void) {
  let quietUntil = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return (message: string): void => {
    const now = clock.monotonic();
    if (now < quietUntil) {
      untold++;
      return;
    }
    log(untold === 0 ? message : `${message} (${untold} more before)`);
    quietUntil = now + quietMs;
    untold = 0;
  };
}

import { steadyClock } from "./steady-clock.js";

/** A clock that is held while data are read: what they lack comes later than the moment at which reading began. */
export interface HeldClock {
  readonly now: () => number;
  /** Stops it at this moment. */
  hold(): void;
  release(): void;
}

/** Makes a clock that goes on until it is held. */
export function heldClock(now: (() => number) | undefined): HeldClock {
  const clock = steadyClock(now);
  let held: number | undefined;
  return {
    now: () => held ?? clock(),
    hold() {
      held = clock();
    },
    release() {
      held = undefined;
    },
  };
}

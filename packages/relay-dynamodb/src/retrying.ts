import { setTimeout } from "node:timers/promises";

/** How what was refused for now is tried again. Tests that count attempts put another pause in its place. */
export const retrying = {
  /** Waits; rejects when `signal` is aborted. Does not keep the process alive. */
  pause: (ms: number, signal: AbortSignal): Promise<void> =>
    setTimeout(ms, undefined, { signal, ref: false }),
};

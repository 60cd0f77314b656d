import type { RuntimeState } from "../wire/run.js";

const ends: ReadonlySet<string> = new Set(["SUCCEEDED", "FAILED", "SKIPPED", "CANCELED"]);

/** Whether nothing follows. A state that nobody knows has not ended, and after a retry a run leaves its end. */
export function isFinalState(state: RuntimeState | undefined): boolean {
  return state !== undefined && ends.has(state.toUpperCase());
}

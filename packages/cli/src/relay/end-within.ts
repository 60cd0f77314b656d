import type { Relay } from "@wye/relay";

/** Who asks without end is not waited for. */
const longestStopMs = 2000;

/** Ends what serves: first whoever asks, which may take half of the time, and then the relay, in what is left of it. */
export async function endWithin(
  withinMs: number,
  listeners: { stop(withinMs: number): Promise<void> },
  relay: Pick<Relay, "close">,
): Promise<void> {
  const begun = performance.now();
  await listeners.stop(Math.min(longestStopMs, withinMs / 2));
  await relay.close({ within: Math.max(withinMs - (performance.now() - begun), 0) });
}

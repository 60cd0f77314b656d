import type { Leg } from "./leg.js";
import { pipelinesLeg } from "./pipelines-leg.js";
import { relayLeg } from "./relay-leg.js";
import { vehiclesLeg } from "./vehicles-leg.js";

/** The legs that exist, in the order in which they are shown. */
export async function createLegs(): Promise<readonly Leg[]> {
  return [pipelinesLeg(), await vehiclesLeg(), relayLeg()];
}

import type { Leg } from "./leg.js";
import { vehiclesLeg } from "./vehicles-leg.js";

/** The legs that exist, in the order in which they are shown. */
export async function createLegs(): Promise<readonly Leg[]> {
  return [await vehiclesLeg()];
}

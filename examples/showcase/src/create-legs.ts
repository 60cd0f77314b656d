import { readPages, withVersions } from "@wye-examples/page-parts/files";
import { banner } from "./banner.js";
import type { Leg } from "./leg.js";
import { pipelinesLeg } from "./pipelines-leg.js";
import { relayLeg } from "./relay-leg.js";
import { vehiclesLeg } from "./vehicles-leg.js";

/** The legs that exist, in the order in which they are shown. `publicFolder` has the built page of the showcase. */
export async function createLegs(publicFolder: string): Promise<readonly Leg[]> {
  const shown = withVersions(banner, readPages(publicFolder));
  return [pipelinesLeg(shown), await vehiclesLeg(shown), relayLeg(shown)];
}

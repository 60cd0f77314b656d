import type { EventsOut } from "../environment.js";
import { defaultMaxBodyBytes } from "../options/resolved-sections.js";

/** Takes events and sends them nowhere: there is no upstream, or the host does not want any to go there. */
export const eventDiscard: EventsOut = {
  maxBodyBytes: defaultMaxBodyBytes,
  look: () => ({ kind: "not-an-array" }),
  accept: () => "taken",
  forwardDiagnostic() {},
  async close() {},
};

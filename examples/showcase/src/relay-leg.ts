import type { Leg } from "./leg.js";

/** What there is for feature flags. */
export const relayLeg: Leg = {
  id: "relay",
  title: "Relay",
  summary:
    "Feature flags for the official SDKs, from inside the Node server that you already run: streams, polling, evaluation, events.",
  packages: ["@wye/flag-evaluator", "@wye/relay"],
  links: [],
};

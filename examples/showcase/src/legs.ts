import type { Leg } from "./leg.js";

/** The legs that exist, in the order in which they are shown. */
export const legs: readonly Leg[] = [];

import { readFileSync } from "node:fs";
import type { Vehicle } from "../../src/index.js";

interface Accepted {
  readonly brand: string;
  readonly model?: string;
  readonly variant?: string;
  readonly variantStarts?: string;
  readonly variantEnds?: string;
}

/** A query, and which vehicles of the open data may stand first. */
export interface SearchCase {
  readonly q: string;
  readonly kind: string;
  /** Any of these may stand first; none: the search must find nothing. */
  readonly accept: readonly Accepted[];
  /** How many vehicles are accepted. */
  readonly count: number;
}

/** Reads the cases; both the tests and the benchmarks run in the folder of the package. */
export function searchCases(): readonly SearchCase[] {
  return JSON.parse(readFileSync("testdata/search-cases.json", "utf8"));
}

/** Whether a vehicle is one of those that are accepted. */
export function isAccepted({ manufacturer, model, variant }: Vehicle, { accept }: SearchCase): boolean {
  return accept.some(
    (one) =>
      one.brand === manufacturer.name &&
      (one.model ?? model) === model &&
      (one.variant ?? variant) === variant &&
      variant.startsWith(one.variantStarts ?? "") &&
      variant.endsWith(one.variantEnds ?? ""),
  );
}

import type { Catalogue } from "../server/catalogue.js";
import { compareVehicles } from "../server/vehicle-order.js";
import type { Vehicle } from "../vehicle.js";
import { additionalChecks } from "./additional-checks.js";
import type { CatalogueCheck } from "./catalogue-check.js";
import { catalogueTestVehicles } from "./catalogue-test-vehicles.js";
import { changeChecks } from "./change-checks.js";
import { orderChecks } from "./order-checks.js";
import { orderingTestVehicles } from "./ordering-test-vehicles.js";
import { selectionChecks } from "./selection-checks.js";

/** What the suite needs of a test runner; vitest, jest, mocha and `node:test` have these two. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  test(name: string, body: () => Promise<void>): unknown;
}

/** A catalogue under test that holds exactly the vehicles it was made with. */
export interface CatalogueUnderTest {
  readonly catalogue: Catalogue;
  /**
   * Puts other vehicles in place of all present ones, and resolves when the catalogue answers them. Left out for catalogues
   * that cannot be written.
   */
  readonly replace?: (vehicles: readonly Vehicle[]) => Promise<void> | void;
  /**
   * Takes away what the catalogue reads from, and returns what brings it back. Left out where there is no such thing.
   */
  readonly interrupt?: () => Promise<Restore> | Restore;
  readonly close?: () => Promise<void> | void;
}

/** Brings back what a catalogue reads from. */
export type Restore = () => Promise<void> | void;

/**
 * The contract of `Catalogue` as a suite. `make` is called for every test with the vehicles that the catalogue is to
 * hold. Uses no assertion library: a test fails by throwing.
 */
export function describeCatalogue(
  name: string,
  make: (vehicles: readonly Vehicle[]) => Promise<CatalogueUnderTest> | CatalogueUnderTest,
  runner: TestRunner,
): void {
  if (typeof name !== "string") throw new TypeError("describeCatalogue needs a name, which is a text.");
  if (typeof make !== "function") {
    throw new TypeError("describeCatalogue needs a function make that gives a catalogue, { catalogue }.");
  }
  if (typeof runner?.describe !== "function" || typeof runner.test !== "function") {
    throw new TypeError("describeCatalogue needs a test runner, { describe, test }.");
  }
  const { describe, test } = runner;
  describe(name, () => {
    for (const { vehicles, checks } of parts) {
      const ordered = [...vehicles()].sort(compareVehicles);
      for (const { title, check } of checks) {
        test(title, async () => {
          const made = await make(vehicles());
          try {
            await check({ ...made, ordered });
          } finally {
            await made.close?.();
          }
        });
      }
    }
  });
}

/** What the checks are done with: some want few vehicles that are easily told apart, some as many ties as there can be. */
const parts: readonly { vehicles(): readonly Vehicle[]; readonly checks: readonly CatalogueCheck[] }[] = [
  { vehicles: catalogueTestVehicles, checks: [...selectionChecks, ...changeChecks] },
  { vehicles: orderingTestVehicles, checks: [...orderChecks, ...additionalChecks] },
];

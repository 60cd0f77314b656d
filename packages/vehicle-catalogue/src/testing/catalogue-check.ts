import type { VehicleSelection } from "../server/catalogue.js";
import type { Vehicle } from "../vehicle.js";
import type { CatalogueUnderTest } from "./describe-catalogue.js";

/** One sentence of the contract, and what finds out whether a catalogue keeps it. */
export interface CatalogueCheck {
  readonly title: string;
  readonly check: (checked: CheckedCatalogue) => Promise<void>;
}

/** What a check is given. */
export interface CheckedCatalogue extends CatalogueUnderTest {
  /** All vehicles in the order that the catalogue must answer. */
  readonly ordered: readonly Vehicle[];
}

/** The first hundred. */
export const firstPage = { offset: 0, limit: 100 };

export function idOf(vehicle: Vehicle): string {
  return vehicle.id;
}

export function idsOf(selection: VehicleSelection): readonly string[] {
  return selection.vehicles.map(idOf);
}

/** Compares two JSON values; the order of members does not matter. */
export function same(actual: unknown, expected: unknown): void {
  const [got, wanted] = [canonical(actual), canonical(expected)];
  if (got !== wanted) throw new Error(`expected ${wanted}, got ${got}`);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

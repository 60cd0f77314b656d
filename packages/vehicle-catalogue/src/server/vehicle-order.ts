import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { foldText } from "./search/fold-text.js";

/** What a vehicle is ordered by, in the order in which it counts: texts are folded. */
export interface OrderKey {
  readonly brand: string;
  readonly model: string;
  /** Unknown years come after all others. */
  readonly year: number;
  readonly variant: string;
  readonly vehicle: Vehicle;
}

/** Folds a text for the order. */
export type Fold = (text: string) => string;

/** Works out what a vehicle is ordered by. For many vehicles, `fold` may remember what recurs. */
export function orderKey(vehicle: Vehicle, fold: Fold = foldText): OrderKey {
  const { manufacturer, model, release_year, variant } = vehicle;
  return {
    brand: fold(manufacturer.name),
    model: fold(model),
    year: release_year ?? Number.MAX_SAFE_INTEGER,
    variant: foldText(variant),
    vehicle,
  };
}

/** Remembers what became of texts: equal ones are one text then, which is quick to see. */
export function rememberedFold(): Fold {
  const folded = new Map<string, string>();
  return (text) => {
    const known = folded.get(text) ?? foldText(text);
    folded.set(text, known);
    return known;
  };
}

/** The id makes the order total, so pages neither overlap nor leave a vehicle out. */
export function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  return (
    compareTexts(a.brand, b.brand) ||
    compareTexts(a.model, b.model) ||
    a.year - b.year ||
    compareTexts(a.variant, b.variant) ||
    compareTexts(a.vehicle.id, b.vehicle.id)
  );
}

/** The order of vehicles in every document: brand, model, release year (unknown last), variant, id. */
export function compareVehicles(a: Vehicle, b: Vehicle): number {
  return compareOrderKeys(orderKey(a), orderKey(b));
}

/** The order of brands in every document. */
export function compareBrands(a: Brand, b: Brand): number {
  return compareTexts(foldText(a.name), foldText(b.name)) || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

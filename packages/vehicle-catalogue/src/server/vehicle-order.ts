import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { foldText } from "./search/fold-text.js";

/** What vehicles are ordered by, worked out once per vehicle. */
export interface OrderKey {
  readonly texts: readonly [brand: string, model: string, variant: string];
  readonly vehicle: Vehicle;
}

/** Folds a text for the order. */
export type Fold = (text: string) => string;

/** Works out what a vehicle is ordered by. For many vehicles, `fold` may remember what recurs. */
export function orderKey(vehicle: Vehicle, fold: Fold = foldText): OrderKey {
  const { manufacturer, model, variant } = vehicle;
  return { texts: [fold(manufacturer.name), fold(model), foldText(variant)], vehicle };
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

/**
 * Brand, model, release year (unknown last), variant, id. The id makes the order total, so pages neither overlap nor
 * leave a vehicle out.
 */
export function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  return (
    compareTexts(a.texts[0], b.texts[0]) ||
    compareTexts(a.texts[1], b.texts[1]) ||
    (a.vehicle.release_year ?? Number.MAX_SAFE_INTEGER) -
      (b.vehicle.release_year ?? Number.MAX_SAFE_INTEGER) ||
    compareTexts(a.texts[2], b.texts[2]) ||
    compareTexts(a.vehicle.id, b.vehicle.id)
  );
}

/** The order of vehicles in every document. */
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

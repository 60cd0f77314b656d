import type { Brand } from "../brand.js";
import { show } from "../records/check-value.js";
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

/** Works out what a vehicle is ordered by. */
export function orderKey(vehicle: Vehicle): OrderKey {
  checkVehicle("orderKey", vehicle);
  return keyOf(vehicle);
}

function checkVehicle(name: string, vehicle: Vehicle): void {
  const { id, model, variant, release_year: year, manufacturer } = vehicle ?? {};
  const texts = [id, model, variant, manufacturer?.name];
  if (texts.every((text) => typeof text === "string") && (year === null || typeof year === "number")) return;
  throw new TypeError(
    `${name} needs a vehicle, with id, model, variant, release_year and the name of its manufacturer; got ${show(vehicle)}.`,
  );
}

/** What a vehicle is ordered by, if it is one. `names`, when at hand, are its brand and model as they count. */
export function keyOf(vehicle: Vehicle, names?: Pick<OrderKey, "brand" | "model">): OrderKey {
  const { manufacturer, model, release_year, variant } = vehicle;
  return {
    brand: names?.brand ?? foldText(manufacturer.name),
    model: names?.model ?? foldText(model),
    year: release_year ?? Number.MAX_SAFE_INTEGER,
    variant: foldText(variant),
    vehicle,
  };
}

/** The id makes the order total, so pages neither overlap nor leave a vehicle out. */
export function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  return compareNames(a, b) || compareWithinModel(a, b);
}

/** The order of the vehicles of one brand and model. */
export function compareWithinModel(a: OrderKey, b: OrderKey): number {
  return a.year - b.year || compareTexts(a.variant, b.variant) || compareTexts(a.vehicle.id, b.vehicle.id);
}

/** The first two parts of the order. */
export function compareNames(
  a: Pick<OrderKey, "brand" | "model">,
  b: Pick<OrderKey, "brand" | "model">,
): number {
  return compareTexts(a.brand, b.brand) || compareTexts(a.model, b.model);
}

/** The order of vehicles in every document: brand, model, release year (unknown last), variant, id. */
export function compareVehicles(a: Vehicle, b: Vehicle): number {
  checkVehicle("compareVehicles", a);
  checkVehicle("compareVehicles", b);
  return compareOrderKeys(keyOf(a), keyOf(b));
}

/** The order of brands in every document. */
export function compareBrands(a: Brand, b: Brand): number {
  for (const brand of [a, b]) {
    if (typeof brand?.id === "string" && typeof brand.name === "string") continue;
    throw new TypeError(`compareBrands needs brands, with texts as id and name; got ${show(brand)}.`);
  }
  return compareTexts(foldText(a.name), foldText(b.name)) || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

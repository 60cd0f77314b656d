import type { Order } from "./page-state.js";

/** What the list knows of a vehicle. */
export interface ListedVehicle {
  readonly id: string;
  readonly brandId: string;
  readonly title: string;
  readonly variant: string;
  readonly year: number | null;
  readonly batteryKwh: number;
  /** kWh per 100 km. */
  readonly consumption: number;
  /** kW; null without DC charging. */
  readonly dcPower: number | null;
  readonly hasMeasuredCurve: boolean;
}

/** How far a full battery goes at the average consumption; undefined where one of both is not known. */
export function rangeKm(batteryKwh: number, consumption: number): number | undefined {
  return batteryKwh > 0 && consumption > 0 ? (100 * batteryKwh) / consumption : undefined;
}

/** What each order looks at, best first; undefined comes last. */
const merits: Readonly<Record<Order, ((vehicle: ListedVehicle) => number | undefined) | undefined>> = {
  name: undefined,
  range: (vehicle) => rangeKm(vehicle.batteryKwh, vehicle.consumption),
  battery: ({ batteryKwh }) => batteryKwh,
  consumption: ({ consumption }) => (consumption > 0 ? -consumption : undefined),
  power: ({ dcPower }) => dcPower ?? undefined,
  year: ({ year }) => year ?? undefined,
};

/** Vehicles in an order; equals, and all of them by name, stay in the order in which the catalogue gave them. */
export function inOrder(vehicles: readonly ListedVehicle[], order: Order): readonly ListedVehicle[] {
  const merit = merits[order];
  if (merit === undefined) return vehicles;
  return vehicles.toSorted(
    (a, b) => (merit(b) ?? Number.NEGATIVE_INFINITY) - (merit(a) ?? Number.NEGATIVE_INFINITY) || 0,
  );
}

/** The figure that stands beside a name: of what the list is ordered by, and otherwise the range. */
export function figureOf(vehicle: ListedVehicle, order: Order): string {
  const { batteryKwh, consumption, dcPower, year } = vehicle;
  const range = rangeKm(batteryKwh, consumption);
  const figures: Readonly<Record<Order, string>> = {
    name: formatKm(range),
    range: formatKm(range),
    battery: `${batteryKwh} kWh`,
    consumption: `${consumption} kWh/100 km`,
    power: dcPower === null ? "no DC" : `${dcPower} kW`,
    year: year === null ? "year unknown" : String(year),
  };
  return figures[order];
}

/** `452 km`. */
export function formatKm(range: number | undefined): string {
  return range === undefined ? "range unknown" : `${Math.round(range)} km`;
}

/** The vehicle that shows most when nobody chose one: of those that were measured, the one that charges fastest. */
export function mostTelling(vehicles: readonly ListedVehicle[]): ListedVehicle | undefined {
  const measured = vehicles.filter(({ hasMeasuredCurve }) => hasMeasuredCurve);
  return inOrder(measured.length > 0 ? measured : vehicles, "power")[0];
}

import type { Brand, FetchedVehicle, VehicleClient } from "@wye/vehicle-catalogue/client";
import type { ListedVehicle } from "../listed-vehicle.js";
import { nameOf } from "./vehicle-name.js";

/** What the list asks of each vehicle: far less than all. */
const fields = [
  "model",
  "variant",
  "release_year",
  "manufacturer",
  "usable_battery_size",
  "energy_consumption",
  "dc_max_power",
  "dc_default_charging_curve",
] as const;
const listFields = { car: fields, motorbike: fields } as const;

type ListedFields = FetchedVehicle<typeof fields, typeof fields>;

/** The most vehicles that the page lists; whoever has more searches. */
const mostListed = 2000;

/** What the page knows of the catalogue. */
export interface VehicleList {
  readonly vehicles: readonly ListedVehicle[];
  /** How many there are, listed or not. */
  readonly overallCount: number;
}

/** Reads the catalogue, or one brand of it, page by page, and tells after each page what there is so far. */
export async function* readList(
  client: VehicleClient,
  brand: Brand | undefined,
  signal?: AbortSignal,
): AsyncGenerator<VehicleList, void, undefined> {
  const vehicles: ListedVehicle[] = [];
  const filter = brand === undefined ? undefined : { manufacturerId: [brand.id] };
  for await (const page of client.pages({ fields: listFields, filter, signal })) {
    vehicles.push(...page.vehicles.map(listed));
    yield { vehicles: [...vehicles], overallCount: page.overallCount ?? vehicles.length };
    if (vehicles.length >= mostListed) return;
  }
}

/** What a search found. */
export interface Found {
  readonly vehicles: readonly ListedVehicle[];
  /** There may be more: a search answers 25 at most. */
  readonly isCut: boolean;
}

const mostFound = 25;

/** The API refuses longer texts. */
const longestText = 200;

/** The API has search or filters; with both, the brand goes into the text, as far as there is room, and the results are held to it. */
export async function search(
  client: VehicleClient,
  text: string,
  brand: Brand | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const query = brand === undefined ? text : `${brand.name} ${text}`;
  const asked = Array.from(query).slice(0, longestText).join("");
  const { vehicles } = await client.search(asked, { fields: listFields, signal });
  const own = vehicles.map(listed).filter(({ brandId }) => brand === undefined || brandId === brand.id);
  return { vehicles: own, isCut: vehicles.length >= mostFound };
}

function listed(vehicle: ListedFields): ListedVehicle {
  const { brand, model, variant } = nameOf(vehicle);
  return {
    id: vehicle.id,
    brandId: vehicle.manufacturer?.id ?? "",
    title: `${brand} ${model}`.trim(),
    variant,
    year: vehicle.release_year,
    batteryKwh: vehicle.usable_battery_size,
    consumption: vehicle.energy_consumption.average_consumption,
    dcPower: vehicle.dc_max_power,
    hasMeasuredCurve: !vehicle.dc_default_charging_curve && vehicle.dc_max_power !== null,
  };
}

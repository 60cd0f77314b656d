import type { FetchedManufacturer } from "@wye/vehicle-catalogue/client";

export interface VehicleName {
  readonly brand: string;
  readonly model: string;
  readonly variant: string;
}

/** The parts of a name, also where the brand did not come along. */
export function nameOf(vehicle: {
  readonly model: string;
  readonly variant: string;
  readonly manufacturer: FetchedManufacturer;
}): VehicleName {
  const { manufacturer, model, variant } = vehicle;
  const brand = manufacturer !== null && "name" in manufacturer ? manufacturer.name : "";
  return { brand: brand ?? "", model, variant };
}

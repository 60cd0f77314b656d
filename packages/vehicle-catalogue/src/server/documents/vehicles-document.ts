import type { PaginationLinks } from "../../documents.js";
import { vehicleTypes } from "../../vehicle.js";
import { fullAttributes } from "../../vehicle-attributes.js";
import { brandType } from "../../vehicle-resource.js";
import { identity, type PreparedBrand, type PreparedVehicle } from "../prepared-vehicle.js";
import type { Fieldsets } from "../query/vehicles-request.js";
import { ByteJoiner } from "./byte-joiner.js";
import { addVehicle, type FieldPlan, planFields } from "./field-plan.js";

/** What a document of vehicles is made of. */
export interface VehiclesPage {
  readonly vehicles: readonly PreparedVehicle[];
  readonly overallCount: number;
  readonly fieldsets: Fieldsets;
  /** Whether the key sees the attributes of `ReadVehiclesFull`. */
  readonly full: boolean;
  readonly withBrands: boolean;
  readonly links: PaginationLinks | undefined;
}

const hiddenFromAll: ReadonlySet<string> = new Set();
const hiddenFromRestricted: ReadonlySet<string> = new Set(fullAttributes);

/** The document of a page of vehicles, joined from prepared bytes. */
export function vehiclesDocument(page: VehiclesPage): Uint8Array {
  const hidden = page.full ? hiddenFromAll : hiddenFromRestricted;
  const plans = new Map<string, FieldPlan>(
    vehicleTypes.map((type) => [type, planFields(page.fieldsets.get(type), hidden)]),
  );
  const joiner = new ByteJoiner().add(pieces.data);
  const brands = new Map<string, PreparedBrand>();
  for (const [place, prepared] of page.vehicles.entries()) {
    const plan = plans.get(prepared.vehicle.type) ?? planFields(undefined, hidden);
    if (place > 0) joiner.add(pieces.comma);
    addVehicle(joiner, prepared, plan);
    // A brand that nobody links to must not be included.
    if (plan.relationships && page.withBrands) brands.set(prepared.brand.brand.id, prepared.brand);
  }
  joiner.add(pieces.included);
  addBrands(joiner, brands.values(), page.fieldsets.get(brandType));
  const links = page.links === undefined ? "" : `,"links":${JSON.stringify(page.links)}`;
  return joiner.text(`],"meta":{"overall_count":${page.overallCount}}${links}}`).join();
}

/** The document of all brands. */
export function brandsDocument(brands: readonly PreparedBrand[], fieldsets: Fieldsets): Uint8Array {
  const joiner = new ByteJoiner().add(pieces.data);
  addBrands(joiner, brands, fieldsets.get(brandType));
  return joiner.text(`],"meta":{"overall_count":${brands.length}}}`).join();
}

const encoder = new TextEncoder();
const pieces = {
  data: encoder.encode('{"data":['),
  comma: encoder.encode(","),
  included: encoder.encode('],"included":['),
};

function addBrands(
  joiner: ByteJoiner,
  brands: Iterable<PreparedBrand>,
  fields: ReadonlySet<string> | undefined,
): void {
  let first = true;
  for (const { brand, bytes } of brands) {
    if (!first) joiner.add(pieces.comma);
    first = false;
    // A brand has one attribute: it is shown whole or bare.
    if (fields?.has("name") ?? true) joiner.add(bytes);
    else joiner.text(`${identity({ type: brandType, id: brand.id })}}`);
  }
}

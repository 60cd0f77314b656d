import type { Brand } from "../../brand.js";
import { vehicleTypes } from "../../vehicle.js";
import { withheldAttributes } from "../../vehicle-attributes.js";
import { brandType } from "../../vehicle-resource.js";
import type { Addition } from "../additions.js";
import type { VehicleSelection } from "../catalogue.js";
import type { Preparation } from "../preparation.js";
import { identity } from "../prepared-vehicle.js";
import type { Fieldsets } from "../query/vehicles-request.js";
import { ByteJoiner } from "./byte-joiner.js";
import { addVehicle, type FieldPlan, planFields } from "./field-plan.js";

/** What a document of vehicles is made of. */
export interface VehiclesPage {
  /** The version of the catalogue that it shows. */
  readonly version: string;
  readonly selection: VehicleSelection;
  readonly fieldsets: Fieldsets;
  /** Whether the key sees the attributes of `ReadVehiclesFull`. */
  readonly seesWithheld: boolean;
  readonly withBrands: boolean;
  /** Pagination links as JSON text. */
  readonly links: string | undefined;
  /** What is beyond the documented API. */
  readonly additions: readonly Addition[];
}

/** What a document of brands is made of. */
export interface BrandsPage {
  readonly brands: readonly Brand[];
  readonly fieldsets: Fieldsets;
  readonly additions: readonly Addition[];
}

const hiddenFromAll: ReadonlySet<string> = new Set();
const hiddenFromRestricted: ReadonlySet<string> = new Set(withheldAttributes);

/** The document of a page of vehicles, joined from prepared bytes. */
export function vehiclesDocument(page: VehiclesPage, preparation: Preparation): Uint8Array {
  const hidden = page.seesWithheld ? hiddenFromAll : hiddenFromRestricted;
  const plans = new Map<string, FieldPlan>(
    vehicleTypes.map((type) => [type, planFields(preparation.names, page.fieldsets.get(type), hidden)]),
  );
  const joiner = new ByteJoiner().add(pieces.data);
  const brands = new Map<string, Brand>();
  const { vehicles, rowVersions, overallCount } = page.selection;
  for (const [place, vehicle] of vehicles.entries()) {
    const { type, manufacturer } = vehicle;
    const plan = plans.get(type) ?? planFields(preparation.names, undefined, hidden);
    if (place > 0) joiner.add(pieces.comma);
    addVehicle(joiner, preparation.vehicle(vehicle, rowVersions?.[place] ?? page.version), plan);
    // A brand that nobody links to must not be included.
    if (plan.relationshipsAt !== undefined && page.withBrands) brands.set(manufacturer.id, manufacturer);
  }
  joiner.add(pieces.included);
  addBrands(joiner, brands.values(), page.fieldsets.get(brandType), preparation);
  const links = page.links === undefined ? "" : `,"links":${page.links}`;
  return joiner.text(`],"meta":${metaText(overallCount, page.additions)}${links}}`).join();
}

/** The document of all brands. */
export function brandsDocument(
  { brands, fieldsets, additions }: BrandsPage,
  preparation: Preparation,
): Uint8Array {
  const joiner = new ByteJoiner().add(pieces.data);
  addBrands(joiner, brands, fieldsets.get(brandType), preparation);
  return joiner.text(`],"meta":${metaText(brands.length, additions)}}`).join();
}

function metaText(overallCount: number, additions: readonly Addition[]): string {
  const more = additions.length === 0 ? "" : `,"additions":${JSON.stringify(additions)}`;
  return `{"overall_count":${overallCount}${more}}`;
}

const encoder = new TextEncoder();
const pieces = {
  data: encoder.encode('{"data":['),
  comma: encoder.encode(","),
  included: encoder.encode('],"included":['),
};

function addBrands(
  joiner: ByteJoiner,
  brands: Iterable<Brand>,
  fields: ReadonlySet<string> | undefined,
  preparation: Preparation,
): void {
  let first = true;
  for (const brand of brands) {
    if (!first) joiner.add(pieces.comma);
    first = false;
    // A brand has one attribute: it is shown whole or bare.
    if (fields?.has("name") ?? true) joiner.add(preparation.brand(brand));
    else joiner.text(`${identity({ type: brandType, id: brand.id })}}`);
  }
}

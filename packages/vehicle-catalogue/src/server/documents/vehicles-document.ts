import type { Brand } from "../../brand.js";
import { brandType } from "../../vehicle-resource.js";
import type { Addition } from "../additions.js";
import { type BinaryText, binaryText } from "../binary-text.js";
import type { VehicleSelection } from "../catalogue.js";
import type { Preparation } from "../preparation.js";
import { identity } from "../prepared-vehicle.js";
import type { Fieldsets } from "../query/vehicles-request.js";
import { type FieldPlan, withVehicle } from "./field-plan.js";

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

/** The document of a page of vehicles, joined from prepared texts. */
export function vehiclesDocument(page: VehiclesPage, preparation: Preparation): BinaryText {
  const plans = new Map<string, FieldPlan>();
  const planFor = (type: string): FieldPlan => {
    const plan = plans.get(type) ?? preparation.plan(page.fieldsets.get(type), page.seesWithheld);
    plans.set(type, plan);
    return plan;
  };
  const brands = new Map<string, Brand>();
  const { vehicles, rowVersions, overallCount } = page.selection;
  let document = '{"data":[';
  // Neighbours are mostly of one type and brand.
  let type: string | undefined;
  let plan: FieldPlan | undefined;
  let lastBrand: Brand | undefined;
  for (let at = 0; at < vehicles.length; at++) {
    const vehicle = vehicles[at];
    if (vehicle === undefined) continue;
    if (plan === undefined || vehicle.type !== type) {
      ({ type } = vehicle);
      plan = planFor(type);
    }
    const prepared = preparation.vehicle(vehicle, rowVersions?.[at] ?? page.version);
    document = withVehicle(document, prepared, plan, at === 0);
    const { manufacturer } = vehicle;
    // A brand that nobody links to must not be included.
    if (!plan.showsRelationships || !page.withBrands || manufacturer === lastBrand) continue;
    lastBrand = manufacturer;
    brands.set(manufacturer.id, manufacturer);
  }
  document += '],"included":[';
  document += brandsText(brands.values(), page.fieldsets.get(brandType), preparation);
  const links = page.links === undefined ? "" : `,"links":${page.links}`;
  return `${document}],"meta":${metaText(overallCount, page.additions)}${links}}`;
}

/** The document of all brands. */
export function brandsDocument(
  { brands, fieldsets, additions }: BrandsPage,
  preparation: Preparation,
): BinaryText {
  const data = brandsText(brands, fieldsets.get(brandType), preparation);
  return `{"data":[${data}],"meta":${metaText(brands.length, additions)}}`;
}

function metaText(overallCount: number, additions: readonly Addition[]): string {
  const more = additions.length === 0 ? "" : `,"additions":${JSON.stringify(additions)}`;
  return `{"overall_count":${overallCount}${more}}`;
}

function brandsText(
  brands: Iterable<Brand>,
  fields: ReadonlySet<string> | undefined,
  preparation: Preparation,
): BinaryText {
  // A brand has one attribute: it is shown whole or bare.
  const isWhole = fields?.has("name") ?? true;
  let text = "";
  for (const brand of brands) {
    if (text !== "") text += ",";
    text += isWhole
      ? preparation.brand(brand)
      : binaryText(`${identity({ type: brandType, id: brand.id })}}`);
  }
  return text;
}

import type { Brand } from "../brand.js";
import { isObject, type RawDocument, type RawResource } from "./json-api-document.js";
import type { VehiclesQuery } from "./vehicles-query.js";

/**
 * The vehicles of a document, attributes and manufacturer beside id and type. What is not known here comes along: new
 * attributes, new values, new types of vehicles. Their type is `never` because which fields they have follows from the
 * types of the caller's request, and nothing between here and there looks at one.
 */
export function resolveVehicles(
  { data, included }: RawDocument,
  lists: VehiclesQuery["lists"],
): readonly never[] {
  const brands = new Map((included ?? []).map((brand) => [identityOf(brand), resolveBrand(brand)]));
  return data.map(({ id, type, attributes, relationships }) => {
    const manufacturer = isObject(relationships) ? relationships.manufacturer : undefined;
    const isWanted = lists[`fields[${type}]`]?.includes("manufacturer") ?? true;
    // A literal with one spread is an order of magnitude faster than two spreads; and a member called `__proto__`
    // stays one. The identity leads, for those who print it, and no attribute replaces it.
    const vehicle = { id, type, ...(isObject(attributes) && attributes) };
    const linked = (isWanted || manufacturer) && { manufacturer: resolveLinkage(manufacturer, brands) };
    // See above.
    return Object.assign(vehicle, { id, type }, linked) as never;
  });
}

/** The brands of a document whose primary data they are. */
export function resolveBrands({ data }: RawDocument): readonly Brand[] {
  // The contract promises the name, as it does all else that is not looked at here.
  return data.map((brand) => resolveBrand(brand) as Brand);
}

/** What tells a resource from all others. */
export function identityOf({ type, id }: { readonly type?: unknown; readonly id?: unknown }): string {
  return `${type}\n${id}`;
}

function resolveBrand({ id, attributes }: RawResource): object {
  return Object.assign({ id, ...(isObject(attributes) && attributes) }, { id });
}

/** Brands without their resource stay `{ id }`; no id is ever invented. */
function resolveLinkage(relationship: unknown, brands: ReadonlyMap<string, object>): object | null {
  const linkage = isObject(relationship) ? relationship.data : undefined;
  if (!isObject(linkage) || typeof linkage.id !== "string") return null;
  return brands.get(identityOf(linkage)) ?? { id: linkage.id };
}

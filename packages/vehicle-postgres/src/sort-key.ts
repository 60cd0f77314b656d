import type { Vehicle } from "@wye/vehicle-catalogue";
import { type OrderKey, orderKey } from "@wye/vehicle-catalogue/server";

/**
 * What orders vehicles with the collation `C` as `compareVehicles` does: brand, model, year, variant and id, folded and
 * joined.
 */
export function sortKeyOf(given: Vehicle): string {
  const { brand, model, variant, vehicle }: OrderKey = orderKey(given);
  const year = String(vehicle.release_year ?? unknownYear);
  return [brand, model, year, variant, vehicle.id].map(sortable).join(separator);
}

/** After every year that there can be; all of them have four digits. */
const unknownYear = 9999;

/** Below every character that a text begins with or goes on with. */
const separator = "\u0001\u0001";

function sortable(text: string): string {
  return text.replaceAll("\u0001", "\u0001\u0002").replace(/[\uE000-\uFFFF]/g, inUtf16Order);
}

/**
 * JavaScript compares UTF-16 units, where these come after all characters beyond U+FFFF; UTF-8 has them before. So they
 * are written as the last characters that there are, which nobody uses.
 */
function inUtf16Order(unit: string): string {
  return String.fromCodePoint(0x100000 + unit.charCodeAt(0));
}

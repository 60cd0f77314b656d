import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { isRecord, show } from "./check-value.js";

interface ListedBrand {
  /** All vehicles of the brand have this one, and no other list has it. */
  readonly brand: { readonly id: string; name: string };
  /** The record that named it first. */
  readonly index: number;
  /** What it was called before it was corrected. */
  readonly former: Set<string>;
}

/** The brands of a list of records. Each has one name and one spelling. */
export class ListedBrands {
  readonly #brands = new Map<string, ListedBrand>();

  /**
   * Has a vehicle that has just been made share its brand with the others; otherwise says what is wrong with its manufacturer. A name that
   * takes the place of a `former` one becomes the name of all of them.
   */
  share(
    vehicle: Vehicle,
    index: number,
    former: string | undefined,
  ): { readonly field: string; readonly message: string } | undefined {
    const { manufacturer } = vehicle;
    const key = manufacturer.id.toLowerCase();
    const known = this.#brands.get(key) ?? { brand: { ...manufacturer }, index, former: new Set() };
    if (known.index === index) this.#brands.set(key, known);
    const { brand } = known;
    if (former !== undefined && (known.index === index || brand.name === former)) {
      known.former.add(former);
      brand.name = manufacturer.name;
    }
    const isNamedOtherwise = brand.name !== manufacturer.name && !known.former.has(manufacturer.name);
    const odd = isNamedOtherwise ? "name" : "id";
    if (isNamedOtherwise || brand.id !== manufacturer.id) {
      const message = `must be ${show(brand[odd])}, as in record ${known.index}; got ${show(manufacturer[odd])}`;
      return { field: `manufacturer.${odd}`, message };
    }
    (vehicle as { manufacturer: Brand }).manufacturer = brand;
    return undefined;
  }
}

/** The name of the brand that a record had before it was corrected; undefined where it is of the same name still, or of another brand. */
export function formerBrandName(before: unknown, after: unknown): string | undefined {
  const [was, is] = [manufacturerOf(before), manufacturerOf(after)];
  if (was === undefined || is === undefined || was.id.toLowerCase() !== is.id.toLowerCase()) return undefined;
  return was.name === is.name ? undefined : was.name;
}

function manufacturerOf(record: unknown): Brand | undefined {
  if (!isRecord(record) || !Object.hasOwn(record, "manufacturer")) return undefined;
  const { manufacturer } = record;
  if (!isRecord(manufacturer)) return undefined;
  const { id, name } = manufacturer;
  return typeof id === "string" && typeof name === "string" ? { id, name: name.trim() } : undefined;
}

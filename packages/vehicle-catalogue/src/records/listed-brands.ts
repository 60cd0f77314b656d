import { type Brand, brandAttributes } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { isRecord, show } from "./check-value.js";
import { compiledCheck } from "./compiled-check.js";

interface ListedBrand {
  /** All vehicles of the brand have this one, and no other list has it. */
  readonly brand: { readonly id: string; name: string };
  /** The record that named it first. */
  readonly index: number;
}

/** What corrections say of the name of a brand. */
interface Renaming {
  readonly name: string;
  /** What it was called before. */
  readonly former: string;
}

/** The brands of a list of records. Each has one name and one spelling. */
export class ListedBrands {
  readonly #brands = new Map<string, ListedBrand>();
  readonly #renamings = new Map<string, Renaming>();

  /** A correction calls a brand otherwise: all of its vehicles, if they call it what that record called it. */
  rename({ id, name }: Brand, former: string): void {
    const key = id.toLowerCase();
    const brand = this.#brands.get(key)?.brand;
    const called = brand?.name ?? former;
    if (called !== former || !isBrandName(name)) return;
    this.#renamings.set(key, { name, former });
    if (brand !== undefined) brand.name = name;
  }

  /**
   * Has a vehicle that has just been made share its brand with the others; otherwise says what is wrong with its manufacturer. Of the id of a
   * brand that was set by a correction the letter case does not count.
   */
  share(
    vehicle: Vehicle,
    index: number,
    isCorrected: boolean,
  ): { readonly field: string; readonly message: string } | undefined {
    const { manufacturer } = vehicle;
    const key = manufacturer.id.toLowerCase();
    const renaming = this.#renamings.get(key);
    const nameOf = ({ name }: Brand): string => (name === renaming?.former ? renaming.name : name);
    const known = this.#brands.get(key) ?? {
      brand: { id: manufacturer.id, name: nameOf(manufacturer) },
      index,
    };
    this.#brands.set(key, known);
    const { brand } = known;
    const name = nameOf(manufacturer);
    const odd = brand.name === name ? "id" : "name";
    if (brand.name !== name || (brand.id !== manufacturer.id && !isCorrected)) {
      const message = `must be ${show(brand[odd])}, as in record ${known.index}; got ${show(manufacturer[odd])}`;
      return { field: `manufacturer.${odd}`, message };
    }
    (vehicle as { manufacturer: Brand }).manufacturer = brand;
    return undefined;
  }
}

const isBrandName = compiledCheck(brandAttributes.name);

/** The manufacturer of a record, as far as it is one. */
export function manufacturerOf(record: unknown): Brand | undefined {
  if (!isRecord(record) || !Object.hasOwn(record, "manufacturer")) return undefined;
  const { manufacturer } = record;
  if (!isRecord(manufacturer)) return undefined;
  const { id, name } = manufacturer;
  return typeof id === "string" && typeof name === "string" ? { id, name: name.trim() } : undefined;
}

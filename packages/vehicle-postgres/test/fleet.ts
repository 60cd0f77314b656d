import type { Vehicle } from "@wye/vehicle-catalogue";
import { catalogueTestVehicles } from "@wye/vehicle-catalogue/testing";

const names = [
  "Northwind",
  "zephyr",
  "Äcme Vans",
  "Ōmi",
  "ﬁord",
  "Kestrel Motors",
  "SÃO",
  "éclair",
  "Ωmega",
  "车",
];
const models = [
  "Borealis",
  "borealis 2",
  "Mistral",
  "Kestrel",
  "ID.3",
  "e-208",
  "Model Ⅲ",
  "Łódź",
  "𝕏one",
  "\uFF21",
];
const variants = ["", "60 kWh", "77 kWh", "Sport", "SR+", "SR", "7,4 kW-AC", "Long Range"];

/** A number from 0 to 1 that depends on the seed and nothing else. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Invented vehicles in any number, of names that order and folding find hard. */
export function fleet(count: number, seed = 1): readonly Vehicle[] {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const [pattern] = catalogueTestVehicles();
  if (pattern === undefined) throw new Error("there is no pattern");
  return Array.from({ length: count }, (_, at) => {
    const brand = Math.floor(random() * names.length);
    return {
      ...pattern,
      id: `${at.toString(16).padStart(8, "0")}-0000-4000-8000-00000000000${brand}`,
      type: random() < 0.1 ? "motorbike" : "car",
      model: `${pick(models)}${random() < 0.5 ? "" : ` ${Math.floor(random() * 400)}`}`,
      variant: pick(variants),
      release_year: random() < 0.1 ? null : 2012 + Math.floor(random() * 15),
      manufacturer: { id: `brand-${brand}`, name: names[brand] ?? "" },
    } satisfies Vehicle;
  });
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { vehiclesFromOpenEvData } from "../src/open-ev-data/index.js";
import type { Vehicle } from "../src/vehicle.js";

// The runner starts every benchmark in the folder of its package.
const file: unknown = JSON.parse(readFileSync(join("testdata", "ev-data.json"), "utf8"));

/** The vehicles of the open data; more by repeating them under other ids, with a further word in the variant. */
export function fleet(count: number): readonly Vehicle[] {
  const { vehicles } = vehiclesFromOpenEvData(file);
  return Array.from({ length: count }, (_, at) => {
    const vehicle = vehicles[at % vehicles.length]!;
    const round = Math.floor(at / vehicles.length);
    if (round === 0) return vehicle;
    const variant = `${vehicle.variant} ${words[round % words.length]} ${round}`.trim();
    return { ...vehicle, id: `${vehicle.id.slice(0, -6)}${at.toString(16).padStart(6, "0")}`, variant };
  });
}

const words = [
  "Comfort",
  "Sport",
  "Business",
  "Life",
  "Style",
  "Pro",
  "Limited",
  "First",
  "Prime",
  "Urban",
  "Cross",
  "Max",
];

/** How many vehicles the open data have. */
export const openDataSize: number = vehiclesFromOpenEvData(file).vehicles.length;

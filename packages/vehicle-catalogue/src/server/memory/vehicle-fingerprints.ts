import type { Vehicle } from "../../vehicle.js";
import { withheldAttributes } from "../../vehicle-attributes.js";
import { Fingerprint, type FingerprintHalves } from "../fingerprint.js";

/** A vehicle in four numbers: two for all of it, and two for what every key sees of it. */
export type VehicleFingerprint = readonly [low: number, high: number, openLow: number, openHigh: number];

/** So many lists and objects are remembered. */
const mostKnown = 20_000;

/**
 * Makes the fingerprints of vehicles that have attributes of these names. Lists and objects that several vehicles share are gone
 * through once, so that it serves for one change: until the next one, somebody may have written into them.
 */
export class VehicleFingerprints {
  readonly #open: readonly string[];
  readonly #withheld: readonly string[];
  readonly #known = new Map<unknown, FingerprintHalves>();

  constructor(names: readonly string[]) {
    const withheld: ReadonlySet<string> = new Set(withheldAttributes);
    this.#open = ["id", "type", ...names.filter((name) => !withheld.has(name)), "manufacturer"];
    this.#withheld = names.filter((name) => withheld.has(name));
  }

  of(vehicle: Vehicle): VehicleFingerprint {
    const fingerprint = new Fingerprint();
    this.#add(vehicle, this.#open, fingerprint);
    const [openLow, openHigh] = fingerprint.halves();
    this.#add(vehicle, this.#withheld, fingerprint);
    const [low, high] = fingerprint.halves();
    return [low, high, openLow, openHigh];
  }

  #add(vehicle: Vehicle, names: readonly string[], fingerprint: Fingerprint): void {
    for (const name of names) {
      // The names are those of the vehicle, always in the same order, so they need not be told apart.
      const value: unknown = vehicle[name as keyof Vehicle];
      if (typeof value === "object" && value !== null) fingerprint.part(this.#halvesOf(value));
      else fingerprint.value(value);
    }
  }

  #halvesOf(value: object): FingerprintHalves {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const halves = new Fingerprint().value(value).halves();
    if (this.#known.size < mostKnown) this.#known.set(value, halves);
    return halves;
  }
}

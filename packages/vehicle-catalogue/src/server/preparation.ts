import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { withheldAttributes } from "../vehicle-attributes.js";
import type { BinaryText } from "./binary-text.js";
import { createBoundedCache } from "./bounded-cache.js";
import { type FieldPlan, planFields } from "./documents/field-plan.js";
import { type PreparedVehicle, prepareBrand, prepareVehicle } from "./prepared-vehicle.js";

/** Writes resources out, and keeps them as long as they hold. */
export interface Preparation {
  /** Which parts of vehicles to show when these fields are asked for (undefined: all) with a key that sees so much. */
  plan(asked: ReadonlySet<string> | undefined, seesWithheld: boolean): FieldPlan;
  /** A vehicle, as it was in that version of its row, or of the catalogue. */
  vehicle(vehicle: Vehicle, rowVersion: string): PreparedVehicle;
  brand(brand: Brand): BinaryText;
}

interface KeptVehicle extends PreparedVehicle {
  readonly rowVersion: string;
}

interface KeptBrand {
  readonly name: string;
  readonly text: BinaryText;
}

/** What a kept vehicle takes beside its text: an array with its buffer, the objects around them, a place in a map. */
const overhead = 700;

const nothing: ReadonlySet<string> = new Set();
const withheld: ReadonlySet<string> = new Set(withheldAttributes);

/** Makes the preparation that writes the attributes of these names, and keeps so many bytes at most. */
export function createPreparation(maxBytes: number, names: readonly string[]): Preparation {
  const vehicles = createBoundedCache<KeptVehicle>(maxBytes, (_id, { text }) => text.length + overhead);
  // Brands are few and small: they fit beside the vehicles.
  const brands = createBoundedCache<KeptBrand>(1024 * 1024, (_id, { text }) => text.length + overhead);

  const whole = { all: planFields(names, undefined, nothing), open: planFields(names, undefined, withheld) };

  return {
    plan(asked, seesWithheld) {
      if (asked === undefined) return seesWithheld ? whole.all : whole.open;
      return planFields(names, asked, seesWithheld ? nothing : withheld);
    },
    vehicle(vehicle, rowVersion) {
      const kept = vehicles.get(vehicle.id);
      if (kept?.rowVersion === rowVersion) return kept;
      const { text, offsets } = prepareVehicle(vehicle, names);
      const prepared = { rowVersion, text, offsets };
      vehicles.set(vehicle.id, prepared);
      return prepared;
    },
    brand({ id, name }) {
      const kept = brands.get(id);
      if (kept?.name === name) return kept.text;
      const text = prepareBrand({ id, name });
      brands.set(id, { name, text });
      return text;
    },
  };
}

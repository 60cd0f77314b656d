import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { createBoundedCache } from "./bounded-cache.js";
import { type PreparedVehicle, prepareBrand, prepareVehicle } from "./prepared-vehicle.js";

/** Writes resources out, and keeps them as long as they hold. */
export interface Preparation {
  /** The names of the attributes, in the order of the documents. */
  readonly names: readonly string[];
  /** A vehicle, as it was in that version of its row, or of the catalogue. */
  vehicle(vehicle: Vehicle, rowVersion: string): PreparedVehicle;
  brand(brand: Brand): Uint8Array;
}

interface KeptVehicle {
  readonly rowVersion: string;
  readonly prepared: PreparedVehicle;
}

interface KeptBrand {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a kept vehicle takes beside its bytes: two arrays with their buffers, the objects around them, a place in a map. */
const overhead = 700;

/** Makes the preparation that writes the attributes of these names, and keeps so many bytes at most. */
export function createPreparation(maxBytes: number, names: readonly string[]): Preparation {
  const vehicles = createBoundedCache<KeptVehicle>(
    maxBytes,
    (_id, { prepared }) => prepared.bytes.length + overhead,
  );
  // Brands are few and small: they fit beside the vehicles.
  const brands = createBoundedCache<KeptBrand>(1024 * 1024, (_id, { bytes }) => bytes.length + overhead);

  return {
    names,
    vehicle(vehicle, rowVersion) {
      const kept = vehicles.get(vehicle.id);
      if (kept?.rowVersion === rowVersion) return kept.prepared;
      const prepared = prepareVehicle(vehicle, names);
      vehicles.set(vehicle.id, { rowVersion, prepared });
      return prepared;
    },
    brand({ id, name }) {
      const kept = brands.get(id);
      if (kept?.name === name) return kept.bytes;
      const bytes = prepareBrand({ id, name });
      brands.set(id, { name, bytes });
      return bytes;
    },
  };
}

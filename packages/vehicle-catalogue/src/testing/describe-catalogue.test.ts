import { describe, test } from "vitest";
import {
  CatalogueError,
  type CatalogueSnapshot,
  catalogueFromVehicles,
  type VehicleSelection,
} from "../server/index.js";
import { describeCatalogue } from "./index.js";

/** As rows of a database come: other objects each time. */
function copied({ vehicles, overallCount }: VehicleSelection): VehicleSelection {
  return { vehicles: vehicles.map((vehicle) => ({ ...vehicle })), overallCount };
}

describeCatalogue(
  "a catalogue in memory",
  (vehicles) => {
    const catalogue = catalogueFromVehicles(vehicles);
    return {
      catalogue,
      replace: async (others) => {
        await catalogue.replace(others);
      },
    };
  },
  { describe, test },
);

describeCatalogue(
  "a catalogue that answers later, without row versions, and is not always there",
  (vehicles) => {
    const memory = catalogueFromVehicles(vehicles);
    let away = false;
    const later = async <Value>(value: () => Value): Promise<Value> => {
      if (away) throw new CatalogueError("unavailable", "the data are away");
      return value();
    };
    const snapshot = (): Promise<CatalogueSnapshot> =>
      later(() => {
        const { version, find, search, brands } = memory.snapshot();
        const present = <Value>(value: () => Value): Promise<Value> =>
          later(() => {
            if (memory.snapshot().version !== version) throw new CatalogueError("superseded", "too late");
            return value();
          });
        return {
          version,
          find: async (query) => copied(await present(() => find(query))),
          search: (query) => present(() => copied(search(query))),
          brands: () => present(brands),
        };
      });
    return {
      catalogue: { snapshot },
      replace: async (others) => {
        await memory.replace(others);
      },
      interrupt() {
        away = true;
        return () => {
          away = false;
        };
      },
    };
  },
  { describe, test },
);

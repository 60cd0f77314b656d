import { describe, test } from "vitest";
import { catalogueFromVehicles, describeCatalogue, prepareVehicle } from "./index.js";

describeCatalogue(
  "a catalogue in memory",
  (vehicles) => {
    const catalogue = catalogueFromVehicles(vehicles);
    return { catalogue, replace: (others) => void catalogue.replace(others) };
  },
  { describe, test },
);

describeCatalogue(
  "a catalogue that answers later and prepares vehicles anew",
  (vehicles) => {
    const memory = catalogueFromVehicles(vehicles);
    const later = <Value>(value: Value): Promise<Value> => Promise.resolve(value);
    return {
      catalogue: {
        version: () => later(memory.version()),
        find: (query) => {
          const found = memory.find(query);
          return later({ ...found, vehicles: found.vehicles.map(({ vehicle }) => prepareVehicle(vehicle)) });
        },
        search: (query) => later(memory.search(query)),
        brands: () => later(memory.brands()),
      },
    };
  },
  { describe, test },
);

import type { DatabasePlaces } from "./flag-store.js";
import { StoreHolders } from "./store-holders.js";

/** Creates a register. */
export function createDatabasePlaces(): DatabasePlaces {
  const holders = new StoreHolders();
  return {
    claim(server, place, environment) {
      return holders.enter(environment).places.claim(server, place, environment);
    },
  };
}

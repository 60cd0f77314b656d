import { RelayError } from "../error.js";
import type { DatabasePlaces } from "./flag-store.js";

interface Holder {
  readonly environment: string;
  claims: number;
}

/** Creates a register. */
export function createDatabasePlaces(): DatabasePlaces {
  const servers = new Map<unknown, Map<string, Holder>>();
  return {
    claim(server, place, environment) {
      const taken = servers.get(server) ?? new Map<string, Holder>();
      // An environment that is removed and added again may still be closing its first store.
      const holder = taken.get(place) ?? { environment, claims: 0 };
      if (holder.environment !== environment) {
        throw new RelayError(
          "duplicate",
          `"${environment}" and "${holder.environment}" would overwrite each other's ${place}: give each a place of its own, or put $CID into it`,
        );
      }
      holder.claims++;
      taken.set(place, holder);
      servers.set(server, taken);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        if (--holder.claims > 0) return;
        taken.delete(place);
        if (taken.size === 0) servers.delete(server);
      };
    },
  };
}

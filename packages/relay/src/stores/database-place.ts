import { RelayError } from "../error.js";
import type { FlagStoreContext } from "./flag-store.js";

/** A prefix or the name of a table: a text in which `$CID` stands for the client-side ID, or what a function gives. */
export type PlaceTemplate = string | ((context: FlagStoreContext) => string);

/**
 * Fills in a template as ld-relay does: `$CID` is the client-side ID, with the payload filter behind a dot if there is one.
 * An environment without a client-side ID goes by its name.
 */
export function fillPlace(template: PlaceTemplate, context: FlagStoreContext): string {
  if (typeof template === "function") return template(context);
  const { envId, environment, filter } = context;
  const id = envId === undefined ? environment : [envId, ...(filter === undefined ? [] : [filter])].join(".");
  return template.replaceAll("$CID", id);
}

/** As `fillPlace`, for prefixes: a payload filter that the template does not tell apart stands behind a slash. */
export function fillPrefix(template: PlaceTemplate, context: FlagStoreContext): string {
  const filled = fillPlace(template, context);
  const apart = context.filter === undefined || typeof template === "function" || template.includes("$CID");
  if (apart) return filled;
  return filled === "" ? `${context.filter}` : `${filled}/${context.filter}`;
}

/** Which environment keeps its flags where, so that no two overwrite each other. */
export interface DatabasePlaces {
  /** Takes a place until the returned function is called. Throws when another environment has it. */
  claim(place: string, environment: string): () => void;
}

/** Creates the register of one database. */
export function createDatabasePlaces(): DatabasePlaces {
  const taken = new Map<string, { readonly environment: string; claims: number }>();
  return {
    claim(place, environment) {
      // An environment that is removed and added again may still be closing its first store.
      const holder = taken.get(place) ?? { environment, claims: 0 };
      if (holder.environment !== environment) {
        throw new RelayError(
          "duplicate",
          `"${environment}" and "${holder.environment}" would overwrite each other at ${place}: give each a place of its own, or put $CID into it`,
        );
      }
      holder.claims++;
      taken.set(place, holder);
      return () => {
        if (--holder.claims === 0) taken.delete(place);
      };
    },
  };
}

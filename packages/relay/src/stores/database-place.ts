import { RelayError } from "../error.js";
import type { FlagStoreContext } from "./flag-store.js";

/** A prefix or the name of a table: a text in which `$CID` stands for the client-side ID, or what a function gives. */
export type PlaceTemplate = string | ((context: FlagStoreContext) => string);

/**
 * Fills in a template as ld-relay does: `$CID` is the client-side ID, with the payload filter behind a dot if there is one.
 * An environment without a client-side ID goes by its name.
 */
export function fillPlace(template: PlaceTemplate, context: FlagStoreContext): string {
  if (typeof template === "function") return ask(template, context);
  const { envId, environment, filter } = context;
  const id = envId === undefined ? environment : [envId, ...(filter === undefined ? [] : [filter])].join(".");
  // What is put in may have dollars of its own.
  return template.replaceAll("$CID", () => id);
}

/** As `fillPlace`, for prefixes: a payload filter that the template does not tell apart stands behind a slash. */
export function fillPrefix(template: PlaceTemplate, context: FlagStoreContext): string {
  const filled = fillPlace(template, context);
  const apart = context.filter === undefined || typeof template === "function" || template.includes("$CID");
  if (apart) return filled;
  return filled === "" ? `${context.filter}` : `${filled}/${context.filter}`;
}

/** What a function of the host makes of a context may be anything. */
function ask(template: (context: FlagStoreContext) => string, context: FlagStoreContext): string {
  const asked = `the function for ${JSON.stringify(context.environment)} that names a place in the database`;
  let given: unknown;
  try {
    given = template(context);
  } catch (cause) {
    throw new RelayError("invalid_options", `${asked} has thrown`, { cause });
  }
  if (typeof given === "string") return given;
  throw new RelayError("invalid_options", `${asked} must give text, not ${described(given)}`);
}

function described(value: unknown): string {
  return value instanceof Promise ? "a promise" : `${value === null ? null : typeof value}`;
}

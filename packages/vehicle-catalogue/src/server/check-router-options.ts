import { isRecord, show } from "../records/check-value.js";
import type { QueryAdditions } from "./additions.js";
import type { Catalogue } from "./catalogue.js";
import { checkMembers, checkOption, checkPresent, type Names } from "./check-option.js";
import type { FailedKeysOptions } from "./http/failed-keys.js";
import type { VehicleRouterOptions } from "./vehicle-router.js";

const names: Names<VehicleRouterOptions> = {
  catalogue: 1,
  keys: 1,
  prefix: 1,
  links: 1,
  rateLimit: 1,
  failedKeys: 1,
  additions: 1,
  maxAgeSeconds: 1,
  cors: 1,
  cacheBytes: 1,
  preparedBytes: 1,
  timeoutMs: 1,
  maxQueryLength: 1,
  logger: 1,
  platform: 1,
};
const failedKeysNames: Names<FailedKeysOptions> = { limit: 1, addressOf: 1, now: 1 };

/** Says at once what a program without types got wrong. */
export function checkRouterOptions(options: VehicleRouterOptions): void {
  // Whatever it is that a program without types passes.
  const given: Partial<VehicleRouterOptions> = isRecord(options) ? options : {};
  const { catalogue, keys, failedKeys, platform, prefix = "" } = given;
  if (typeof catalogue?.snapshot !== "function") {
    throw new TypeError(
      "A router needs a catalogue; catalogueFromVehicles() and readCatalogueFile() make one.",
    );
  }
  if (typeof keys !== "function" && !Array.isArray(keys)) {
    throw new TypeError(
      "A router needs keys: a list of { key, groups }, or a function that finds out what a key may do.",
    );
  }
  checkMembers("A router", given, names);
  checkPresent(given, {
    links: "true or false",
    additions: "an object",
    failedKeys: "an object",
    platform: "an object",
    logger: "an object",
    maxAgeSeconds: "a whole number from 0",
  });
  checkLimits(given);
  if (failedKeys !== undefined) {
    checkMembers("failedKeys", failedKeys, failedKeysNames);
    checkPresent({ ...failedKeys }, { addressOf: "a function", now: "a function" }, "failedKeys.");
  }
  if (platform !== undefined) {
    checkOption("platform.digest", platform.digest, "a function");
    checkOption("platform.compress", platform.compress, "a function");
    checkOption("platform.codings", platform.codings, "a list");
  }
  checkNumbers(given);
  checkAdditions(catalogue, given.additions ?? {});
  checkPrefix(prefix);
}

function checkLimits({ rateLimit, failedKeys }: Partial<VehicleRouterOptions>): void {
  const limits = {
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(failedKeys === undefined ? {} : { "failedKeys.limit": failedKeys.limit }),
  };
  for (const [name, limit] of Object.entries(limits)) {
    if (typeof limit?.take === "function") continue;
    throw new TypeError(`${name} must have a function take(); createTokenBucket() makes one.`);
  }
}

function checkNumbers(options: Partial<VehicleRouterOptions>): void {
  for (const name of ["cacheBytes", "preparedBytes", "timeoutMs", "maxQueryLength"] as const) {
    const value = options[name];
    if (value === undefined || (typeof value === "number" && value >= 0)) continue;
    throw new TypeError(`${name} must be a number from 0; got ${show(value)}.`);
  }
}

/** What a catalogue has to understand for an addition. */
const needed = { attributeFilters: "conditions", sort: "order", updatedSince: "updatedSince" } as const;

const additionNames: Names<QueryAdditions> = { attributeFilters: 1, sort: 1, updatedSince: 1 };

/** A catalogue that does not understand a question would answer another one. */
function checkAdditions(
  { understands = [] }: Catalogue,
  additions: NonNullable<VehicleRouterOptions["additions"]>,
): void {
  checkMembers("additions", additions, additionNames);
  for (const [name, query] of Object.entries(needed)) {
    // The entries of a literal have its keys.
    const wanted = additions[name as keyof typeof needed];
    if (wanted === undefined) continue;
    checkOption(`additions.${name}`, wanted, "true or false");
    if (!wanted || understands.includes(query)) continue;
    throw new TypeError(
      `The catalogue cannot answer additions.${name}: it does not say that it understands "${query}".`,
    );
  }
}

function checkPrefix(prefix: unknown): void {
  if (prefix === "") return;
  if (typeof prefix !== "string" || !/^\/[^?#]*[^/?#]$/.test(prefix))
    throw new TypeError(
      `The prefix must begin with a slash and not end with one, such as "/api", without ? or #; got ${show(prefix)}.`,
    );
  const asked = new URL(`http://host${prefix}`).pathname;
  if (asked === prefix) return;
  throw new TypeError(`No request has the prefix ${show(prefix)}: clients make ${show(asked)} of it.`);
}

import { check, checkMembers } from "./check.js";
import type { VehiclesRequest } from "./vehicle-requests.js";

const bounds = { gt: true, gte: true, lt: true, lte: true };

type Parameters = { readonly [parameter: string]: string };

/** The parameters beyond the documented API. Which attributes and values there are, the API knows best. */
export function attributeParameters({ filter, sort }: VehiclesRequest): Parameters {
  const { attributes = {}, updatedSince } = filter ?? {};
  check(typeof attributes === "object" && attributes, "filter.attributes must be an object");
  const parameters: { [parameter: string]: string } = {};
  for (const [name, wanted] of Object.entries(attributes)) {
    if (wanted !== undefined) Object.assign(parameters, wantedParameters(`filter[${name}]`, wanted));
  }
  if (updatedSince !== undefined) {
    const isTime =
      updatedSince instanceof Date ? !Number.isNaN(+updatedSince) : typeof updatedSince === "string";
    check(isTime, "filter.updatedSince must be a Date or a text");
    const text = typeof updatedSince === "string" ? updatedSince : updatedSince.toISOString();
    parameters["filter[updated_since]"] = text;
  }
  if (sort !== undefined) {
    check(
      Array.isArray(sort) && !filter?.id,
      "sort must be an array of texts, and excludes filter.id, which has an order",
    );
    // Without a key, the order is the usual one.
    if (sort.length > 0) parameters.sort = sort.join();
  }
  return parameters;
}

function wantedParameters(name: string, wanted: unknown): Parameters {
  if (Array.isArray(wanted)) {
    check(wanted.every(isScalar), `${name} must be a list of texts, numbers or booleans`);
    return { [name]: wanted.map(escaped).join() };
  }
  check(typeof wanted === "object" && wanted !== null, `${name} must be a list, or bounds`);
  checkMembers(wanted, bounds, name);
  const given = Object.entries(wanted).filter(([, bound]) => bound !== undefined);
  check(
    given.every(([, bound]) => Number.isFinite(bound)),
    `the bounds of ${name} must be numbers`,
  );
  return Object.fromEntries(given.map(([bound, number]) => [`${name}[${bound}]`, decimal(number)]));
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** An item of a list, in which a comma is none between two, and that has texts without a character. */
function escaped(value: string | number | boolean): string {
  return typeof value === "number" ? decimal(value) : `${value}`.replace(/[\\,]/g, "\\$&") || "\\e";
}

/** The API reads decimal numbers only, and neither `1e-7` nor `1e+21` is one. */
function decimal(value: number): string {
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}`;
  return Math.abs(value) < 1e-6 ? value.toFixed(20).replace(/\.?0+$/, "") : `${value}`;
}

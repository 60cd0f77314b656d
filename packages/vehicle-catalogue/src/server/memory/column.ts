import type { Vehicle } from "../../vehicle.js";
import type { VehicleCondition } from "../catalogue.js";
import { foldText } from "../search/fold-text.js";

/** The values of one attribute, each once, and which vehicle has which. */
export interface Column {
  /** Per place in the usual order: the number of the value; that of no value is the length of `values`. */
  readonly codes: Uint32Array;
  readonly values: readonly unknown[];
  /** Per value: where it stands among the others; equals share a number. Unknown values come last. */
  readonly ranks: Uint32Array;
}

/** Reads an attribute, or a member of one, of vehicles in the usual order. */
export function columnOf(vehicles: Iterable<Vehicle>, length: number, attribute: string): Column {
  const path = attribute.split(".");
  const codes = new Uint32Array(length);
  const codeOf = new Map<unknown, number>();
  const values: unknown[] = [];
  const missing: number[] = [];
  let place = 0;
  for (const vehicle of vehicles) {
    const value = path.reduce(memberOf, vehicle as unknown);
    if (value === undefined || value === null) {
      missing.push(place++);
      continue;
    }
    // Lists are equal when they are written alike.
    const key = Array.isArray(value) ? `[${JSON.stringify(value)}` : value;
    let code = codeOf.get(key);
    if (code === undefined) {
      code = values.push(value) - 1;
      codeOf.set(key, code);
    }
    codes[place++] = code;
  }
  for (const at of missing) codes[at] = values.length;
  return { codes, values, ranks: ranksOf(values) };
}

/** Which values satisfy a condition, as 1 or 0; a vehicle without a value never does. */
export function satisfying({ values }: Column, condition: VehicleCondition): Uint8Array {
  const satisfied = new Uint8Array(values.length + 1);
  const holds = testOf(condition);
  for (const [code, value] of values.entries()) {
    if (Array.isArray(value) ? value.some(holds) : holds(value)) satisfied[code] = 1;
  }
  return satisfied;
}

/** Puts places in the order of a column; equals stay in the order in which they were. */
export function orderedBy(
  { codes, values, ranks }: Column,
  places: Uint32Array,
  isDescending: boolean,
): Uint32Array {
  const last = values.length;
  const keyOf = (place: number): number => {
    const code = codes[place] ?? last;
    if (code === last) return last;
    const rank = ranks[code] ?? 0;
    return isDescending ? last - 1 - rank : rank;
  };
  /** Per key: how many places come before those that have it. */
  const starts = new Uint32Array(last + 2);
  const raise = (key: number, by: number): number => {
    const before = starts[key] ?? 0;
    starts[key] = before + by;
    return before;
  };
  for (const place of places) raise(keyOf(place) + 1, 1);
  for (let key = 1; key < starts.length; key++) raise(key, starts[key - 1] ?? 0);
  const ordered = new Uint32Array(places.length);
  for (const place of places) ordered[raise(keyOf(place), 1)] = place;
  return ordered;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function testOf(condition: VehicleCondition): (value: unknown) => boolean {
  if (condition.is === "in") {
    const wanted = new Set<unknown>(condition.values);
    return (value) => wanted.has(typeof value === "string" ? value.toLowerCase() : value);
  }
  const { is, bound } = condition;
  return (value) => {
    if (typeof value !== "number") return false;
    if (is === "gt") return value > bound;
    if (is === "gte") return value >= bound;
    return is === "lt" ? value < bound : value <= bound;
  };
}

function ranksOf(values: readonly unknown[]): Uint32Array {
  const keys = values.map((value) => (typeof value === "string" ? foldText(value) : Number(value)));
  const distinct = [...new Set(keys)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rankOf = new Map(distinct.map((key, rank) => [key, rank]));
  return Uint32Array.from(keys, (key) => rankOf.get(key) ?? 0);
}

import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { nanosAt, nanosIn } from "./cel-time.js";
import { inOrderOfCodePoints } from "./code-point-order.js";

// Which values are equal and which come first, as the back end has it: numbers of different kinds are compared wherever they
// stand, whole ones among each other exactly, others as doubles.

type Bound = "NaN" | undefined;

/** Are two values equal? Values of different kinds are not. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (typeof a === "string" || typeof a === "boolean" || a === null) return a === b;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a !== "object" || typeof b !== "object" || b === null) return false;
  if (a instanceof Date || a instanceof Duration || a instanceof Uint8Array) return compare(a, b) === 0;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((one, i) => areEqual(one, b[i]));
  }
  return isMap(a) ? isMap(b) && areEqualMaps(a, b) : a === b;
}

/** Is the first one less (below 0) or greater? Undefined for kinds that have no order; "NaN" has none among numbers. */
export function compare(a: unknown, b: unknown): number | Bound {
  if (typeof a === "string" && typeof b === "string")
    return order(inOrderOfCodePoints(a), inOrderOfCodePoints(b));
  if (typeof a === "boolean" && typeof b === "boolean") return order(a, b);
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Date && b instanceof Date) return order(nanosAt(a), nanosAt(b));
  if (a instanceof Duration && b instanceof Duration) return order(nanosIn(a), nanosIn(b));
  return undefined;
}

/** What a map has at a key: undefined for nothing. Keys that are numbers of another kind are found too. */
export function entryAt(map: object, key: unknown): unknown {
  if (!(map instanceof Map)) {
    // The maps of JSON and messages have texts as keys.
    return typeof key === "string" && Object.hasOwn(map, key) ? Reflect.get(map, key) : undefined;
  }
  if (map.has(key) || !isNumber(key)) return map.get(key);
  for (const [one, value] of map) if (areEqual(one, key)) return value;
  return undefined;
}

/** Maps of JSON, messages, and maps that an expression makes. */
export function isMap(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

type CelNumber = bigint | number | UnsignedInt;

const isNumber = (value: unknown): value is CelNumber =>
  typeof value === "bigint" || typeof value === "number" || value instanceof UnsignedInt;

function compareNumbers(a: CelNumber, b: CelNumber): number | "NaN" {
  const [x, y] = [a.valueOf(), b.valueOf()];
  if (Number.isNaN(x) || Number.isNaN(y)) return "NaN";
  return typeof x === typeof y ? order(x, y) : order(Number(x), Number(y));
}

const order = <T extends string | boolean | number | bigint>(a: T, b: T): number =>
  a < b ? -1 : a > b ? 1 : 0;

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function areEqualMaps(a: object, b: object): boolean {
  const entries = entriesOf(a);
  if (entries.length !== entriesOf(b).length) return false;
  return entries.every(([key, value]) => {
    const other = entryAt(b, key);
    return other !== undefined && areEqual(value, other);
  });
}

const entriesOf = (map: object): readonly (readonly [unknown, unknown])[] =>
  map instanceof Map ? [...map] : Object.entries(map);

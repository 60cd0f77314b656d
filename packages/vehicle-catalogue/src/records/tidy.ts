import type { Schema } from "../schema.js";
import { isRecord, show } from "./check-value.js";

/** Called for every value that was mended. */
export type ReportRepair = (field: string, message: string, from: unknown, to: unknown) => void;

/**
 * Mends what has only one right form: blanks around texts, the order of ports, the spelling of the AC table's keys. Leaves out members
 * that the schema does not declare.
 */
export function tidy(schema: Schema, name: string, value: unknown, repair: ReportRepair): unknown {
  if (typeof value === "string") {
    const trimmed = value.trim();
    if (trimmed !== value) repair(name, "had white space around it", value, trimmed);
    return trimmed;
  }
  if (typeof value !== "object" || value === null) return value;
  const order: readonly unknown[] | undefined = schema.items?.enum;
  if (Array.isArray(value) && order !== undefined) {
    if (isOrdered(value, order)) return value;
    const sorted = value.toSorted((a, b) => placeIn(order, a) - placeIn(order, b));
    repair(name, "was not in the documented order", value, sorted);
    return sorted;
  }
  if (Array.isArray(value)) return declaredItems(schema.items, name, value, repair);
  // It is neither a list nor null.
  const members = value as Members;
  if (schema.propertyNames !== undefined) return tidyPowerTable(members);
  return declaredMembers(schema.properties, name, members, repair);
}

type Members = Readonly<Record<string, unknown>>;

function declaredItems(
  { properties }: Schema = {},
  path: string,
  list: readonly unknown[],
  repair: ReportRepair,
): readonly unknown[] {
  if (properties === undefined) return list;
  if (list.every((item) => !isRecord(item) || hasOnly(properties, item))) return list;
  return list.map((item, at) =>
    isRecord(item) ? declaredMembers(properties, `${path}[${at}]`, item, repair) : item,
  );
}

function declaredMembers(
  properties: Schema["properties"],
  path: string,
  value: Members,
  repair: ReportRepair,
): Members {
  if (properties === undefined || hasOnly(properties, value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) kept[name] = member;
    else reportUnknown(`${path}.`, name, member, repair);
  }
  return kept;
}

/** Reports what nobody has declared: it cannot be shown, but it must not be lost without a word. Of what is large or no JSON, only a hint is kept. */
export function reportUnknown(path: string, name: string, value: unknown, repair: ReportRepair): void {
  const isSmall =
    ["boolean", "number", "undefined"].includes(typeof value) ||
    (typeof value === "string" && value.length <= 100);
  const hint = isSmall ? value : show(value);
  repair(`${path}${name.slice(0, 100)}`, "is not declared, and was left out", hint, undefined);
}

function hasOnly(properties: NonNullable<Schema["properties"]>, value: Members): boolean {
  for (const name in value) if (!Object.hasOwn(properties, name)) return false;
  return true;
}

/**
 * Keys with at least one decimal, in numerical order. `"11"` would be an array index to JavaScript, which moves such
 * keys in front of all others.
 */
function tidyPowerTable(table: Members): Members {
  if (isTidyPowerTable(table)) return table;
  const entries = Object.entries(table).map(
    ([key, power]) => [/^[0-9]{1,4}$/.test(key) ? `${key}.0` : key, power] as const,
  );
  const tidied = Object.fromEntries(entries.sort(([a], [b]) => Number(a) - Number(b)));
  // "11" beside "11.0": the check of the keys is to refuse that.
  return Object.keys(tidied).length < entries.length ? { ...table } : tidied;
}

function isTidyPowerTable(table: Members): boolean {
  let last = Number.NEGATIVE_INFINITY;
  for (const key of Object.keys(table)) {
    const power = powerOf(key);
    if (!(power > last)) return false;
    last = power;
  }
  return true;
}

/** Stations have few powers: so many are remembered. */
const mostPowers = 1000;
const powers = new Map<string, number>();

/** The power that a tidy key stands for. */
function powerOf(key: string): number {
  const known = powers.get(key);
  if (known !== undefined) return known;
  const power = key.includes(".") ? Number(key) : Number.NaN;
  if (powers.size < mostPowers && key.length <= 8) powers.set(key, power);
  return power;
}

/** What is not in the order stands behind it. */
function placeIn(order: readonly unknown[], item: unknown): number {
  const place = order.indexOf(item);
  return place < 0 ? order.length : place;
}

function isOrdered(ports: readonly unknown[], order: readonly unknown[]): boolean {
  for (let at = 1; at < ports.length; at++) {
    if (placeIn(order, ports[at - 1]) > placeIn(order, ports[at])) return false;
  }
  return true;
}

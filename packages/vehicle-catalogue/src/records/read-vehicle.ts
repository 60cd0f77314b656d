import { type Brand, brandAttributes } from "../brand.js";
import { defaultChargingCurve } from "../default-charging-curve.js";
import type { Schema } from "../schema.js";
import { type Vehicle, vehicleTypes } from "../vehicle.js";
import { vehicleAttributeNames, vehicleAttributes } from "../vehicle-attributes.js";
import { checkValue, isRecord, type Report, show } from "./check-value.js";
import { type VehicleRules, vehicleRules } from "./vehicle-rules.js";

/** Called for every value that was mended. */
export type ReportRepair = (field: string, message: string, from: unknown, to: unknown) => void;

/**
 * Reads one record of unknown origin: fills in what has a rule, mends what can be mended without a guess, and checks
 * the result against the attribute table. Returns undefined when anything was reported as wrong.
 */
export function readVehicle(
  record: unknown,
  report: Report,
  repair: ReportRepair,
  rules: VehicleRules = documented,
): Vehicle | undefined {
  if (!isRecord(record)) {
    report("", `must be an object; got ${show(record)}`);
    return undefined;
  }
  let wrong = false;
  const fail: Report = (field, message) => {
    wrong = true;
    report(field, message);
  };
  const given = (name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined);
  const id = readId(given("id"), "id", fail);
  checkValue(typeSchema, given("type"), "type", fail);
  const vehicle: Record<string, unknown> = { id, type: given("type") };
  readAttributes(vehicle, given, rules, fail, repair);
  reportUnknown(record, rules, repair);
  vehicle.manufacturer = readBrand(given("manufacturer"), fail, repair);
  if (wrong) return undefined;
  // Every member has just been checked against the schema that its type is derived from.
  return vehicle as unknown as Vehicle;
}

const typeSchema: Schema = { type: "string", enum: vehicleTypes };
const idSchema: Schema = { type: "string", minLength: 1, maxLength: 200 };

type Given = (name: string) => unknown;

const documented = vehicleRules();

/** An attribute that nobody has declared cannot be shown, but it must not be lost without a word. */
function reportUnknown(
  record: Readonly<Record<string, unknown>>,
  rules: VehicleRules,
  repair: ReportRepair,
): void {
  for (const name of Object.keys(record)) {
    if (name === "id" || name === "type" || name === "manufacturer" || Object.hasOwn(rules.schemas, name))
      continue;
    repair(name.slice(0, 100), "is not declared, and was left out", record[name], undefined);
  }
}

function readAttributes(
  vehicle: Record<string, unknown>,
  given: Given,
  rules: VehicleRules,
  fail: Report,
  repair: ReportRepair,
): void {
  const filled = withDefaults(given);
  for (const name of vehicleAttributeNames) {
    const value = tidy(vehicleAttributes[name], name, filled(name), repair);
    checkValue(rules.schemas[name] ?? {}, value, name, fail);
    vehicle[name] = value;
  }
  for (const name of rules.added) {
    const value = given(name) ?? null;
    checkValue(rules.schemas[name] ?? {}, value, name, fail);
    vehicle[name] = value;
  }
  checkCurve(vehicle.dc_charging_curve, fail);
}

/** The rules for what a record may leave out. */
function withDefaults(given: Given): Given {
  const dcPorts = given("dc_ports") ?? [];
  const dcMaxPower = given("dc_max_power") ?? null;
  const acMaxPower = given("ac_max_power");
  const curve = given("dc_charging_curve");
  const lacksCurve = curve === undefined || (Array.isArray(curve) && curve.length === 0);
  const standIn =
    lacksCurve && typeof dcMaxPower === "number" && typeof acMaxPower === "number"
      ? defaultChargingCurve(dcMaxPower, acMaxPower)
      : undefined;
  const rules: Readonly<Record<string, unknown>> = {
    release_year: given("release_year") ?? null,
    variant: given("variant") ?? "",
    dc_ports: dcPorts,
    dc_max_power: dcMaxPower,
    dc_charging_curve: standIn ?? curve ?? [],
    dc_default_charging_curve: standIn !== undefined || (given("dc_default_charging_curve") ?? false),
    dc_charge_ports: given("dc_charge_ports") ?? standardPorts(dcPorts),
  };
  return (name) => (Object.hasOwn(rules, name) ? rules[name] : given(name));
}

function standardPorts(dcPorts: unknown): unknown {
  const standard: readonly unknown[] = vehicleAttributes.dc_charge_ports.items.enum;
  return Array.isArray(dcPorts) ? dcPorts.filter((port) => standard.includes(port)) : [];
}

/** Mends what has only one right form: blanks around texts, the order of ports, the spelling of the AC table's keys. */
function tidy(schema: Schema, name: string, value: unknown, repair: ReportRepair): unknown {
  if (typeof value === "string") {
    const trimmed = value.trim();
    if (trimmed !== value) repair(name, "had white space around it", value, trimmed);
    return trimmed;
  }
  const order: readonly unknown[] | undefined = schema.items?.enum;
  if (Array.isArray(value) && order !== undefined) {
    if (isOrdered(value, order)) return value;
    const sorted = value.toSorted((a, b) => placeIn(order, a) - placeIn(order, b));
    repair(name, "was not in the documented order", value, sorted);
    return sorted;
  }
  return schema.propertyNames !== undefined && isRecord(value) ? tidyPowerTable(value) : value;
}

/**
 * Keys with at least one decimal, in numerical order. `"11"` would be an array index to JavaScript, which moves such
 * keys in front of all others.
 */
function tidyPowerTable(table: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (isTidyPowerTable(table)) return table;
  const entries = Object.entries(table).map(
    ([key, power]) => [/^[0-9]{1,4}$/.test(key) ? `${key}.0` : key, power] as const,
  );
  const tidied = Object.fromEntries(entries.sort(([a], [b]) => Number(a) - Number(b)));
  // "11" beside "11.0": the check of the keys is to refuse that.
  return Object.keys(tidied).length < entries.length ? { ...table } : tidied;
}

function isTidyPowerTable(table: Readonly<Record<string, unknown>>): boolean {
  let last = Number.NEGATIVE_INFINITY;
  for (const key of Object.keys(table)) {
    const power = key.includes(".") ? Number(key) : Number.NaN;
    if (!(power > last)) return false;
    last = power;
  }
  return true;
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

function checkCurve(curve: unknown, fail: Report): void {
  if (!Array.isArray(curve)) return;
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, point] of curve.entries()) {
    const level: unknown = isRecord(point) ? point.percentage : undefined;
    if (typeof level !== "number") continue;
    if (level <= last)
      fail(`dc_charging_curve[${index}].percentage`, `must rise; got ${level} after ${last}`);
    last = level;
  }
}

function readBrand(value: unknown, fail: Report, repair: ReportRepair): Brand {
  if (!isRecord(value)) {
    fail("manufacturer", `must be an object with id and name; got ${show(value)}`);
    return { id: "", name: "" };
  }
  const id = readId(Object.hasOwn(value, "id") ? value.id : undefined, "manufacturer.id", fail);
  const schema: Schema = brandAttributes.name;
  const name = tidy(
    schema,
    "manufacturer.name",
    Object.hasOwn(value, "name") ? value.name : undefined,
    repair,
  );
  checkValue(schema, name, "manufacturer.name", fail);
  return { id, name: typeof name === "string" ? name : "" };
}

/** Ids are opaque; but one with a comma or blanks around it could never be asked for in a filter. */
function readId(value: unknown, field: string, fail: Report): string {
  checkValue(idSchema, value, field, fail);
  if (typeof value !== "string") return "";
  if (value.includes(",") || value.trim() !== value) {
    fail(field, `must not contain a comma, nor blanks at its ends; got ${show(value)}`);
  }
  return value;
}

import { type Brand, brandAttributes } from "../brand.js";
import type { Schema } from "../schema.js";
import { type Vehicle, vehicleTypes } from "../vehicle.js";
import { checkValue, isRecord, type Report, show } from "./check-value.js";
import { compiledCheck } from "./compiled-check.js";
import type { Given } from "./left-out.js";
import { type ReportRepair, tidy } from "./tidy.js";
import { type VehicleRules, vehicleRules } from "./vehicle-rules.js";

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
  const given: Given = (name) => (Object.hasOwn(record, name) ? record[name] : undefined);
  const type = given("type");
  const vehicle: Record<string, unknown> = { id: readId(given("id"), "id", fail), type };
  if (!isVehicleType(type)) checkValue(typeSchema, type, "type", fail);
  for (const { name, read, isRight } of rules.attributes) {
    const value = read(given, repair);
    if (!isRight(value)) checkValue(rules.schemas[name] ?? {}, value, name, fail);
    vehicle[name] = value;
  }
  checkCurve(vehicle.dc_charging_curve, fail);
  reportUnknown(record, rules, repair);
  vehicle.manufacturer = readBrand(given("manufacturer"), fail, repair);
  if (wrong) return undefined;
  // Every member has just been checked against the schema that its type is derived from.
  return vehicle as unknown as Vehicle;
}

const typeSchema: Schema = { type: "string", enum: vehicleTypes };
const isVehicleType = compiledCheck(typeSchema);
const idSchema: Schema = { type: "string", minLength: 1, maxLength: 200 };
const isIdText = compiledCheck(idSchema);
const isBrandName = compiledCheck(brandAttributes.name);
const documented = vehicleRules();

/** An attribute that nobody has declared cannot be shown, but it must not be lost without a word. */
function reportUnknown(
  record: Readonly<Record<string, unknown>>,
  { schemas }: VehicleRules,
  repair: ReportRepair,
): void {
  for (const name of Object.keys(record)) {
    if (Object.hasOwn(schemas, name) || name === "id" || name === "type" || name === "manufacturer") continue;
    repair(name.slice(0, 100), "is not declared, and was left out", record[name], undefined);
  }
}

function checkCurve(curve: unknown, fail: Report): void {
  if (!Array.isArray(curve)) return;
  const points: readonly unknown[] = curve;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < points.length; at++) {
    const point = points[at];
    const level = isRecord(point) ? point.percentage : undefined;
    if (typeof level !== "number") continue;
    if (level <= last) fail(`dc_charging_curve[${at}].percentage`, `must rise; got ${level} after ${last}`);
    last = level;
  }
}

function readBrand(value: unknown, fail: Report, repair: ReportRepair): Brand {
  if (!isRecord(value)) {
    fail("manufacturer", `must be an object with id and name; got ${show(value)}`);
    return { id: "", name: "" };
  }
  const id = readId(Object.hasOwn(value, "id") ? value.id : undefined, "manufacturer.id", fail);
  const given = Object.hasOwn(value, "name") ? value.name : undefined;
  const name = tidy(brandAttributes.name, "manufacturer.name", given, repair);
  if (!isBrandName(name)) checkValue(brandAttributes.name, name, "manufacturer.name", fail);
  return { id, name: typeof name === "string" ? name : "" };
}

/** Ids are opaque; but one with a comma or blanks around it could never be asked for in a filter. */
function readId(value: unknown, field: string, fail: Report): string {
  if (!isIdText(value)) checkValue(idSchema, value, field, fail);
  if (typeof value !== "string") return "";
  if (value.includes(",") || value.trim() !== value) {
    fail(field, `must not contain a comma, nor blanks at its ends; got ${show(value)}`);
  }
  return value;
}

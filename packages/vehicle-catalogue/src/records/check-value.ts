import type { Schema, SchemaTypeName } from "../schema.js";

/** Called for everything that is wrong, with the path below the checked value (`[3].power`) and words. */
export type Report = (path: string, message: string) => void;

/**
 * Checks a value against a schema and reports every violation. Almost all values are right, and for those no path is made
 * up: what is not is looked at again.
 */
export function checkValue(schema: Schema, value: unknown, path: string, report: Report): void {
  if (!conforms(schema, value, "", undefined)) conforms(schema, value, path, report);
}

/** Without a report, the first violation is enough. */
function conforms(schema: Schema, value: unknown, path: string, report: Report | undefined): boolean {
  if (value === undefined) {
    report?.(path, "is missing");
    return false;
  }
  const { type } = schema;
  if (type !== undefined && !(typeof type === "string" ? hasType(value, type) : hasOneOf(value, type))) {
    report?.(path, `must be ${[type].flat().map(nameOfType).join(" or ")}; got ${show(value)}`);
    return false;
  }
  let right = true;
  if (schema.enum !== undefined && !schema.enum.includes(value as string | number)) {
    report?.(path, `must be one of ${schema.enum.join(", ")}; got ${show(value)}`);
    right = false;
  }
  if (!right && report === undefined) return false;
  if (typeof value === "number") return isInRange(schema, value, path, report) && right;
  if (typeof value === "string") return hasLength(schema, value, path, report) && right;
  if (Array.isArray(value)) return hasItems(schema, value, path, report) && right;
  return !isRecord(value) || (hasMembers(schema, value, path, report) && right);
}

/** Whether a value is an object with members (no list, not null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in an error message: short, and never more than a hint of what is inside. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isRecord(value)) return "an object";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}...` : value);
}

function isInRange(schema: Schema, value: number, path: string, report: Report | undefined): boolean {
  const { minimum = value, maximum = value } = schema;
  if (value < minimum) report?.(path, `must be at least ${minimum}; got ${value}`);
  if (value > maximum) report?.(path, `must be at most ${maximum}; got ${value}`);
  return value >= minimum && value <= maximum;
}

function hasLength(schema: Schema, value: string, path: string, report: Report | undefined): boolean {
  const { minLength = 0, maxLength = value.length } = schema;
  if (value.length < minLength) report?.(path, "must not be empty");
  if (value.length > maxLength) {
    report?.(path, `must have at most ${maxLength} characters; got ${value.length}`);
  }
  return value.length >= minLength && value.length <= maxLength;
}

function hasItems(
  schema: Schema,
  list: readonly unknown[],
  path: string,
  report: Report | undefined,
): boolean {
  const { items, maxItems = list.length } = schema;
  if (list.length > maxItems) {
    report?.(path, `must have at most ${maxItems} items; got ${list.length}`);
    return false;
  }
  let right = true;
  if (schema.uniqueItems === true && list.length > 1 && new Set(list).size < list.length) {
    report?.(path, "must not repeat an item");
    right = false;
  }
  if (items === undefined) return right;
  for (let index = 0; index < list.length; index++) {
    const place = report === undefined ? "" : `${path}[${index}]`;
    if (conforms(items, list[index], place, report)) continue;
    right = false;
    if (report === undefined) break;
  }
  return right;
}

function hasMembers(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  report: Report | undefined,
): boolean {
  const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
  let right = true;
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue;
    report?.(`${path}.${name}`, "is missing");
    right = false;
  }
  const pattern = propertyNames === undefined ? undefined : compiled(propertyNames.pattern);
  for (const name of Object.keys(value)) {
    if (!right && report === undefined) return false;
    const member = value[name];
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) {
      right = conforms(known, member, report === undefined ? "" : `${path}.${name}`, report) && right;
    } else if (pattern !== undefined && !pattern.test(name)) {
      report?.(path, `must not have the key ${show(name)}: keys are decimal texts such as "11.0"`);
      right = false;
    } else if (typeof additionalProperties === "object") {
      const place = report === undefined ? "" : `${path}[${show(name)}]`;
      right = conforms(additionalProperties, member, place, report) && right;
    }
  }
  return right;
}

const patterns = new Map<string, RegExp>();

/** Patterns come from the few schemas that there are. */
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern);
  patterns.set(pattern, known);
  return known;
}

function hasOneOf(value: unknown, types: readonly SchemaTypeName[]): boolean {
  for (const type of types) if (hasType(value, type)) return true;
  return false;
}

function hasType(value: unknown, type: SchemaTypeName): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return Number.isFinite(value);
  return typeof value === type;
}

function nameOfType(type: SchemaTypeName): string {
  if (type === "null") return "null";
  if (type === "array") return "a list";
  if (type === "string") return "a text";
  if (type === "boolean") return "true or false";
  return type === "integer" || type === "object" ? `an ${type}` : `a ${type}`;
}

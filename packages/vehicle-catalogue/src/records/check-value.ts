import type { Schema, SchemaTypeName } from "../schema.js";

/** Called for everything that is wrong, with the path below the checked value (`[3].power`) and words. */
export type Report = (path: string, message: string) => void;

/** Checks a value against a schema and reports every violation. */
export function checkValue(schema: Schema, value: unknown, path: string, report: Report): void {
  if (value === undefined) {
    report(path, "is missing");
    return;
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    report(path, `must be ${types.map(nameOfType).join(" or ")}; got ${show(value)}`);
    return;
  }
  if (schema.enum !== undefined && !schema.enum.some((known) => known === value)) {
    report(path, `must be one of ${schema.enum.join(", ")}; got ${show(value)}`);
  }
  if (typeof value === "number") checkNumber(schema, value, path, report);
  else if (typeof value === "string") checkText(schema, value, path, report);
  else if (Array.isArray(value)) checkList(schema, value, path, report);
  else if (isRecord(value)) checkMembers(schema, value, path, report);
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

function checkNumber(schema: Schema, value: number, path: string, report: Report): void {
  if (schema.minimum !== undefined && value < schema.minimum) {
    report(path, `must be at least ${schema.minimum}; got ${value}`);
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    report(path, `must be at most ${schema.maximum}; got ${value}`);
  }
}

function checkText(schema: Schema, value: string, path: string, report: Report): void {
  if (value.length < (schema.minLength ?? 0)) report(path, "must not be empty");
  if (schema.maxLength !== undefined && value.length > schema.maxLength) {
    report(path, `must have at most ${schema.maxLength} characters; got ${value.length}`);
  }
}

function checkList(schema: Schema, list: readonly unknown[], path: string, report: Report): void {
  if (schema.maxItems !== undefined && list.length > schema.maxItems) {
    report(path, `must have at most ${schema.maxItems} items; got ${list.length}`);
    return;
  }
  if (schema.uniqueItems === true && new Set(list).size < list.length)
    report(path, "must not repeat an item");
  const { items } = schema;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) checkValue(items, item, `${path}[${index}]`, report);
}

function checkMembers(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  report: Report,
): void {
  const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
  for (const name of required) {
    if (!Object.hasOwn(value, name)) report(`${path}.${name}`, "is missing");
  }
  const pattern = propertyNames === undefined ? undefined : new RegExp(propertyNames.pattern);
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) checkValue(known, member, `${path}.${name}`, report);
    else if (pattern !== undefined && !pattern.test(name)) {
      report(path, `must not have the key ${show(name)}: keys are decimal texts such as "11.0"`);
    } else if (typeof additionalProperties === "object") {
      checkValue(additionalProperties, member, `${path}[${show(name)}]`, report);
    }
  }
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

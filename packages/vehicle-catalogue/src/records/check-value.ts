import type { Schema, SchemaTypeName } from "../schema.js";

/** Called for everything that is wrong, with the path below the checked value (`[3].power`) and words. */
export type Report = (path: string, message: string) => void;

/** Reports everything by which a value is against a schema. Of the many values that are right, `compiledCheck` says so sooner. */
export function checkValue(schema: Schema, value: unknown, path: string, report: Report): void {
  const types = [schema.type ?? []].flat();
  if (value === undefined) {
    report(path, "is missing");
  } else if (types.length > 0 && !types.some((type) => isOfType[type](value))) {
    report(path, `must be ${types.map(nameOfType).join(" or ")}; got ${show(value)}`);
  } else {
    if (schema.enum !== undefined && !schema.enum.includes(value as string | number)) {
      const known = schema.enum.filter((one) => one !== null).join(", ");
      report(path, `must be one of ${known}; got ${show(value)}`);
    }
    if (typeof value === "number") checkRange(schema, value, path, report);
    else if (typeof value === "string") checkLength(schema, value, path, report);
    else if (Array.isArray(value)) checkItems(schema, value, path, report);
    else if (isRecord(value)) checkMembers(schema, value, path, report);
  }
}

/** What the types of JSON Schema are in JavaScript. */
export const isOfType: Readonly<Record<SchemaTypeName, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
  integer: Number.isInteger,
  number: Number.isFinite,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
};

/** Whether a value is an object with members (no list, not null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in an error message: short, and never more than a hint of what is inside. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isRecord(value)) return "an object";
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return "a BigInt";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}...` : value);
}

function checkRange({ minimum, maximum }: Schema, value: number, path: string, report: Report): void {
  if (minimum !== undefined && value < minimum) report(path, `must be at least ${minimum}; got ${value}`);
  if (maximum !== undefined && value > maximum) report(path, `must be at most ${maximum}; got ${value}`);
}

function checkLength({ minLength, maxLength }: Schema, value: string, path: string, report: Report): void {
  if (minLength !== undefined && value.length < minLength) {
    const least =
      minLength === 1 ? "not be empty" : `have at least ${minLength} characters; got ${value.length}`;
    report(path, `must ${least}`);
  }
  if (maxLength !== undefined && value.length > maxLength) {
    report(path, `must have at most ${maxLength} characters; got ${value.length}`);
  }
}

function checkItems(schema: Schema, list: readonly unknown[], path: string, report: Report): void {
  const { items, maxItems, uniqueItems } = schema;
  if (maxItems !== undefined && list.length > maxItems) {
    report(path, `must have at most ${maxItems} items; got ${list.length}`);
    return;
  }
  if (uniqueItems === true && hasRepeats(list)) report(path, "must not repeat an item");
  if (items === undefined) return;
  // By the place, because a list may have gaps.
  for (let at = 0; at < list.length; at++) checkValue(items, list[at], `${path}[${at}]`, report);
}

function checkMembers(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  report: Report,
): void {
  const { properties = {}, required = [], maxProperties, propertyNames, additionalProperties } = schema;
  const members = Object.entries(value);
  if (maxProperties !== undefined && members.length > maxProperties) {
    report(path, `must have at most ${maxProperties} members; got ${members.length}`);
    return;
  }
  for (const name of required) if (!Object.hasOwn(value, name)) report(`${path}.${name}`, "is missing");
  const pattern = propertyNames && new RegExp(propertyNames.pattern);
  for (const [name, member] of members) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) {
      checkValue(known, member, `${path}.${name}`, report);
    } else if (pattern?.test(name) === false) {
      report(
        path,
        `must not have the key ${show(name)}: keys are ${propertyNames?.description ?? `like ${pattern.source}`}`,
      );
    } else if (additionalProperties === false) {
      report(`${path}.${name.slice(0, 100)}`, "is not declared");
    } else if (typeof additionalProperties === "object") {
      checkValue(additionalProperties, member, `${path}[${show(name)}]`, report);
    }
  }
}

/** Whether any two items of a list are equal: lists and objects by what they say, in whatever order of members. */
export function hasRepeats(list: readonly unknown[]): boolean {
  if (list.length < 2) return false;
  const nested = list.filter((item) => typeof item === "object" && item !== null);
  const flatter =
    nested.length === 0 ? list : list.filter((item) => typeof item !== "object" || item === null);
  return new Set(flatter).size < flatter.length || new Set(nested.map(ordered)).size < nested.length;
}

/** The text of a value, the same for equal ones. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    // JSON cannot say it; that it is wrong is told where it stands.
    if (typeof member === "bigint") return `${member}n`;
    if (!isRecord(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function nameOfType(type: SchemaTypeName): string {
  if (type === "null") return "null";
  if (type === "array") return "a list";
  if (type === "string") return "a text";
  if (type === "boolean") return "true or false";
  return type === "integer" || type === "object" ? `an ${type}` : `a ${type}`;
}

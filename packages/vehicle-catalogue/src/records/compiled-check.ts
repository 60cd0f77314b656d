import type { Schema, SchemaTypeName } from "../schema.js";
import { hasRepeats, isOfType, isRecord } from "./check-value.js";

/** Whether a value is right. */
export type Check = (value: unknown) => boolean;

/**
 * Makes a check of a schema, for the many values that are right. What is wrong with the others is told by `checkValue`, which
 * knows the same rules.
 */
export function compiledCheck(schema: Schema): Check {
  const { type, enum: known } = schema;
  const hasType = type === undefined ? isThere : typeof type === "string" ? isOfType[type] : oneOf(type);
  const isKnown = known === undefined ? undefined : new Set<unknown>(known);
  const [isInRange, hasLength] = [rangeCheck(schema), lengthCheck(schema)];
  const [hasItems, hasMembers] = [itemsCheck(schema), membersCheck(schema)];
  return (value) => {
    if (!hasType(value) || isKnown?.has(value) === false) return false;
    if (typeof value === "number") return isInRange(value);
    if (typeof value === "string") return hasLength(value);
    if (Array.isArray(value)) return hasItems(value);
    return !isRecord(value) || hasMembers(value);
  };
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}

function oneOf(types: readonly SchemaTypeName[]): Check {
  const checks = types.map((type) => isOfType[type]);
  return (value) => checks.some((check) => check(value));
}

function rangeCheck({ minimum = -Infinity, maximum = Infinity }: Schema): (value: number) => boolean {
  return (value) => value >= minimum && value <= maximum;
}

function lengthCheck({ minLength = 0, maxLength = Infinity }: Schema): (value: string) => boolean {
  return (value) => value.length >= minLength && value.length <= maxLength;
}

function itemsCheck({
  items,
  maxItems = Infinity,
  uniqueItems,
}: Schema): (list: readonly unknown[]) => boolean {
  const isRight = items === undefined ? undefined : compiledCheck(items);
  return (list) => {
    if (list.length > maxItems) return false;
    if (uniqueItems === true && hasRepeats(list)) return false;
    if (isRight === undefined) return true;
    // By the place, because a list may have gaps.
    for (let at = 0; at < list.length; at++) if (!isRight(list[at])) return false;
    return true;
  };
}

type Members = Readonly<Record<string, unknown>>;

function membersCheck(schema: Schema): (value: Members) => boolean {
  const { properties = {}, required = [], maxProperties = Infinity } = schema;
  const { propertyNames, additionalProperties } = schema;
  const known = Object.entries(properties).map(([name, member]) => ({
    name,
    isRight: compiledCheck(member),
  }));
  const isRightName = propertyNames === undefined ? undefined : rememberedCheck(propertyNames.pattern);
  const isRightMember =
    typeof additionalProperties === "object" ? compiledCheck(additionalProperties) : undefined;
  const hasNoRest = additionalProperties === false;
  const restIsFree =
    isRightName === undefined && isRightMember === undefined && !hasNoRest && maxProperties === Infinity;
  return (value) => {
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const { name, isRight } of known) {
      if (Object.hasOwn(value, name) && !isRight(value[name])) return false;
    }
    if (restIsFree) return true;
    const names = Object.keys(value);
    if (names.length > maxProperties) return false;
    for (const name of names) {
      if (Object.hasOwn(properties, name)) continue;
      if (hasNoRest || isRightName?.(name) === false || isRightMember?.(value[name]) === false) return false;
    }
    return true;
  };
}

/** So many names that were right are remembered, if they are no longer than this. */
const mostNames = 1000;
const longestName = 100;

/** Names of members recur. */
function rememberedCheck(pattern: string): (name: string) => boolean {
  const expression = new RegExp(pattern);
  const right = new Set<string>();
  return (name) => {
    if (right.has(name)) return true;
    const isRight = expression.test(name);
    if (isRight && right.size < mostNames && name.length <= longestName) right.add(name);
    return isRight;
  };
}

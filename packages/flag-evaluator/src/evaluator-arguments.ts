import { describeType, isFields } from "./json.js";

// What programs without types may pass in place of what is meant.

const knownOptions = new Set(["bigSegments", "fallback", "audience", "format", "withReasons", "allocate"]);

/** Programs without types misspell what they like. */
export function demandKnown(options: object): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`options must be an object, not ${shown(options)}`);
  for (const name in options) {
    if (!knownOptions.has(name))
      throw new TypeError(
        `there is no option ${JSON.stringify(name)}; there are ${[...knownOptions].join(", ")}`,
      );
  }
}

/** A text is a list of characters. */
export function demandKeys(keys: unknown): void {
  if (typeof keys === "string")
    throw new TypeError(`expected a list of keys, such as [${JSON.stringify(keys)}]`);
  if (typeof keys !== "object" || keys === null || !(Symbol.iterator in keys))
    throw new TypeError(`expected a list of keys, got ${describeType(keys)}`);
}

export function demandVersion(version: unknown): void {
  if (!Number.isInteger(version))
    throw new TypeError(`the version must be a whole number, not ${shown(version)}`);
}

/** Text that is no item is a problem of the data; anything else is one of the program. */
export function demandItem(item: unknown): void {
  if (typeof item !== "string" && !isFields(item))
    throw new TypeError(
      `expected a flag or segment as an object or its JSON text, got ${describeType(item)}`,
    );
}

export function demandChange(change: unknown): void {
  if (!isFields(change)) throw new TypeError(`expected { extent, items }, got ${describeType(change)}`);
  const { extent } = change;
  if (extent !== "full" && extent !== "partial")
    throw new TypeError(`extent must be "full" or "partial", not ${shown(extent)}`);
}

export function demandEvaluator(evaluator: unknown): void {
  if (!isFields(evaluator) || typeof evaluator.items !== "function" || typeof evaluator.item !== "function")
    throw new TypeError(`expected another evaluator, got ${describeType(evaluator)}`);
}

export function demandMemberships(bigSegments: unknown): void {
  if (!isFields(bigSegments) || typeof bigSegments.get !== "function")
    throw new TypeError(
      `bigSegments must be a Map from context keys to what is known of them, not ${describeType(bigSegments)}`,
    );
}

/** How messages show what was given. */
export function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? JSON.stringify(value) : describeType(value);
}

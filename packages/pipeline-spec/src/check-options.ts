import { nearest } from "./did-you-mean.js";
import { describeValue, isObject } from "./json-value.js";

/**
 * The options that a function takes, each with the only values that it may have: a list, `"limit"` for numbers from zero, `"text"`,
 * `"object"` for what has members of its own, unlike a Map or a Promise, or `"any"`.
 */
export type KnownOptions<T> = {
  readonly [K in keyof Required<T>]: "any" | "limit" | "text" | "object" | readonly T[K][];
};

/**
 * Refuses options that a function does not have, and values that they cannot have, which would otherwise be passed over in
 * silence.
 *
 * @throws TypeError that names the function, the option and what may have been meant
 */
export function checkOptions<T extends object>(caller: string, options: T, known: KnownOptions<T>): void {
  if (!isObject(options)) {
    throw new TypeError(`the options of ${caller} are an object, not ${describeValue(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(unknownOption(caller, name, Object.keys(known)));
    // The names of `known` are those of the options.
    const values = known[name as keyof T];
    if (value === undefined || isOneOf(value, values)) continue;
    throw new TypeError(`the option "${name}" of ${caller} is ${nameOf(values)}, not ${described(value)}`);
  }
}

type Values = "any" | "limit" | "text" | "object" | readonly unknown[];

function isOneOf(value: unknown, values: Values): boolean {
  if (values === "limit") return typeof value === "number" && value >= 0;
  if (values === "text") return typeof value === "string";
  // Objects of another realm are objects as well.
  if (values === "object") return kindOf(value) === "Object";
  return values === "any" || values.includes(value);
}

function nameOf(values: Values): string {
  if (values === "text") return "a text";
  if (values === "object") return "an object";
  if (typeof values === "string") return "a number, zero or more";
  return values.map((one) => JSON.stringify(one)).join(" or ");
}

/** What the language calls an object: `Object`, `Map`, `Promise`. */
const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

function described(value: unknown): string {
  const kind = kindOf(value);
  if (!isObject(value) || kind === "Object") return describeValue(value);
  return `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
}

function unknownOption(caller: string, name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  const help = meant === undefined ? `it has ${names.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`;
  return `${caller} has no option ${JSON.stringify(name)}: ${help}`;
}

import { checkOptions, describeValue, inexactIntegers } from "@wye/pipeline-spec";
import { isTooDeep, tooDeep } from "../json-depth.js";
import { renderValue } from "../render-value.js";
import type { ParameterTypeName } from "./parameter-type.js";

/** How strictly values are taken: as the back ends of Kubeflow do, or as the specification says. */
export type Profile = "kfp" | "spec";

/** All of them. */
export const profiles: readonly Profile[] = ["kfp", "spec"];

/** A value in its declared type, or why it has no such form. */
export type Conversion =
  | { readonly ok: true; readonly value: unknown; readonly warning?: string }
  | { readonly ok: false; readonly message: string };

/**
 * Brings a resolved value to the declared type of an input: texts take any value as text, all others take their own kind only.
 * Integers with a fraction or beyond ±(2^53 − 1) are wrong by the specification; the back ends take them. Such integers inside of a list
 * or a struct, or as a text, come with a warning: their last digits may be others than somebody wrote.
 */
export function convertParameter(
  value: unknown,
  type: ParameterTypeName,
  options: { readonly profile?: Profile } = {},
): Conversion {
  checkOptions("convertParameter", options, { profile: profiles });
  const { profile = "kfp" } = options;
  if (isTooDeep(value)) return { ok: false, message: `the value is ${tooDeep}` };
  if (type === "unspecified") return { ok: true, value };
  if (type === "STRING") return converted(renderValue(value), value);
  if (!Object.hasOwn(kinds, type))
    throw new TypeError(`convertParameter knows no type ${describeValue(type)}`);
  const wanted = kinds[type];
  const kind = kindOf(value);
  if (kind !== wanted) return { ok: false, message: `expected ${wanted} for type ${type}, got ${kind}` };
  if (type !== "NUMBER_INTEGER")
    return type === "NUMBER_DOUBLE" ? { ok: true, value } : converted(value, value);
  const message = integerProblem(value);
  if (message === undefined) return { ok: true, value };
  return profile === "spec" ? { ok: false, message } : { ok: true, value, warning: message };
}

/** A value, with what is to be said of the integers in what it was made of. */
function converted(value: unknown, from: unknown): Conversion {
  const warning = doubtsOf(from);
  return warning === undefined ? { ok: true, value } : { ok: true, value, warning };
}

/** What is to be said of the integers in a value whose type nobody has declared, or that becomes a text. */
export function doubtsOf(value: unknown): string | undefined {
  const integer = inexactIn(value);
  return integer === undefined ? undefined : inexact(integer);
}

/** What is to be said of a text that was made of a number in another text, which had other digits there. */
export function doubtsOfText(made: unknown, from: string): string | undefined {
  const digits = typeof made === "string" ? inexactIntegers(from).get(Number(made)) : undefined;
  return digits === undefined || digits === made
    ? undefined
    : `it is ${digits} in the text that is parsed, which becomes ${made}`;
}

/** The first integer in a value that is beyond the exact ones, and is written with its digits all the same. */
function inexactIn(value: unknown): number | undefined {
  const open = [value];
  for (let one = open.pop(); one !== undefined || open.length > 0; one = open.pop()) {
    if (typeof one === "number") {
      if (Number.isInteger(one) && !Number.isSafeInteger(one) && Math.abs(one) < 1e21) return one;
    } else if (typeof one === "object" && one !== null)
      for (const member of Object.values(one)) open.push(member);
  }
  return undefined;
}

const inexact = (integer: number): string =>
  `${integer} is beyond ±(2^53 − 1), where integers are not exact: use a STRING`;

const kinds = {
  NUMBER_DOUBLE: "number",
  NUMBER_INTEGER: "number",
  BOOLEAN: "bool",
  LIST: "list",
  STRUCT: "struct",
  TASK_FINAL_STATUS: "struct",
  TASK_CONFIG: "struct",
} as const;

/** The kind of a JSON value in the words of the back end. */
export function kindOf(value: unknown): "null" | "bool" | "number" | "string" | "list" | "struct" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return "number";
  return typeof value === "string" ? "string" : "struct";
}

function integerProblem(value: unknown): string | undefined {
  if (!Number.isInteger(value)) return `expected an integer, got ${value}`;
  return Number.isSafeInteger(value) ? undefined : inexact(Number(value));
}

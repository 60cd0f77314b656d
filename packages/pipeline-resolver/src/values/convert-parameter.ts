import { checkOptions, describeValue } from "@wye/pipeline-spec";
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
 * Integers with a fraction or beyond ±(2^53 − 1) are wrong by the specification; the back ends take them.
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
  if (type === "STRING") return { ok: true, value: renderValue(value) };
  if (!Object.hasOwn(kinds, type))
    throw new TypeError(`convertParameter knows no type ${describeValue(type)}`);
  const wanted = kinds[type];
  const kind = kindOf(value);
  if (kind !== wanted) return { ok: false, message: `expected ${wanted} for type ${type}, got ${kind}` };
  const message = type === "NUMBER_INTEGER" ? integerProblem(value) : undefined;
  if (message === undefined) return { ok: true, value };
  return profile === "spec" ? { ok: false, message } : { ok: true, value, warning: message };
}

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
  if (Number.isSafeInteger(value)) return undefined;
  return `${value} is beyond ±(2^53 − 1), where integers are not exact: use a STRING`;
}

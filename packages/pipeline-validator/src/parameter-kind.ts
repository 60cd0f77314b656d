import { type ParameterTypeName, parameterTypeOf } from "@wye/pipeline-resolver";
import type { ParameterType, PrimitiveType } from "@wye/pipeline-spec";

/** Name of a parameter type. */
export type ParameterKind = Exclude<ParameterTypeName, "unspecified">;

/** A parameter's declaration, as far as its type goes. */
export interface TypedDeclaration {
  readonly parameterType: ParameterType;
  readonly type: PrimitiveType;
}

/** The declared type of a parameter, also when it is declared by the deprecated field `type`. */
export function kindOf(declaration: TypedDeclaration | undefined): ParameterKind | undefined {
  const name = declaration && parameterTypeOf(declaration);
  return name === "unspecified" ? undefined : name;
}

/** True when a JSON value may be the value of a parameter of this type. */
export function fitsKind(value: unknown, kind: ParameterKind): boolean {
  switch (kind) {
    case "NUMBER_DOUBLE":
    case "NUMBER_INTEGER":
      return typeof value === "number";
    case "STRING":
      return typeof value === "string";
    case "BOOLEAN":
      return typeof value === "boolean";
    case "LIST":
      return Array.isArray(value);
    default:
      return isObject(value);
  }
}

/** The type that goes with a JSON value by itself; undefined for null. */
export function kindOfValue(value: unknown): ParameterKind | undefined {
  if (typeof value === "string") return "STRING";
  if (typeof value === "number") return "NUMBER_DOUBLE";
  if (typeof value === "boolean") return "BOOLEAN";
  if (Array.isArray(value)) return "LIST";
  return value === null || value === undefined ? undefined : "STRUCT";
}

/** True for an object that is not a list. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How a message speaks of a JSON value. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "number":
      return `the number ${value}`;
    case "boolean":
      return String(value);
    case "string":
      return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}…` : value)}`;
    default:
      return "an object";
  }
}

/** True when a number cannot be a NUMBER_INTEGER: it has a fraction, or is too large to be exact. */
export function isBadInteger(value: unknown): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

import { type ParameterTypeName, parameterTypeOf } from "@wye/pipeline-resolver";
import type { ParameterType, PrimitiveType } from "@wye/pipeline-spec";
import { isObject } from "@wye/pipeline-spec";

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

/** True when a number cannot be a NUMBER_INTEGER: it has a fraction, or is too large to be exact. */
export function isBadInteger(value: unknown): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

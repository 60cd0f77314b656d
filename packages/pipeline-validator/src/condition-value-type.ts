import type { ExpressionNode } from "@wye/pipeline-resolver";
import type { ParameterKind } from "./parameter-kind.js";

/** What a part of an expression gives. All numbers of parameters are doubles to CEL, also whole ones. */
export type ValueType = "text" | "double" | "int" | "bool" | "list" | "map";

/** The declared type of the input that a part of an expression reads. */
export type KindAt = (node: ExpressionNode) => ParameterKind | undefined;

/** What parameters give by their type. */
export const kindTypes: Readonly<Partial<Record<ParameterKind, ValueType>>> = {
  STRING: "text",
  NUMBER_DOUBLE: "double",
  NUMBER_INTEGER: "double",
  BOOLEAN: "bool",
  LIST: "list",
  STRUCT: "map",
};

/** What literals give by their type. */
export const literalTypes: Readonly<Record<string, ValueType>> = {
  string: "text",
  double: "double",
  int: "int",
  bool: "bool",
};

/** What a message calls a value. */
export const described: Readonly<Record<ValueType, string>> = {
  text: "a text",
  double: "a number",
  int: "a whole number",
  bool: "true or false",
  list: "a list",
  map: "an object",
};

/** True for numbers of either kind. */
export const isNumber = (type: ValueType): boolean => type === "double" || type === "int";

import type { ExpressionNode } from "@wye/pipeline-resolver";
import { ConditionTypes } from "./condition-types.js";
import { described, type KindAt, type ValueType } from "./condition-value-type.js";
import type { ParameterKind } from "./parameter-kind.js";

/** What the driver cannot make a value of a parameter of: lists and objects of CEL itself, and its times. */
const unusable: Readonly<Record<string, string>> = {
  map: "a list of CEL",
  filter: "a list of CEL",
  timestamp: "a point in time",
  duration: "a time span",
};

/** The members of the value, of which each has one type. */
const members: Readonly<Record<string, ParameterKind>> = {
  string_value: "STRING",
  number_value: "NUMBER_DOUBLE",
  bool_value: "BOOLEAN",
  list_value: "LIST",
  struct_value: "STRUCT",
};
const kindAt: KindAt = (node) => (node.kind === "name" ? members[node.name] : undefined);

/** What inputs take; one that is a text takes everything. */
const taken: Readonly<Partial<Record<ParameterKind, readonly ValueType[]>>> = {
  NUMBER_DOUBLE: ["double", "int"],
  NUMBER_INTEGER: ["double", "int"],
  BOOLEAN: ["bool"],
  LIST: ["list"],
  STRUCT: ["map"],
};

/** Why what a selector gives is never a value of an input of this type; `undefined` as long as it may be. */
export function misfit(root: ExpressionNode, wanted: ParameterKind): string | undefined {
  const never = unusableResult(root);
  if (never !== undefined) return `the selector gives ${never}, of which no parameter can be made`;
  const { type } = new ConditionTypes(root, kindAt);
  const kinds = taken[wanted];
  if (type === undefined || kinds === undefined || kinds.includes(type)) return undefined;
  return `the selector gives ${described[type]}, but the input is of type ${wanted}`;
}

function unusableResult(root: ExpressionNode): string | undefined {
  if (root.kind === "list") return "a list of CEL";
  if (root.kind === "map") return "an object of CEL";
  return root.kind === "call" && Object.hasOwn(unusable, root.name) ? unusable[root.name] : undefined;
}

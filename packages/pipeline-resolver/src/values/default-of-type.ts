import type { ParameterTypeName } from "./parameter-type.js";

/** What the specification gives an optional input without a value and without a default of its own; undefined where a type has no default. */
export function defaultOfType(type: ParameterTypeName): unknown {
  switch (type) {
    case "STRING":
      return "";
    case "NUMBER_INTEGER":
    case "NUMBER_DOUBLE":
      return 0;
    case "BOOLEAN":
      return false;
    case "LIST":
      return [];
    case "STRUCT":
      return {};
    default:
      return undefined;
  }
}

import { checkArguments, enumName, ParameterType, PrimitiveType } from "@wye/pipeline-spec";

/** The types that a parameter can have; `unspecified` for files that state none. */
export type ParameterTypeName =
  | "unspecified"
  | "NUMBER_DOUBLE"
  | "NUMBER_INTEGER"
  | "STRING"
  | "BOOLEAN"
  | "LIST"
  | "STRUCT"
  | "TASK_FINAL_STATUS"
  | "TASK_CONFIG";

const oldNames: ReadonlyMap<PrimitiveType, ParameterTypeName> = new Map([
  [PrimitiveType.INT, "NUMBER_INTEGER"],
  [PrimitiveType.DOUBLE, "NUMBER_DOUBLE"],
  [PrimitiveType.STRING, "STRING"],
]);

/** The declared type of a parameter; old files state it in the field `type`. */
export function parameterTypeOf(spec: {
  readonly parameterType: ParameterType;
  readonly type: PrimitiveType;
}): ParameterTypeName {
  checkArguments("parameterTypeOf", "object", { declaration: spec });
  const name = enumName(ParameterType, spec.parameterType);
  if (name !== undefined && name !== "PARAMETER_TYPE_ENUM_UNSPECIFIED") return name;
  return oldNames.get(spec.type) ?? "unspecified";
}

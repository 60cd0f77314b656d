import { isObject } from "@wye/pipeline-spec";
import type { Json, JsonObject } from "../text/json.js";
import { type Field, type FieldKind, fieldsOf } from "./field-kinds.js";

/** An object of a type as the back end prints it: without what is empty, and with what is printed always. */
export function printedObject(type: string, value: JsonObject): JsonObject {
  const fields = fieldsOf(type);
  const given = Object.entries(value).flatMap(([name, member]): (readonly [string, Json | undefined])[] => {
    const field = fields.get(name);
    if (field === undefined || member === undefined) return [[name, member]];
    const printed = printedValue(field.kind, member);
    return isLeftOut(field, printed) ? [] : [[name, printed]];
  });
  const absent = [...fields].flatMap(([name, { kind, otherwise }]): (readonly [string, Json])[] => {
    if (otherwise === undefined || value[name] !== undefined) return [];
    return [[name, otherwise === "null" ? null : zeroOf(kind)]];
  });
  return Object.fromEntries([...given, ...absent]);
}

function printedValue(kind: FieldKind, value: Json): Json {
  if (kind.form === "object") return isObject(value) ? printedObject(kind.type, value) : value;
  if (kind.form === "list")
    return Array.isArray(value) ? value.map((item: Json) => printedValue(kind.of, item)) : value;
  if (kind.form === "scalar" || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member === undefined ? member : printedValue(kind.of, member),
    ]),
  );
}

function isLeftOut({ kind, isKept }: Field, value: Json): boolean {
  if (isKept) return false;
  if (kind.form === "scalar") return kind.scalar.isEmpty === true && value === kind.scalar.zero;
  if (kind.form === "list") return Array.isArray(value) && value.length === 0;
  return kind.form === "map" && isObject(value) && Object.keys(value).length === 0;
}

function zeroOf(kind: FieldKind): Json {
  if (kind.form === "object") return printedObject(kind.type, {});
  return kind.form === "scalar" ? kind.scalar.zero : null;
}

import { hintOfField } from "./field-hints.js";
import { isObject } from "./json-value.js";
import type { FormHint } from "./reading.js";
import { shortLine } from "./short-line.js";

// What people write in a shorter form, or in the form that another tool has for it.

type Hint = (json: unknown) => string | undefined;

const isText = (json: unknown): json is string => typeof json === "string";

const textAs =
  (field: string): Hint =>
  (json) =>
    isText(json) ? `write {${field}: ${shortLine(json)}}` : undefined;

const outputAs =
  (key: string): Hint =>
  (json) => {
    const [, task, output = "…"] = isText(json)
      ? (/^([\w-]+)(?:\.(?:outputs?\.)?([\w-]+))?$/.exec(json) ?? [])
      : [];
    return task === undefined ? undefined : `write {producerTask: ${task}, ${key}: ${output}}`;
  };

const ofMessages: Readonly<Record<string, Hint>> = {
  ArtifactTypeSchema: textAs("schemaTitle"),
  CachingOptions: (json) => (typeof json === "boolean" ? `write {enableCache: ${json}}` : undefined),
  ComponentRef: textAs("name"),
  EnvVar: (json) => {
    const [, name, value] = isText(json) ? (/^(\w+)=([\s\S]*)$/.exec(json) ?? []) : [];
    return name === undefined ? undefined : `write {name: ${name}, value: ${shortLine(value)}}`;
  },
  ImagePullSecret: (json) =>
    isText(json) ? `write {secretNameParameter: {runtimeValue: {constant: ${shortLine(json)}}}}` : undefined,
  InputParameterSpec: (json) => `write {runtimeValue: {constant: ${shortLine(json)}}}`,
  ParameterItemsSpec: (json) => {
    if (isText(json)) return `write {inputParameter: ${shortLine(json)}}`;
    return Array.isArray(json) ? `write {raw: '${listText(json)}'}` : undefined;
  },
  PipelineInfo: textAs("name"),
  PipelineTaskInfo: textAs("name"),
  TaskFinalStatus: textAs("producerTask"),
  TaskOutputArtifactSpec: outputAs("outputArtifactKey"),
  TaskOutputParameterSpec: outputAs("outputParameterKey"),
  TriggerPolicy: textAs("condition"),
  ValueOrRuntimeParameter: (json) => `write {constant: ${shortLine(json)}}`,
};

function listText(list: readonly unknown[]): string {
  const text = JSON.stringify(list).replaceAll("'", "''");
  return text.length > 60 ? "[…]" : text;
}

function ofList(json: unknown, key: string | number | undefined): string | undefined {
  if (json === null) return undefined;
  const isLine = (key === "command" || key === "args") && isText(json) && /\s/.test(json);
  return isLine ? "make each word an item of the list" : `write [${shortLine(json)}]`;
}

/** A list where one value is to stand. */
function ofText(json: unknown, key: string | number | undefined): string | undefined {
  if (!Array.isArray(json)) return undefined;
  if (key === "raw") return `write '${listText(json)}'`;
  const [only]: readonly unknown[] = json;
  return json.length === 1 && isText(only) ? `write ${shortLine(only)}` : undefined;
}

const parameterTypes: Readonly<Record<string, RegExp>> = {
  STRING: /^(?:str|string|text)$/i,
  NUMBER_INTEGER: /^(?:int|integer|number_integer|int64|int32)$/i,
  NUMBER_DOUBLE: /^(?:float|double|number|number_double|float64)$/i,
  BOOLEAN: /^(?:bool|boolean)$/i,
  LIST: /^(?:list|array|jsonarray)$/i,
  STRUCT: /^(?:struct|dict|map|object|json|jsonobject)$/i,
};

/** The type of a parameter by the name that a language, or the old field, has for it. */
function ofType(json: unknown, isOldField: boolean): string | undefined {
  const [meant] = Object.entries(parameterTypes).find(([, names]) => isText(json) && names.test(json)) ?? [];
  if (meant === undefined) return undefined;
  return isOldField ? `write parameterType: ${meant}` : `did you mean "${meant}"?`;
}

/** One object in a list of its own. */
const alone: Hint = (json) =>
  Array.isArray(json) && json.length === 1 && isObject(json[0])
    ? "leave out the list around it, or its dash"
    : undefined;

function ofEnvironment(env: { readonly [name: string]: unknown }): string {
  const [first] = Object.entries(env);
  if (first === undefined) return "put a dash before each item";
  return `write a list of {name: ${shortLine(first[0])}, value: ${shortLine(first[1])}}`;
}

/** What to write in a pipeline in the place of what people write. */
export const formHint: FormHint = (expected, json, key) => {
  switch (expected) {
    case "map":
      return Array.isArray(json) ? "write a name and a colon in the place of each dash" : undefined;
    case "list":
      if (!isObject(json)) return ofList(json, key);
      return key === "env" ? ofEnvironment(json) : "put a dash before each item";
    case "text":
      return ofText(json, key);
    case "ParameterType":
      return ofText(json, undefined) ?? ofType(json, false);
    case "PrimitiveType":
      return ofType(json, true);
    default:
      return key === undefined
        ? (ofMessages[expected]?.(json) ?? alone(json))
        : hintOfField(expected, json, key);
  }
};

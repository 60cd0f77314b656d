import { isObject } from "./json-value.js";
import { yamlLine } from "./print-yaml.js";
import type { FormHint } from "./reading.js";

// What people write in a shorter form, or in the form that another tool has for it.

type Hint = (json: unknown) => string | undefined;

const isText = (json: unknown): json is string => typeof json === "string";

/** A value on one line, cut where it is long. */
function short(json: unknown): string {
  const line = yamlLine(json);
  return line.length > 60 ? "…" : line;
}

const textAs =
  (field: string): Hint =>
  (json) =>
    isText(json) ? `write {${field}: ${short(json)}}` : undefined;

const outputAs =
  (key: string): Hint =>
  (json) => {
    const [, task, output] = isText(json) ? (/^([\w-]+)\.(?:outputs?\.)?([\w-]+)$/.exec(json) ?? []) : [];
    return task === undefined ? undefined : `write {producerTask: ${task}, ${key}: ${output}}`;
  };

const ofMessages: Readonly<Record<string, Hint>> = {
  ArtifactTypeSchema: textAs("schemaTitle"),
  CachingOptions: (json) => (typeof json === "boolean" ? `write {enableCache: ${json}}` : undefined),
  ComponentRef: textAs("name"),
  EnvVar: (json) => {
    const [, name, value] = isText(json) ? (/^(\w+)=([\s\S]*)$/.exec(json) ?? []) : [];
    return name === undefined ? undefined : `write {name: ${name}, value: ${short(value)}}`;
  },
  InputParameterSpec: (json) => `write {runtimeValue: {constant: ${short(json)}}}`,
  ParameterItemsSpec: (json) => {
    if (isText(json)) return `write {inputParameter: ${short(json)}}`;
    return Array.isArray(json) ? `write {raw: '${listText(json)}'}` : undefined;
  },
  PipelineInfo: textAs("name"),
  PipelineTaskInfo: textAs("name"),
  TaskOutputArtifactSpec: outputAs("outputArtifactKey"),
  TaskOutputParameterSpec: outputAs("outputParameterKey"),
  TriggerPolicy: textAs("condition"),
  ValueOrRuntimeParameter: (json) => `write {constant: ${short(json)}}`,
};

function listText(list: readonly unknown[]): string {
  const text = JSON.stringify(list).replaceAll("'", "''");
  return text.length > 60 ? "[…]" : text;
}

const ofList: Hint = (json) => (json === null ? undefined : `write [${short(json)}]`);

function ofEnvironment(env: { readonly [name: string]: unknown }): string {
  const [first] = Object.entries(env);
  if (first === undefined) return "put a dash before each item";
  return `write a list of {name: ${short(first[0])}, value: ${short(first[1])}}`;
}

/** What to write for a field that Kubernetes has, or that another tool has for one. */
function ofField(message: string, value: unknown, key: string | number): string | undefined {
  if (message === "PipelineSpec" && key === "platforms") {
    return "put --- before it: the platform specification is a document of its own";
  }
  if (message === "EnvVar" && isText(value)) return `write {name: ${short(key)}, value: ${short(value)}}`;
  if (message !== "ResourceSpec" || (key !== "limits" && key !== "requests")) return undefined;
  const kind = key === "limits" ? "Limit" : "Request";
  return `write resourceCpu${kind} and resourceMemory${kind}`;
}

/** What to write in a pipeline in the place of what people write. */
export const formHint: FormHint = (expected, json, key) => {
  if (expected === "map") {
    return Array.isArray(json) ? "write a name and a colon in the place of each dash" : undefined;
  }
  if (expected === "list") {
    if (!isObject(json)) return ofList(json);
    return key === "env" ? ofEnvironment(json) : "put a dash before each item";
  }
  return key === undefined ? ofMessages[expected]?.(json) : ofField(expected, json, key);
};

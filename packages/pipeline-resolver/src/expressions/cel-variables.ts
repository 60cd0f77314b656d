import { EvaluationError } from "@marcbachmann/cel-js";
import type { ExecutorInput, PartialMessage } from "@wye/pipeline-spec";
import { isTooDeep, tooDeep } from "../json-depth.js";
import { renderValue } from "../render-value.js";
import type { ExpressionReference } from "./expression-reference.js";
import { createMessage } from "./message-fields.js";

type Inputs = PartialMessage<ExecutorInput>["inputs"];
type Artifacts = NonNullable<Inputs>["artifacts"];
type TypedValues = NonNullable<Inputs>["parameters"];
type TypedValue = NonNullable<TypedValues>[string];

/** `inputs` and `outputs` of a condition. Only what the expression names is prepared. */
export function conditionVariables(
  { inputs, outputs }: PartialMessage<ExecutorInput>,
  references: readonly ExpressionReference[],
): ReadonlyMap<string, unknown> {
  const pick = <T>(
    source: string,
    map: Readonly<Record<string, T>> | undefined,
    convert: (value: T) => unknown,
  ) => new Map(entriesRead(source, map, references).map(([name, value]) => [name, convert(value)]));
  const variables = new Map<string, unknown>();
  if (references.some(({ source }) => source.startsWith("inputs"))) {
    const fields = {
      parameters: pick("inputs.parameters", inputs?.parameters, typedValue),
      artifacts: pick("inputs.artifacts", inputs?.artifacts, artifactList),
      parameter_values: pick("inputs.parameter_values", inputs?.parameterValues, checkedValue),
    };
    variables.set("inputs", createMessage(fields));
  }
  if (references.some(({ source }) => source.startsWith("outputs"))) {
    const file = (one: { readonly outputFile?: string } | undefined): object =>
      createMessage({ output_file: one?.outputFile ?? "" });
    const fields = {
      parameters: pick("outputs.parameters", outputs?.parameters, file),
      artifacts: pick("outputs.artifacts", outputs?.artifacts, artifactList),
      output_file: outputs?.outputFile ?? "",
    };
    variables.set("outputs", createMessage(fields));
  }
  return variables;
}

/** The members of a value for a selector: the one that is set, and always `string_value`. */
export function selectorVariables(
  value: unknown,
  references: readonly ExpressionReference[],
): ReadonlyMap<string, unknown> {
  const variables = new Map<string, unknown>();
  if (typeof value === "string") return variables.set("string_value", value);
  refuseDeep(value);
  if (references.some(({ source }) => source === "string_value"))
    variables.set("string_value", renderValue(value));
  if (value === null || value === undefined) return variables.set("null_value", null);
  if (typeof value === "number") return variables.set("number_value", value);
  if (typeof value === "boolean") return variables.set("bool_value", value);
  return variables.set(Array.isArray(value) ? "list_value" : "struct_value", celValue(value));
}

/** The entries that an expression can come across: those that it spells out, or all when it computes a name. */
function entriesRead<T>(
  source: string,
  map: Readonly<Record<string, T>> = {},
  references: readonly ExpressionReference[] = [],
): readonly (readonly [string, T])[] {
  const found = new Map<string, T>();
  for (const reference of references) {
    const { name } = reference;
    if (name === undefined && source.startsWith(reference.source)) return Object.entries(map);
    if (name === undefined || reference.source !== source || !Object.hasOwn(map, name)) continue;
    // The map has this entry.
    found.set(name, map[name] as T);
  }
  return [...found];
}

/** Values come from runs: what is too deep must not end somewhere in the stack. */
function refuseDeep(value: unknown): void {
  if (isTooDeep(value))
    throw new EvaluationError({ code: "limit_exceeded", message: `the value is ${tooDeep}` });
}

function checkedValue(value: unknown): unknown {
  refuseDeep(value);
  return celValue(value);
}

/**
 * JSON for the engine. It tells maps by their constructor, so an object with a key of that name must be a `Map`.
 */
export function celValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.some(isComposite) ? value.map(celValue) : value;
  const entries = Object.entries(value);
  if (Object.hasOwn(value, "constructor")) return new Map(entries.map(([key, one]) => [key, celValue(one)]));
  if (!entries.some(([, one]) => isComposite(one))) return value;
  return new Map(entries.map(([key, one]) => [key, celValue(one)]));
}

const isComposite = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Old typed values: all three members are there, the unset ones with their zero. */
function typedValue(value: TypedValue | undefined): unknown {
  const set = value?.value;
  return createMessage({
    int_value: set?.$case === "intValue" ? BigInt(set.value ?? 0) : 0n,
    double_value: set?.$case === "doubleValue" ? (set.value ?? 0) : 0,
    string_value: set?.$case === "stringValue" ? (set.value ?? "") : "",
  });
}

function typedValues(values: TypedValues): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(values ?? {}).map(([name, value]) => [name, typedValue(value)]));
}

function artifactList(list: NonNullable<Artifacts>[string] | undefined): unknown {
  return createMessage({
    artifacts: (list?.artifacts ?? []).map((artifact) => {
      const kind = artifact.type?.kind;
      return createMessage({
        name: artifact.name ?? "",
        type: createMessage({
          schema_title: kind?.$case === "schemaTitle" ? (kind.value ?? "") : "",
          schema_uri: kind?.$case === "schemaUri" ? (kind.value ?? "") : "",
          instance_schema: kind?.$case === "instanceSchema" ? (kind.value ?? "") : "",
          schema_version: artifact.type?.schemaVersion ?? "",
        }),
        uri: artifact.uri ?? "",
        properties: typedValues(artifact.properties),
        custom_properties: typedValues(artifact.customProperties),
        metadata: celValue(artifact.metadata ?? {}),
        custom_path: artifact.customPath ?? "",
      });
    }),
  });
}

import { isObject, parsePipeline } from "@wye/pipeline-spec";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../wire/read-message.js";

/** A specification that a file holds, or why the server takes none from it. */
export type StoredSpec = { readonly spec: JsonObject } | { readonly reason: string };

/** Takes the specification out of the bytes of a file: one document, or `{ pipeline_spec, platform_spec }` for two. */
export function specOfFile(bytes: Uint8Array): StoredSpec {
  const documents = parseAllDocuments(new TextDecoder().decode(bytes), {
    logLevel: "silent",
    version: "1.2",
  });
  const values: unknown[] = [];
  try {
    for (const document of documents) {
      if (document.errors.length > 0) return { reason: "unknown template format" };
      values.push(document.toJS({ maxAliasCount: 100 }));
    }
  } catch {
    return { reason: "unknown template format" };
  }
  const [first, second] = values.filter(isObject);
  if (first === undefined) return { reason: "unknown template format" };
  // A workflow of version 1 is kept as it is.
  if (first.kind === "Workflow") return { spec: first };
  const reason = whyNot(second === undefined ? first : { pipeline_spec: first, platform_spec: second }, true);
  if (reason !== undefined) return { reason };
  return { spec: second === undefined ? first : { pipeline_spec: first, platform_spec: second } };
}

/** Why a specification is not taken; undefined when it is. Names of pipelines are only looked at in uploads. */
export function whyNot(spec: JsonObject, isUpload: boolean): string | undefined {
  const parsed = parsePipeline(JSON.stringify(spec), { deprecations: false });
  if (!parsed.ok || Object.keys(spec).length === 0) return "unknown template format";
  const { schemaVersion, pipelineInfo } = parsed.pipeline.spec;
  if (schemaVersion !== "2.1.0") {
    return `KFP only supports schema version 2.1.0, but the pipeline spec has version ${schemaVersion}`;
  }
  if (isUpload && !/^[a-z0-9][a-z0-9-]{0,127}$/.test(pipelineInfo?.name ?? "")) {
    return "pipeline's name must contain only lower case alphanumeric characters or '-' and must start with alphanumeric characters";
  }
  return undefined;
}

/** The specification itself, without that of the platform. */
function ownSpec(spec: JsonObject): JsonObject {
  return isObject(spec.pipeline_spec) ? spec.pipeline_spec : spec;
}

/** The name of a component that is referred to and not there. */
export function danglingComponent(
  spec: JsonObject,
): { readonly component: string; readonly missing: string } | undefined {
  const own = ownSpec(spec);
  const components = isObject(own.components) ? own.components : {};
  for (const [component, value] of [["root", own.root], ...Object.entries(components)] as [
    string,
    unknown,
  ][]) {
    const dag = isObject(value) && isObject(value.dag) ? value.dag : {};
    for (const task of Object.values(isObject(dag.tasks) ? dag.tasks : {})) {
      const reference = isObject(task) && isObject(task.componentRef) ? task.componentRef.name : undefined;
      if (typeof reference === "string" && !Object.hasOwn(components, reference))
        return { component, missing: reference };
    }
  }
  return undefined;
}

const types: Readonly<Record<string, { readonly word: string; readonly fits: (value: unknown) => boolean }>> =
  {
    STRING: { word: "string", fits: (value) => typeof value === "string" },
    NUMBER_INTEGER: { word: "integer", fits: (value) => typeof value === "number" },
    NUMBER_DOUBLE: { word: "double", fits: (value) => typeof value === "number" },
    BOOLEAN: { word: "boolean", fits: (value) => typeof value === "boolean" },
    LIST: { word: "list", fits: Array.isArray },
    STRUCT: { word: "struct", fits: isObject },
  };

/** What is wrong with the parameters of a run: one thing at a time. */
export function parameterReason(spec: JsonObject, parameters: JsonObject): string | undefined {
  const root = ownSpec(spec).root;
  const inputs = isObject(root) && isObject(root.inputDefinitions) ? root.inputDefinitions : {};
  const declared = isObject(inputs.parameters) ? inputs.parameters : {};
  const extra = Object.keys(parameters).filter((name) => !Object.hasOwn(declared, name));
  if (extra.length > 0) return `parameter(s) provided are not required by pipeline: ${extra.join(", ")}`;
  for (const [name, value] of Object.entries(declared)) {
    const definition = isObject(value) ? value : {};
    if (!Object.hasOwn(parameters, name)) {
      if (definition.isOptional === true || definition.defaultValue !== undefined) continue;
      return `parameter ${name} is not optional, yet has neither default value nor user provided value`;
    }
    const type = types[`${definition.parameterType}`];
    if (type === undefined || type.fits(parameters[name])) continue;
    return `input parameter ${name} requires type ${type.word}, but the input parameter is not of ${type.word} value type`;
  }
  return undefined;
}

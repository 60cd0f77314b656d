import { apiResource } from "./api-resource.js";
import { didYouMean, nearest } from "./did-you-mean.js";
import { isObject } from "./json-value.js";
import { messageShape } from "./pipeline-shapes.js";
import type { SpecProblemCode } from "./spec-problem-code.js";

/** What a document is, and where in it the specifications are. */
export type DocumentKind =
  | { readonly kind: "specification" | "platform" | "unknown" }
  | { readonly kind: "job"; readonly spec: string | undefined }
  /** Another resource of Kubernetes: fine beside a PipelineVersion, and no pipeline without one. */
  | { readonly kind: "resource"; readonly name: string }
  | {
      readonly kind: "bundle";
      readonly spec: readonly string[];
      readonly platform: readonly string[] | undefined;
      /** True for a run or recurring run of the API, which says what it is started with. */
      readonly isRun?: boolean;
      /** Fields of a resource of Kubernetes with other names than they have there: where they are, and what was meant. */
      readonly misspelt?: readonly { readonly path: readonly string[]; readonly meant: string }[];
    }
  | {
      readonly kind: "refused";
      readonly code: SpecProblemCode;
      readonly message: string;
      readonly hint: string;
    };

/** Tells by its top-level keys what a document is meant to be. */
export function documentKind(value: unknown): DocumentKind {
  if (!isObject(value)) return { kind: "unknown" };
  const key = (name: string, proto: string) =>
    [name, proto].find((spelling) => Object.hasOwn(value, spelling));
  const resource = kubernetesResource(value);
  if (resource !== undefined) return resource;
  const spec = key("pipelineSpec", "pipeline_spec");
  const platform = key("platformSpec", "platform_spec");
  if (spec !== undefined && platform !== undefined && Object.keys(value).length === 2) {
    return { kind: "bundle", spec: [spec], platform: [platform] };
  }
  const resourceOfApi = apiResource(value, spec);
  if (resourceOfApi !== undefined) return resourceOfApi;
  if (spec !== undefined || key("runtimeConfig", "runtime_config") !== undefined)
    return { kind: "job", spec };
  // Where somebody has lost the line between the two specifications, the greater one is told what it has no field for.
  const isSpecification = key("pipelineInfo", "pipeline_info") !== undefined && Object.hasOwn(value, "root");
  if (Object.hasOwn(value, "platforms") && !isSpecification) return { kind: "platform" };
  if (Object.keys(value).length === 0 || resembles(value, "PipelineSpec", false))
    return { kind: "specification" };
  if (Object.hasOwn(value, "implementation")) {
    return {
      kind: "refused",
      code: "version-1",
      message: "this is a component of version 1 of Kubeflow Pipelines",
      hint: "compile it with version 2 of the SDK",
    };
  }
  return { kind: "unknown" };
}

function kubernetesResource(value: { readonly [key: string]: unknown }): DocumentKind | undefined {
  const { apiVersion, kind, spec } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  if (apiVersion.startsWith("argoproj.io/")) {
    return {
      kind: "refused",
      code: "version-1",
      message: `this is an Argo ${kind}, which version 1 of Kubeflow Pipelines made`,
      hint: "compile the pipeline with version 2 of the SDK",
    };
  }
  const isVersion = apiVersion.startsWith("pipelines.kubeflow.org/") && kind === "PipelineVersion";
  if (!isVersion || !isObject(spec)) return { kind: "resource", name: kind };
  const found = ["pipelineSpec", "platformSpec"].map((meant) => ({ meant, name: fieldOf(spec, meant) }));
  const [specPath, platform] = found.map(({ name }) => (name === undefined ? undefined : ["spec", name]));
  if (specPath === undefined) return { kind: "resource", name: kind };
  const misspelt = found.flatMap(({ name, meant }) =>
    name === undefined || name === meant ? [] : [{ path: ["spec", name], meant }],
  );
  return { kind: "bundle", spec: specPath, platform, misspelt };
}

const versionFields = [
  "codeSourceURL",
  "description",
  "displayName",
  "pipelineName",
  "pipelineSpec",
  "pipelineSpecURI",
  "platformSpec",
  "tags",
  "versionName",
];

/** The key of a field in the `spec` of a PipelineVersion; a misspelt one where there is none. Kubernetes knows one spelling, and loses all else. */
function fieldOf(spec: { readonly [key: string]: unknown }, name: string): string | undefined {
  if (Object.hasOwn(spec, name)) return name;
  return Object.keys(spec)
    .slice(0, mostKeys)
    .find(
      (key) => isObject(spec[key]) && !versionFields.includes(key) && nearest(key, versionFields) === name,
    );
}

/** As many keys as any message has fields; a document with more of them is none of ours. */
const mostKeys = 50;

/** True when some key of a value is a field of a message, or a misspelling of one. */
export function resembles(
  value: unknown,
  message: "PipelineSpec" | "PlatformSpec",
  misspelt: boolean,
): boolean {
  if (!isObject(value)) return false;
  const { fields } = messageShape(message);
  if (fields.some(({ json, name }) => Object.hasOwn(value, json) || Object.hasOwn(value, name))) return true;
  if (!misspelt) return false;
  const names = fields.flatMap(({ json, name }) => [json, name]);
  return Object.keys(value)
    .slice(0, mostKeys)
    .some((key) => didYouMean(key, names) !== undefined);
}

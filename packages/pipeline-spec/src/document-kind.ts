import { apiResource } from "./api-resource.js";
import { didYouMean } from "./did-you-mean.js";
import { isObject } from "./json-value.js";
import { kubernetesResource } from "./kubernetes-resource.js";
import { fieldOf, type MisspeltField, misspeltField, mostKeys } from "./misspelt-field.js";
import { messageShape } from "./pipeline-shapes.js";
import type { SpecProblemCode } from "./spec-problem-code.js";
import { valueAt } from "./value-at.js";
import { argoResource } from "./version-1.js";

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
      readonly misspelt: readonly MisspeltField[];
    }
  | {
      readonly kind: "refused";
      readonly code: SpecProblemCode;
      readonly message: string;
      readonly hint: string;
    };

/** Tells by its top-level keys what a document is meant to be. */
export function documentKind(value: unknown): DocumentKind {
  const kind = isObject(value) ? kindOfObject(value) : ({ kind: "unknown" } as const);
  if (kind.kind !== "job" && kind.kind !== "bundle") return kind;
  // Whatever is around it, nothing that is read of a workflow is of use.
  const path = typeof kind.spec === "object" ? kind.spec : [kind.spec ?? ""];
  return argoResource(valueAt(value, path)) ?? kind;
}

function kindOfObject(value: { readonly [key: string]: unknown }): DocumentKind {
  const key = (name: string, proto: string) =>
    [name, proto].find((spelling) => Object.hasOwn(value, spelling));
  const resource = kubernetesResource(value);
  if (resource !== undefined) return resource;
  const [exactSpec, exactPlatform] = [
    key("pipelineSpec", "pipeline_spec"),
    key("platformSpec", "platform_spec"),
  ];
  const spec = exactSpec ?? misspeltSpecification(value);
  const platform =
    exactPlatform ?? (spec === undefined ? undefined : fieldOf(value, "platformSpec", bundleFields));
  const isBundleField = (name: string) =>
    name === spec || name === platform || /^(?:pipeline|platform)(?:S|_s)pec$/.test(name);
  if (spec !== undefined && platform !== undefined && Object.keys(value).every(isBundleField)) {
    const owner = "an object of the API";
    const misspelt = [
      ...(exactSpec === undefined ? misspeltField([spec], "pipelineSpec", owner) : []),
      ...(exactPlatform === undefined ? misspeltField([platform], "platformSpec", owner) : []),
    ];
    return { kind: "bundle", spec: [spec], platform: [platform], misspelt };
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

const bundleFields = ["pipelineSpec", "platformSpec"];
const jobFields = [...bundleFields, "displayName", "labels", "name", "runtimeConfig"];

/** A misspelt `pipelineSpec`, when that is the only reading. */
function misspeltSpecification(value: { readonly [key: string]: unknown }): string | undefined {
  if (resembles(value, "PipelineSpec", false)) return undefined;
  const name = fieldOf(value, "pipelineSpec", jobFields);
  return name !== undefined && resembles(value[name], "PipelineSpec", false) ? name : undefined;
}

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

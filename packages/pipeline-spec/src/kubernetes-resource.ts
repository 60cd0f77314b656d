import type { DocumentKind } from "./document-kind.js";
import { isObject } from "./json-value.js";
import { fieldOf, type MisspeltField, misspeltField } from "./misspelt-field.js";
import { argoResource } from "./version-1.js";

/** A resource of Kubernetes; undefined for anything else. Kubernetes knows one spelling of each name, and loses all else. */
export function kubernetesResource(value: { readonly [key: string]: unknown }): DocumentKind | undefined {
  const { apiVersion, kind, items } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  const workflow = argoResource(value);
  if (workflow !== undefined) return workflow;
  if (Array.isArray(items) && kind.endsWith("List") && items.some(isVersion)) {
    return {
      kind: "refused",
      code: "not-a-pipeline",
      message: "this is a list of Kubernetes resources",
      hint: "give one of its items: kubectl get pipelineversion NAME -o yaml",
    };
  }
  return apiVersion.startsWith(group)
    ? (version(value, kind) ?? { kind: "resource", name: kind })
    : { kind: "resource", name: kind };
}

const group = "pipelines.kubeflow.org/";

const isVersion = (value: unknown): boolean =>
  isObject(value) && isObject(value.spec) && isObject(value.spec.pipelineSpec);

const resourceFields = ["apiVersion", "kind", "metadata", "spec", "status"];
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

/** What holds a specification as a PipelineVersion does, which is meant to be one. */
function version(value: { readonly [key: string]: unknown }, kind: string): DocumentKind | undefined {
  const specName = fieldOf(value, "spec", resourceFields);
  const spec = specName === undefined ? undefined : value[specName];
  if (specName === undefined || !isObject(spec)) return undefined;
  const [pipelineName, platformName] = ["pipelineSpec", "platformSpec"].map((name) =>
    fieldOf(spec, name, versionFields),
  );
  if (pipelineName === undefined) return undefined;
  const misspelt: MisspeltField[] = [];
  if (kind !== "PipelineVersion") {
    const message = `a ${kind} has no specification: this is a PipelineVersion`;
    misspelt.push({ path: ["kind"], meant: "PipelineVersion", message, isValue: true });
  }
  misspelt.push(...misspeltField([specName], "spec", "a PipelineVersion"));
  const pathOf = (name: string | undefined) => (name === undefined ? undefined : [specName, name]);
  const [pipeline, platform] = [pathOf(pipelineName), pathOf(platformName)];
  for (const [path, meant] of [
    [pipeline, "pipelineSpec"],
    [platform, "platformSpec"],
  ] as const) {
    if (path !== undefined) misspelt.push(...misspeltField(path, meant, "the spec of a PipelineVersion"));
  }
  return { kind: "bundle", spec: [specName, pipelineName], platform, misspelt };
}

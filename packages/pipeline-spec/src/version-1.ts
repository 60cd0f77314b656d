import type { DocumentKind } from "./document-kind.js";
import { hasField, spellingOf } from "./field-spellings.js";
import { isObject } from "./json-value.js";

type Json = { readonly [key: string]: unknown };
type Refused = Extract<DocumentKind, { kind: "refused" }>;

function refused(message: string): Refused {
  return {
    kind: "refused",
    code: "version-1",
    message,
    hint: "compile the pipeline with version 2 of the SDK",
  };
}

/** A resource of Argo Workflows; undefined for anything else. */
export function argoResource(value: unknown): Refused | undefined {
  if (!isObject(value)) return undefined;
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  if (!apiVersion.startsWith("argoproj.io/")) return undefined;
  return refused(`this is an Argo ${kind}, which version 1 of Kubeflow Pipelines made`);
}

/** A run, a recurring run or the body that creates one, as version 1 of the API has them; undefined for anything else. */
export function resourceOfVersion1(value: Json): Refused | undefined {
  // What the API tells of a run has beside it how it goes.
  const run = hasField(value, "pipeline_runtime") && isObject(value.run) ? value.run : value;
  const name = spellingOf(run, "pipeline_spec");
  const spec = name === undefined ? undefined : run[name];
  const isOld =
    hasField(run, "resource_references") ||
    (isObject(spec) && (hasField(spec, "pipeline_manifest") || hasField(spec, "workflow_manifest")));
  return isOld ? refused("this is a run of version 1 of the API") : undefined;
}

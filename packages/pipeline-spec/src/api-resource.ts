import { runtimeConfigName } from "./api-run.js";
import type { DocumentKind } from "./document-kind.js";
import { camelCase, hasField, spellingOf } from "./field-spellings.js";
import { isObject } from "./json-value.js";
import { type MisspeltField, misspeltField } from "./misspelt-field.js";
import { resourceOfVersion1 } from "./version-1.js";

/** Fields by which runs and recurring runs of the KFP API are told from a job; both spellings of each count. */
const ofRuns = [
  ...["run_id", "recurring_run_id", "pipeline_version_reference", "experiment_id"],
  ...["storage_state", "state_history", "max_concurrency", "trigger"],
];
/** The same for versions of pipelines; runs may have two of them as well. */
const ofVersions = ["pipeline_version_id", "package_url", "created_at"];

type Json = { readonly [key: string]: unknown };

/** What an object of the KFP API holds: a run, a recurring run or a version of a pipeline. Undefined for anything else. */
export function apiResource(value: Json, spec: string | undefined): DocumentKind | undefined {
  // A specification with a strange field is not an object of the API.
  if (Object.hasOwn(value, "root") || Object.hasOwn(value, "components")) return undefined;
  const old = resourceOfVersion1(value);
  if (old !== undefined) return old;
  const isVersion = ofVersions.some((name) => hasField(value, name));
  const isRun = ofRuns.some((name) => hasField(value, name)) || (!isVersion && isRequest(value, spec));
  if (!isRun && !isVersion) return listOrPipeline(value);
  const inner = spec === undefined ? undefined : value[spec];
  if (spec === undefined || inner === null) {
    return refused(
      "no-specification",
      "this object of the API only refers to a version of a pipeline, and holds no specification",
      "get the version: GET /apis/v2beta1/pipelines/{pipeline_id}/versions/{pipeline_version_id}",
    );
  }
  const misspelt = isRun ? misspeltConfig(value) : [];
  if (!isObject(inner)) return { kind: "bundle", spec: [spec], platform: undefined, isRun, misspelt };
  const innerSpec = spellingOf(inner, "pipeline_spec");
  const platform = spellingOf(inner, "platform_spec");
  return {
    kind: "bundle",
    spec: innerSpec === undefined ? [spec] : [spec, innerSpec],
    platform: platform === undefined ? undefined : [spec, platform],
    isRun,
    misspelt,
  };
}

function misspeltConfig(run: Json): readonly MisspeltField[] {
  const name = runtimeConfigName(run);
  const isRight = name === undefined || camelCase(name) === "runtimeConfig";
  return isRight ? [] : misspeltField([name], "runtime_config", "a run of the API");
}

/** The body that creates a run has a display name and arguments of its own form. */
function isRequest(value: Json, spec: string | undefined): boolean {
  if (spec !== "pipeline_spec" || !Object.hasOwn(value, "display_name")) return false;
  const config = value.runtime_config;
  return (
    !isObject(config) || !(hasField(config, "parameter_values") || hasField(config, "gcs_output_directory"))
  );
}

const lists = ["pipeline_versions", "runs", "recurring_runs", "pipelines"];

/** Objects of the API that are no pipeline, but lead to one. */
function listOrPipeline(value: Json): DocumentKind | undefined {
  const list = lists.find((name) => Array.isArray(value[name]) || Array.isArray(value[camelCase(name)]));
  if (list !== undefined) {
    const what = list.replaceAll("_", " ");
    return refused("not-a-pipeline", `this is a list of ${what} of the API`, `give one of the ${what}`);
  }
  if (!hasField(value, "pipeline_id")) return undefined;
  return refused(
    "no-specification",
    "this is a pipeline of the API, whose specification is in its versions",
    "get a version: GET /apis/v2beta1/pipelines/{pipeline_id}/versions",
  );
}

function refused(code: "no-specification" | "not-a-pipeline", message: string, hint: string): DocumentKind {
  return { kind: "refused", code, message, hint };
}

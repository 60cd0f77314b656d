import { isObject } from "@wye/pipeline-spec";
import type { JsonObject } from "../wire/read-message.js";
import type { FakeStore } from "./fake-store.js";
import { newestVersion } from "./insert-pipelines.js";
import { internalError, invalid, refusal, unknown } from "./refusal.js";
import { danglingComponent, parameterReason, whyNot } from "./stored-spec.js";

/** The members of a request for a run and for a recurring run that are the same. */
export const sourceKinds = {
  experiment_id: "text",
  display_name: "text",
  description: "text",
  pipeline_version_id: "text",
  pipeline_version_reference: { pipeline_id: "text", pipeline_version_id: "text" },
  pipeline_spec: "struct",
  runtime_config: { parameters: "struct", pipeline_root: "text" },
  service_account: "text",
} as const;

/** What is to be run, found and checked. */
export interface RunSource {
  readonly pipelineId: string;
  readonly versionId: string;
  /** When it was sent along. */
  readonly spec: JsonObject | undefined;
  /** Whatever it comes from. */
  readonly manifest: JsonObject;
  readonly parameters: JsonObject | undefined;
  readonly pipelineRoot: string;
}

/** The words before the reasons. */
export interface SourceWords {
  readonly fetching: string;
  readonly parameters: string;
}

/** Finds what a run is of; mistakes of the caller are internal errors here, as on the server. */
export function readSource(store: FakeStore, fields: JsonObject, words: SourceWords): RunSource {
  const reference = isObject(fields.pipeline_version_reference) ? fields.pipeline_version_reference : {};
  const config = isObject(fields.runtime_config) ? fields.runtime_config : {};
  const parameters = isObject(config.parameters) ? config.parameters : undefined;
  const spec = isObject(fields.pipeline_spec) ? fields.pipeline_spec : undefined;
  const pipelineId = `${reference.pipeline_id ?? ""}`;
  const version = findVersion(store, pipelineId, `${reference.pipeline_version_id ?? ""}`, words);
  const manifest = spec ?? version?.spec;
  if (manifest === undefined) {
    throw refusal(
      13,
      `${words.fetching}: Invalid input error: Failed to fetch a template with an empty pipeline spec manifest`,
    );
  }
  if (spec !== undefined) checkSpec(spec, words);
  const dangling = danglingComponent(manifest);
  if (dangling !== undefined) {
    const { component, missing } = dangling;
    const reason = `error processing component name="${component}": cannot find component ref name="${missing}"`;
    throw internalError(`${reason}\nFailed to compile job`);
  }
  const reason = manifest.kind === "Workflow" ? undefined : parameterReason(manifest, parameters ?? {});
  if (reason !== undefined) throw invalid(`${words.parameters}: invalid pipeline job inputs`, reason);
  return {
    pipelineId,
    versionId: version?.id ?? "",
    spec,
    manifest,
    parameters,
    pipelineRoot: `${config.pipeline_root ?? ""}`,
  };
}

function findVersion(store: FakeStore, pipelineId: string, versionId: string, { fetching }: SourceWords) {
  const wrapping = `${fetching}: Failed to fetch a template due to error retrieving pipeline version: Failed to fetch a pipeline version and its manifest from pipeline`;
  if (versionId !== "") {
    const version = store.versions.get(versionId);
    if (version !== undefined) return version;
    throw internal(
      unknown(
        "PipelineVersion",
        versionId,
        `${wrapping} version ${versionId}: Failed to get a pipeline version with id ${versionId}`,
      ),
    );
  }
  if (pipelineId === "") return undefined;
  if (!store.pipelines.has(pipelineId)) {
    throw internal(
      unknown(
        "Pipeline",
        pipelineId,
        `${wrapping} ${pipelineId}: Failed to get the latest pipeline version as pipeline was not found`,
      ),
    );
  }
  const newest = newestVersion(store, pipelineId);
  if (newest !== undefined) return newest;
  throw internal(
    unknown(
      "PipelineVersion",
      pipelineId,
      `${wrapping} ${pipelineId}: Failed to get the latest pipeline version for a pipeline`,
    ),
  );
}

/** What is not found is an internal error here. */
function internal({ body }: { readonly body: string }) {
  return refusal(13, (JSON.parse(body) as { readonly message: string }).message);
}

function checkSpec(spec: JsonObject, { fetching }: SourceWords): void {
  const reason = whyNot(spec, false);
  if (reason === undefined) return;
  throw refusal(
    13,
    `${fetching}: Failed to fetch a template with an invalid pipeline spec manifest: InvalidInputError: ${reason}: pipeline spec is invalid`,
  );
}

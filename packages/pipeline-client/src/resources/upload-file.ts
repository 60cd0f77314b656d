import { basePath, type ClientContext } from "../context.js";
import type { ApiRequest, Query } from "../http/api-request.js";
import { askFor } from "../http/read-answer.js";
import type { Call } from "../http/session.js";
import { newId } from "../new-id.js";
import { formBody } from "../upload/form-body.js";
import type { PipelineFile } from "../upload/pipeline-file.js";
import {
  type PipelineVersion,
  readPipeline,
  readVersion,
  type UploadedPipeline,
} from "../wire/uploaded-pipeline.js";

/** What an upload says of a file, in its query. */
export interface FileLabels {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly codeSourceUrl?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** Uploads a file as a new pipeline. */
export function uploadPipeline(
  { session }: ClientContext,
  file: PipelineFile,
  labels: FileLabels & { readonly namespace: string | undefined },
  call: Call,
): Promise<UploadedPipeline> {
  const query: Query = [...labelQuery(labels), ["namespace", labels.namespace || undefined]];
  return askFor(session, uploadRequest(session, "upload", file, query), call, readPipeline);
}

/** Uploads a file as a version of a pipeline. */
export function uploadVersion(
  { session }: ClientContext,
  file: PipelineFile,
  labels: FileLabels & { readonly pipelineId: string },
  call: Call,
): Promise<PipelineVersion> {
  // In one word, unlike everywhere else.
  const query: Query = [...labelQuery(labels), ["pipelineid", labels.pipelineId]];
  return askFor(session, uploadRequest(session, "upload_version", file, query), call, readVersion);
}

/** A name for a version that nobody has named: when it was made. */
export function timeName({ session }: ClientContext): string {
  const time = new Date(session.settings.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  // Two of one second are two.
  return `${time}-${newId().slice(0, 6)}`;
}

function labelQuery({ name, displayName, description, codeSourceUrl, tags }: FileLabels): Query {
  return [
    ["name", name],
    ["display_name", displayName],
    ["description", description],
    ["code_source_url", codeSourceUrl],
    ["tags", tags && JSON.stringify(tags)],
  ];
}

function uploadRequest(
  { settings }: ClientContext["session"],
  verb: string,
  { bytes, fileName }: PipelineFile,
  query: Query,
): ApiRequest {
  const { body, contentType } = formBody(bytes, fileName, settings.clock.random);
  return {
    method: "POST",
    path: `${basePath}/pipelines/${verb}`,
    query,
    body,
    contentType,
    isRepeatable: false,
  };
}

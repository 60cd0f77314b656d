import { PipelineClientError } from "../client-error.js";
import { basePath, type ClientContext } from "../context.js";
import { pathSegment } from "../http/api-request.js";
import type { Call } from "../http/session.js";
import { isAbsent } from "../is-absent.js";
import type { PipelineFile } from "../upload/pipeline-file.js";
import { readPipeline, type UploadedPipeline } from "../wire/uploaded-pipeline.js";
import { printRequest } from "../wire/write-message.js";
import { latestVersion } from "./create-versions-api.js";
import { deleteThing } from "./delete-thing.js";
import type { Upload, UploadOptions } from "./pipelines-api.js";
import { pipelineFinder, post, versionFinder } from "./references.js";
import { timeName, uploadPipeline, uploadVersion } from "./upload-file.js";

/** Uploads a file that was checked: as a new pipeline, or as a version of one that is there. */
export async function uploadUnderName(
  context: ClientContext,
  file: PipelineFile,
  options: UploadOptions,
  call: Call,
): Promise<Upload> {
  const name = options.name ?? options.displayName ?? file.pipeline.spec.pipelineInfo?.name ?? "";
  if (name === "") throw new TypeError("the file has no `pipelineInfo.name`: give `name`");
  const isVersion = options.ifExists === "version";
  const before = isVersion ? await find(context, name, options, call) : undefined;
  if (before !== undefined) return addVersion(context, file, before, options, call);
  try {
    return await uploadNew(context, file, name, options, call);
  } catch (error) {
    if (!isVersion || !(error instanceof PipelineClientError) || error.code !== "conflict") throw error;
    // Somebody else was quicker.
    const meanwhile = await find(context, name, options, call);
    if (meanwhile === undefined) throw error;
    return addVersion(context, file, meanwhile, options, call);
  }
}

async function uploadNew(
  context: ClientContext,
  file: PipelineFile,
  name: string,
  options: UploadOptions,
  call: Call,
): Promise<Upload> {
  const { description, displayName, codeSourceUrl, tags, namespace = context.namespace } = options;
  if (options.versionName !== undefined) {
    // The version of a new pipeline has the name of the pipeline, unless there is a pipeline first.
    const body = printRequest({ name, displayName, description, namespace: namespace || undefined, tags });
    const pipeline = await post(context, `${basePath}/pipelines`, body, call, readPipeline);
    return addFirstVersion(context, file, pipeline, { ...options, versionName: options.versionName }, call);
  }
  const labels = { name, displayName, description, codeSourceUrl, tags, namespace };
  const pipeline = await uploadPipeline(context, file, labels, call);
  const version = await latestVersion(context, pipeline.pipelineId, call);
  if (version !== undefined) return { pipeline, version, isNew: true };
  throw new PipelineClientError(`the pipeline ${pipeline.pipelineId} was uploaded, and has no version`, {
    code: "invalid_response",
  });
}

async function addVersion(
  context: ClientContext,
  file: PipelineFile,
  pipeline: UploadedPipeline,
  { versionName, codeSourceUrl, tags, description }: UploadOptions,
  call: Call,
): Promise<Upload> {
  const labels = { name: versionName ?? timeName(context), codeSourceUrl, tags, description };
  const version = await uploadVersion(context, file, { ...labels, pipelineId: pipeline.pipelineId }, call);
  return { pipeline, version, isNew: false };
}

/**
 * Adds the version without which a new pipeline would be in the way of the next try. When that fails the pipeline is taken back, which
 * servers refuse when it has got a version all the same. An aborted call leaves it.
 */
async function addFirstVersion(
  context: ClientContext,
  file: PipelineFile,
  pipeline: UploadedPipeline,
  options: UploadOptions & { readonly versionName: string },
  call: Call,
): Promise<Upload> {
  const { pipelineId } = pipeline;
  try {
    return { ...(await addVersion(context, file, pipeline, options, call)), isNew: true };
  } catch (error) {
    if (!(error instanceof PipelineClientError)) throw error;
    const { signal, timeoutMs } = call;
    // The time of the call may be over.
    const after = context.session.start({ signal, timeoutMs, deadlineMs: Math.min(timeoutMs, 30_000) });
    const path = `${basePath}/pipelines/${pathSegment(pipelineId)}`;
    const isGone = await succeeds(deleteThing(context, path, after), signal);
    if (isGone !== undefined) throw error;
    const found = versionFinder(context, pipelineId).get({ name: options.versionName }, after);
    const version = await succeeds(found, signal);
    if (version !== undefined) return { pipeline, version: version.value, isNew: true };
    throw leftBehind(error, pipeline);
  }
}

/** What a promise gives; undefined when it fails, other than by the signal. */
async function succeeds<T>(
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<{ readonly value: T } | undefined> {
  try {
    return { value: await promise };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function leftBehind(cause: PipelineClientError, { pipelineId }: UploadedPipeline): PipelineClientError {
  const { message, code, status, serverCode, serverMessage, request, attempts, retryable } = cause;
  const remedy = `the pipeline ${pipelineId} was made and may have no version: upload with \`ifExists: "version"\`, or delete it`;
  return new PipelineClientError(
    message,
    { code, status, serverCode, serverMessage, request, attempts, retryable, remedy },
    { cause },
  );
}

/** The pipeline that an upload of this name would meet: names are unique in a namespace, and shared ones are in another. */
async function find(
  context: ClientContext,
  name: string,
  { namespace = context.namespace }: UploadOptions,
  call: Call,
): Promise<UploadedPipeline | undefined> {
  try {
    return await pipelineFinder(context, namespace, "clashing").get({ name }, call);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

import { PipelineClientError } from "../client-error.js";
import { basePath, type ClientContext, namespaceQuery } from "../context.js";
import { pathSegment, type Query } from "../http/api-request.js";
import { askFor } from "../http/read-answer.js";
import type { Call } from "../http/session.js";
import { isAbsent } from "../is-absent.js";
import type { PipelineFilter } from "../lists/filter.js";
import { type ListKind, listQuery } from "../lists/list-settings.js";
import { pagedList } from "../lists/paged-list.js";
import { readPages } from "../lists/read-pages.js";
import type { Reference } from "../reference.js";
import { type PipelineFile, readPipelineFile } from "../upload/pipeline-file.js";
import { readPipeline, type UploadedPipeline } from "../wire/uploaded-pipeline.js";
import { Nested, printRequest } from "../wire/write-message.js";
import { latestVersion } from "./create-versions-api.js";
import { deleteThing } from "./delete-thing.js";
import * as known from "./known-calls.js";
import type { PipelineSortKey, PipelinesApi, Upload, UploadOptions } from "./pipelines-api.js";
import { pipelineFinder, post } from "./references.js";
import { timeName, uploadPipeline, uploadVersion } from "./upload-file.js";

const path = `${basePath}/pipelines`;

const kind: ListKind<PipelineFilter, PipelineSortKey> = {
  filter: {
    pipelineId: "text",
    name: "text",
    displayName: "text",
    description: "text",
    createdAt: "time",
    tags: "tags",
  },
  scope: { namespace: "text" },
  sortKeys: ["pipelineId", "name", "displayName", "createdAt", "description", "namespace"],
};

export function createPipelinesApi(context: ClientContext): PipelinesApi {
  const { session } = context;
  const finder = pipelineFinder(context);
  // What is changed by its name is one of the namespace: what is shared belongs to others as well.
  const own = pipelineFinder(context, context.namespace, "own");
  const pathOf = async (pipeline: Reference, call: Call): Promise<string> =>
    `${path}/${pathSegment(await own.idOf(pipeline, call))}`;
  const scopeOf = (namespace = context.namespace): Query => namespaceQuery(namespace || undefined);

  return {
    async upload(input, options = {}) {
      const call = session.start(options, known.uploadPipeline);
      const file = await readPipelineFile(input, options.validate !== false);
      return upload(context, file, options, call);
    },
    async create(options) {
      const call = session.start(options, known.createPipeline);
      const { name, displayName, description, namespace = context.namespace, tags } = options;
      const body = printRequest({ name, displayName, description, namespace: namespace || undefined, tags });
      return post(context, path, body, call, readPipeline);
    },
    async createFromUrl(options) {
      const call = session.start(options, known.pipelineFromUrl);
      const { url, name, displayName, description, namespace, tags } = options;
      const own = namespace ?? context.namespace;
      const pipeline = new Nested({ name, displayName, description, namespace: own || undefined, tags });
      const pipelineVersion = new Nested({ packageUrl: new Nested({ pipelineUrl: url }) });
      const body = printRequest({ pipeline, pipelineVersion });
      return post(context, `${path}/create`, body, call, readPipeline);
    },
    get: async (pipeline, options) => finder.get(pipeline, session.start(options)),
    list(options = {}) {
      const query = listQuery(options, kind);
      const scope = async () => scopeOf(options.namespace);
      const source = { path, member: "pipelines", read: readPipeline, query, scope };
      return pagedList(() => readPages(session, source, () => session.start(query.call)));
    },
    async update(pipeline, options) {
      const call = session.start(options, known.update);
      const body = printRequest({ displayName: options.displayName, tags: options.tags });
      const request = {
        method: "PATCH",
        path: await pathOf(pipeline, call),
        body,
        isRepeatable: true,
      } as const;
      return askFor(session, request, call, readPipeline);
    },
    async delete(pipeline, options = {}) {
      const call = session.start(options, known.deletePipeline);
      const query: Query = [["cascade", options.cascade === true ? "true" : undefined]];
      await deleteThing(context, await pathOf(pipeline, call), call, query);
    },
  };
}

/** Uploads a file that was checked: as a new pipeline, or as a version of one that is there. */
async function upload(
  context: ClientContext,
  file: PipelineFile,
  options: UploadOptions,
  call: Call,
): Promise<Upload> {
  const name = options.name ?? options.displayName ?? file.pipeline.spec.pipelineInfo?.name ?? "";
  if (name === "") throw new TypeError("the file has no `pipelineInfo.name`: give `name`");
  const { description, displayName, codeSourceUrl, tags, namespace = context.namespace } = options;
  if (options.ifExists === "version") {
    const existing = await find(context, name, namespace, call);
    if (existing !== undefined) return addVersion(context, file, existing, options, call, false);
  }
  if (options.versionName !== undefined) {
    // The version of a new pipeline has the name of the pipeline, unless there is a pipeline first.
    const body = printRequest({ name, displayName, description, namespace: namespace || undefined, tags });
    const pipeline = await post(context, path, body, call, readPipeline);
    return addVersion(context, file, pipeline, options, call, true);
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
  isNew: boolean,
): Promise<Upload> {
  const labels = { name: versionName ?? timeName(context), codeSourceUrl, tags, description };
  const version = await uploadVersion(context, file, { ...labels, pipelineId: pipeline.pipelineId }, call);
  return { pipeline, version, isNew };
}

/** The pipeline that an upload of this name would meet: names are unique in a namespace, and shared ones are in another. */
async function find(
  context: ClientContext,
  name: string,
  namespace: string | undefined,
  call: Call,
): Promise<UploadedPipeline | undefined> {
  try {
    return await pipelineFinder(context, namespace, "clashing").get({ name }, call);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

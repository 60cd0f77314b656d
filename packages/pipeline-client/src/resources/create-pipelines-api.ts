import { basePath, type ClientContext, namespaceQuery } from "../context.js";
import { pathSegment, type Query } from "../http/api-request.js";
import { askFor } from "../http/read-answer.js";
import type { Call } from "../http/session.js";
import type { PipelineFilter } from "../lists/filter.js";
import { type ListKind, listQuery } from "../lists/list-settings.js";
import { pagedList } from "../lists/paged-list.js";
import { readPages } from "../lists/read-pages.js";
import type { Reference } from "../reference.js";
import { readPipelineFile } from "../upload/pipeline-file.js";
import { readPipeline } from "../wire/uploaded-pipeline.js";
import { Nested, printRequest } from "../wire/write-message.js";
import { deleteThing } from "./delete-thing.js";
import * as known from "./known-calls.js";
import type { PipelineSortKey, PipelinesApi } from "./pipelines-api.js";
import { pipelineFinder, post } from "./references.js";
import { uploadUnderName } from "./upload-under-name.js";

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
      return uploadUnderName(context, file, options, call);
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

import { PipelineClientError } from "../client-error.js";
import { basePath, type ClientContext } from "../context.js";
import { pathSegment } from "../http/api-request.js";
import { askFor } from "../http/read-answer.js";
import type { Call } from "../http/session.js";
import type { VersionFilter } from "../lists/filter.js";
import { type ListKind, listQuery } from "../lists/list-settings.js";
import { pagedList } from "../lists/paged-list.js";
import { readPages } from "../lists/read-pages.js";
import type { Reference } from "../reference.js";
import { readPipelineFile } from "../upload/pipeline-file.js";
import { type PipelineVersion, readVersion } from "../wire/uploaded-pipeline.js";
import { Nested, printRequest } from "../wire/write-message.js";
import { deleteThing } from "./delete-thing.js";
import * as known from "./known-calls.js";
import { pipelineFinder, post, versionFinder } from "./references.js";
import { timeName, uploadVersion } from "./upload-file.js";
import type { VersionSortKey, VersionsApi } from "./versions-api.js";

const kind: ListKind<VersionFilter, VersionSortKey> = {
  filter: {
    pipelineVersionId: "text",
    name: "text",
    displayName: "text",
    description: "text",
    createdAt: "time",
    tags: "tags",
  },
  scope: {},
  sortKeys: ["pipelineVersionId", "name", "displayName", "createdAt", "description"],
};

const pathOf = (pipelineId: string): string => `${basePath}/pipelines/${pathSegment(pipelineId)}/versions`;

export function createVersionsApi(context: ClientContext): VersionsApi {
  const { session } = context;
  const finder = pipelineFinder(context);

  /** The path of one version. */
  async function locate(pipeline: Reference, version: Reference, call: Call): Promise<string> {
    const pipelineId = await finder.idOf(pipeline, call);
    const { pipelineVersionId } = await ownVersion(context, pipelineId, version, call);
    return `${pathOf(pipelineId)}/${pathSegment(pipelineVersionId)}`;
  }

  return {
    async upload(pipeline, input, options = {}) {
      const call = session.start(options, known.uploadVersion);
      const file = await readPipelineFile(input, options.validate !== false);
      const pipelineId = await finder.idOf(pipeline, call);
      return uploadVersion(
        context,
        file,
        { ...options, pipelineId, name: options.name ?? timeName(context) },
        call,
      );
    },
    async createFromUrl(pipeline, options) {
      const call = session.start(options, known.versionFromUrl);
      const { url, name, displayName, description, codeSourceUrl } = options;
      const pipelineId = await finder.idOf(pipeline, call);
      // The id is asked for in the path and in the body.
      const packageUrl = new Nested({ pipelineUrl: url });
      const body = printRequest({ pipelineId, name, displayName, description, packageUrl, codeSourceUrl });
      return post(context, pathOf(pipelineId), body, call, readVersion);
    },
    async get(pipeline, version, options) {
      const call = session.start(options);
      const pipelineId = await finder.idOf(pipeline, call);
      return ownVersion(context, pipelineId, version, call);
    },
    async latest(pipeline, options) {
      const call = session.start(options);
      return latestVersion(context, await finder.idOf(pipeline, call), call);
    },
    list(pipeline, options = {}) {
      const query = listQuery(options, kind);
      return pagedList(async function* () {
        const pipelineId = await finder.idOf(pipeline, session.start(query.call));
        const scope = async () => [];
        const source = {
          path: pathOf(pipelineId),
          member: "pipelineVersions",
          read: readVersion,
          query,
          scope,
        };
        yield* readPages(session, source, () => session.start(query.call));
      });
    },
    async update(pipeline, version, options) {
      const call = session.start(options, known.update);
      const path = await locate(pipeline, version, call);
      const body = printRequest({ displayName: options.displayName, tags: options.tags });
      return askFor(session, { method: "PATCH", path, body, isRepeatable: true }, call, readVersion);
    },
    async delete(pipeline, version, options) {
      const call = session.start(options);
      await deleteThing(context, await locate(pipeline, version, call), call);
    },
  };
}

/** A version of this pipeline: servers give, change and delete those of others under its name as well. */
export async function ownVersion(
  context: ClientContext,
  pipelineId: string,
  version: Reference,
  call: Call,
): Promise<PipelineVersion> {
  const found = await versionFinder(context, pipelineId).get(version, call);
  if (found.pipelineId === pipelineId) return found;
  throw new PipelineClientError(
    `the pipeline ${pipelineId} has no version ${found.pipelineVersionId}: it is one of ${found.pipelineId}`,
    { code: "not_found" },
  );
}

/** The version of a pipeline that was made last. */
export async function latestVersion(
  { session }: ClientContext,
  pipelineId: string,
  call: Call,
): Promise<PipelineVersion | undefined> {
  const query = listQuery({ sortBy: "createdAt", descending: true, pageSize: 1 }, kind);
  const scope = async () => [];
  const source = { path: pathOf(pipelineId), member: "pipelineVersions", read: readVersion, query, scope };
  const page = await pagedList(() => readPages(session, source, () => call)).page();
  return page.items[0];
}

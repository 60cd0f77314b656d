import { deleteVersion } from "./delete-pipelines.js";
import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { insertPipeline, insertVersion } from "./insert-pipelines.js";
import { pageOf } from "./list-page.js";
import { versionTable } from "./list-tables.js";
import { fileNameOf, namesOf, specAt, urlOf } from "./package-file.js";
import { pipelineKinds } from "./pipeline-routes.js";
import { printPage } from "./print-page.js";
import { printPipelineRow, printVersion } from "./print-rows.js";
import { readFields } from "./read-fields.js";
import { invalid, unknown } from "./refusal.js";

const versionKinds = {
  pipeline_id: "text",
  pipeline_version_id: "output",
  name: "text",
  display_name: "text",
  description: "text",
  created_at: "output",
  package_url: { pipeline_url: "text" },
  code_source_url: "text",
  pipeline_spec: "output",
  error: "output",
} as const;

/** Versions, but for uploads. */
export function versionRoutes(store: FakeStore): readonly Route[] {
  const one = "([^/:]*)";
  return [
    { method: "POST", pattern: /^\/pipelines\/create$/, handle: (request) => createBoth(store, request) },
    {
      method: "POST",
      pattern: new RegExp(`^/pipelines/${one}/versions$`),
      handle: (request, [id = ""]) => createVersion(store, request, id),
    },
    {
      method: "GET",
      pattern: new RegExp(`^/pipelines/${one}/versions$`),
      handle: (request, [id = ""]) => listVersions(store, request, id),
    },
    {
      method: "GET",
      pattern: new RegExp(`^/pipelines/${one}/versions/${one}$`),
      handle: (_, [, id = ""]) => getVersion(store, id),
    },
    {
      method: "DELETE",
      pattern: new RegExp(`^/pipelines/${one}/versions/${one}$`),
      handle: (_, [pipelineId = "", id = ""]) => deleteVersion(store, pipelineId, id),
    },
  ];
}

async function createVersion(store: FakeStore, request: FakeRequest, pathId: string): Promise<unknown> {
  const fields = readFields(request.body, versionKinds);
  const url = urlOf(fields.package_url);
  if (url === "") throw invalid("", "Failed to create a pipeline version. Package URL is nil");
  const pipelineId = `${fields.pipeline_id ?? ""}`;
  if (pipelineId === "")
    throw invalid("", "Failed to create a pipeline version. Parent pipeline id is empty");
  if (!store.pipelines.has(pathId)) throw unknown("Pipeline", pathId, "Failed to create a pipeline version");
  const spec = await specAt(store, url);
  const { name, displayName } = namesOf(fields, fileNameOf(url));
  const more = {
    description: `${fields.description ?? ""}`,
    codeSourceUrl: `${fields.code_source_url ?? ""}`,
  };
  return printVersion(
    insertVersion(store, { pipelineId, name, displayName, ...more, packageUrl: url, spec }),
  );
}

async function createBoth(store: FakeStore, request: FakeRequest): Promise<unknown> {
  const fields = readFields(request.body, { pipeline: pipelineKinds, pipeline_version: versionKinds });
  const pipeline = (fields.pipeline ?? {}) as Readonly<Record<string, unknown>>;
  const version = (fields.pipeline_version ?? {}) as Readonly<Record<string, unknown>>;
  const url = urlOf(version.package_url);
  const spec = await specAt(store, url);
  const { name, displayName } = namesOf(pipeline, fileNameOf(url));
  const namespace = store.isMultiUser ? `${pipeline.namespace ?? ""}` : "";
  const description = `${pipeline.description ?? ""}`;
  const row = insertPipeline(store, { name, displayName, description, namespace });
  insertVersion(store, {
    pipelineId: row.id,
    name,
    displayName,
    description,
    codeSourceUrl: "",
    packageUrl: url,
    spec,
  });
  return printPipelineRow(row);
}

function listVersions(store: FakeStore, request: FakeRequest, pipelineId: string): unknown {
  if (!store.pipelines.has(pipelineId)) {
    const wrapping = `Failed to list pipeline versions for pipeline ${pipelineId}: Failed to list pipeline versions due to error fetching the namespace for pipeline ${pipelineId}: Failed to get namespace for pipeline id ${pipelineId}: Failed to get a pipeline with id ${pipelineId}`;
    throw unknown("Pipeline", pipelineId, wrapping);
  }
  const rows = [...store.versions.values()].filter((row) => row.pipelineId === pipelineId);
  const page = pageOf(rows, versionTable, request.query);
  return printPage("pipeline_versions", page.rows.map(printVersion), page);
}

/** Nobody checks whether the version is one of the pipeline. */
function getVersion({ versions }: FakeStore, id: string): unknown {
  const row = versions.get(id);
  if (row !== undefined) return printVersion(row);
  throw unknown(
    "PipelineVersion",
    id,
    `Failed to get a pipeline version ${id}: Failed to get a pipeline version with id ${id}`,
  );
}

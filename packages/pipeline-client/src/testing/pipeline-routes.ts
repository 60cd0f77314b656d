import { type AccessReview, checkAccess } from "./access.js";
import { deletePipeline, deleteVersion } from "./delete-pipelines.js";
import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { insertPipeline, insertVersion, withinLength } from "./insert-pipelines.js";
import { pageOf } from "./list-page.js";
import { pipelineTable, versionTable } from "./list-tables.js";
import { printPipelineRow, printVersion } from "./print-rows.js";
import { readFields } from "./read-fields.js";
import { invalid, refusal, unknown } from "./refusal.js";
import { specOfFile } from "./stored-spec.js";

const pipelineKinds = {
  pipeline_id: "output",
  name: "text",
  display_name: "text",
  description: "text",
  created_at: "output",
  namespace: "text",
  error: "output",
} as const;
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

/** Pipelines and versions, but for uploads. */
export function pipelineRoutes(store: FakeStore, review: AccessReview): readonly Route[] {
  const namespaceOf = ({ query }: FakeRequest): string =>
    store.isMultiUser ? (query.get("namespace") ?? "") : "";

  function list(request: FakeRequest): unknown {
    const namespace = namespaceOf(request);
    const wrapping = `Failed to list pipelines in namespace ${namespace}. Check error stack: Failed to list pipelines due to authorization error. Check if you have read permission to namespace ${namespace}`;
    if (namespace !== "")
      checkAccess(store, review, request, { namespace, resource: "pipelines", verb: "list", wrapping });
    const rows = [...store.pipelines.values()].filter((row) => row.namespace === namespace);
    const page = pageOf(rows, pipelineTable, request.query);
    return printPage("pipelines", page.rows.map(printPipelineRow), page);
  }

  function byName(request: FakeRequest, name: string): unknown {
    const namespace = request.query.get("namespace") ?? "";
    const wrapping = `Failed to get a pipeline with name ${name} and namespace ${namespace}. Check error stack.`;
    const access = `${wrapping}: Failed to fetch a pipeline due to authorization error. Check if you have read permission to namespace ${namespace}`;
    const place = { namespace, resource: "pipelines" };
    if (namespace !== "") {
      checkAccess(store, review, request, { ...place, verb: "get", name, subject: "", wrapping: access });
    }
    const isIn = store.isMultiUser && namespace !== "";
    const found = [...store.pipelines.values()].filter(
      (row) => row.name === name && (!isIn || row.namespace === namespace),
    );
    // Without a namespace the newest of any.
    const row = found.at(-1);
    if (row !== undefined) return printPipelineRow(row);
    throw unknown(
      "Namespace/Pipeline",
      `${namespace}/${name}`,
      `${wrapping}: Failed to get a pipeline named ${name} in namespace ${namespace}`,
    );
  }

  function create(request: FakeRequest): unknown {
    const fields = readFields(request.body, pipelineKinds);
    const { name, displayName } = namesOf(fields);
    if (name === "") throw invalid("Failed to create a pipeline due to server error", "name is required");
    const wrapping = "Failed to create a pipeline as pipeline conversion failed";
    withinLength("Pipeline.Name", name, 128, (reason) =>
      refusal(
        13,
        `${wrapping}: InternalServerError: Failed to convert API pipeline to model pipeline: Invalid input error: ${reason}`,
      ),
    );
    const namespace = store.isMultiUser ? `${fields.namespace ?? ""}` : "";
    const description = `${fields.description ?? ""}`;
    return printPipelineRow(insertPipeline(store, { name, displayName, description, namespace }));
  }

  async function createVersion(request: FakeRequest, pathId: string): Promise<unknown> {
    const fields = readFields(request.body, versionKinds);
    const url = urlOf(fields.package_url);
    if (url === "") throw invalid("", "Failed to create a pipeline version. Package URL is nil");
    const pipelineId = `${fields.pipeline_id ?? ""}`;
    if (pipelineId === "")
      throw invalid("", "Failed to create a pipeline version. Parent pipeline id is empty");
    if (!store.pipelines.has(pathId))
      throw unknown("Pipeline", pathId, "Failed to create a pipeline version");
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

  async function createBoth(request: FakeRequest): Promise<unknown> {
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

  function listVersions(request: FakeRequest, pipelineId: string): unknown {
    if (!store.pipelines.has(pipelineId)) {
      const wrapping = `Failed to list pipeline versions for pipeline ${pipelineId}: Failed to list pipeline versions due to error fetching the namespace for pipeline ${pipelineId}: Failed to get namespace for pipeline id ${pipelineId}: Failed to get a pipeline with id ${pipelineId}`;
      throw unknown("Pipeline", pipelineId, wrapping);
    }
    const rows = [...store.versions.values()].filter((row) => row.pipelineId === pipelineId);
    const page = pageOf(rows, versionTable, request.query);
    return printPage("pipeline_versions", page.rows.map(printVersion), page);
  }

  const one = "([^/:]*)";
  return [
    { method: "POST", pattern: /^\/pipelines$/, handle: create },
    { method: "POST", pattern: /^\/pipelines\/create$/, handle: createBoth },
    { method: "GET", pattern: /^\/pipelines$/, handle: list },
    {
      method: "GET",
      pattern: new RegExp(`^/pipelines/names/${one}$`),
      handle: (request, [name = ""]) => byName(request, name),
    },
    {
      method: "GET",
      pattern: new RegExp(`^/pipelines/${one}$`),
      handle: (_, [id = ""]) => getPipeline(store, id),
    },
    {
      method: "DELETE",
      pattern: new RegExp(`^/pipelines/${one}$`),
      handle: ({ query }, [id = ""]) => deletePipeline(store, id, query.get("cascade") === "true"),
    },
    {
      method: "POST",
      pattern: new RegExp(`^/pipelines/${one}/versions$`),
      handle: (request, [id = ""]) => createVersion(request, id),
    },
    {
      method: "GET",
      pattern: new RegExp(`^/pipelines/${one}/versions$`),
      handle: (request, [id = ""]) => listVersions(request, id),
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

/** A page of an answer: an empty list has no members. */
export function printPage(
  member: string,
  items: readonly unknown[],
  { totalSize, nextPageToken }: { readonly totalSize: number; readonly nextPageToken: string | undefined },
): unknown {
  return {
    ...(items.length > 0 && { [member]: items }),
    ...(totalSize > 0 && { total_size: totalSize }),
    ...(nextPageToken !== undefined && { next_page_token: nextPageToken }),
  };
}

function getPipeline({ pipelines }: FakeStore, id: string): unknown {
  const row = pipelines.get(id);
  if (row !== undefined) return printPipelineRow(row);
  throw unknown(
    "Pipeline",
    id,
    `Failed to get a pipeline ${id}. Check error stack: Failed to get a pipeline with id ${id}`,
  );
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

function namesOf({ name, display_name }: Readonly<Record<string, unknown>>, other = "") {
  const first = `${name ?? ""}`;
  const second = `${display_name ?? ""}`;
  return { name: first || second || other, displayName: second || first || other };
}

function urlOf(packageUrl: unknown): string {
  const url = packageUrl instanceof Object && "pipeline_url" in packageUrl ? packageUrl.pipeline_url : "";
  return `${url ?? ""}`;
}

const fileNameOf = (url: string): string => url.split("/").at(-1) ?? "";

async function specAt(store: FakeStore, url: string) {
  if (!/^https?:\/\/[^/]+\//.test(url))
    throw invalid("Failed to create a pipeline", `invalid pipeline spec URL: ${url}`);
  const found = specOfFile(await store.fetchFile(url));
  if ("spec" in found) return found.spec;
  throw refusal(
    13,
    `Failed to create a pipeline: InternalServerError: ${found.reason}: pipeline spec is invalid`,
  );
}

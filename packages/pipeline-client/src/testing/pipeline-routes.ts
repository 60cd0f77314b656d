import { type AccessReview, checkAccess } from "./access.js";
import { deletePipeline } from "./delete-pipelines.js";
import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { insertPipeline, withinLength } from "./insert-pipelines.js";
import { pageOf } from "./list-page.js";
import { pipelineTable } from "./list-tables.js";
import { namesOf } from "./package-file.js";
import { printPage } from "./print-page.js";
import { printPipelineRow } from "./print-rows.js";
import { readFields } from "./read-fields.js";
import { invalid, refusal, unknown } from "./refusal.js";

/** The members of a pipeline in a request. */
export const pipelineKinds = {
  pipeline_id: "output",
  name: "text",
  display_name: "text",
  description: "text",
  created_at: "output",
  namespace: "text",
  error: "output",
} as const;

/** Pipelines, but for uploads. */
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

  const one = "([^/:]*)";
  return [
    { method: "POST", pattern: /^\/pipelines$/, handle: create },
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
  ];
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

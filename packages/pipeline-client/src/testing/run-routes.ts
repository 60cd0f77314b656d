import { type AccessPlace, type AccessReview, checkAccess } from "./access.js";
import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { pageOf } from "./list-page.js";
import { runTable } from "./list-tables.js";
import { printPage } from "./print-page.js";
import { printRun } from "./print-rows.js";
import { readFields } from "./read-fields.js";
import { invalid, refusal, unknown } from "./refusal.js";
import type { RunRow } from "./rows.js";
import { actionsOfRuns } from "./run-actions.js";
import { advance, planned, rootTasks } from "./run-plan.js";
import { readSource, sourceKinds } from "./run-source.js";

const kinds = {
  ...sourceKinds,
  run_id: "text",
  storage_state: "output",
  created_at: "output",
  scheduled_at: "output",
  finished_at: "output",
  state: "output",
  error: "output",
  run_details: "output",
  recurring_run_id: "text",
  state_history: "output",
} as const;

export function runRoutes(store: FakeStore, review: AccessReview): readonly Route[] {
  const { runs } = store;
  const look = (row: RunRow): RunRow => {
    advance(row, store.now(), store.newId);
    return row;
  };

  /** A run that may be touched. */
  function find(request: FakeRequest, id: string, verb: string, wrapping: string, missing = ""): RunRow {
    const row = runs.get(id);
    if (row === undefined) {
      throw unknown(
        "Run",
        id,
        `${wrapping}: ${missing === "" ? "" : `${missing}: `}Failed to fetch run ${id}`,
      );
    }
    const place: AccessPlace = {
      namespace: row.namespace,
      resource: "runs",
      verb,
      name: id,
      wrapping: `${wrapping}: Failed to authorize the request`,
    };
    checkAccess(store, review, request, place);
    return look(row);
  }

  function list(request: FakeRequest): unknown {
    const { query } = request;
    const experimentId = query.get("experiment_id") ?? "";
    const experiment = store.experiments.get(experimentId);
    const given = store.isMultiUser ? (query.get("namespace") ?? "") : "";
    // The namespace of an experiment wins.
    const namespace = experimentId === "" ? given : (experiment?.namespace ?? "");
    const wrapping = `Failed to list runs: Failed to list runs due to authorization error. Check if you have permission to access namespace ${namespace}`;
    const emptyNamespace = "A run cannot have an empty namespace in multi-user mode";
    checkAccess(store, review, request, {
      namespace,
      resource: "runs",
      verb: "list",
      wrapping,
      emptyNamespace,
    });
    const rows = [...runs.values()].filter((row) =>
      experimentId === ""
        ? !store.isMultiUser || row.namespace === namespace
        : row.experimentId === experimentId,
    );
    const page = pageOf(rows.map(look), runTable, query);
    return printPage("runs", page.rows.map(printRun), page);
  }

  const one = "([^/:]*)";
  return [
    { method: "POST", pattern: /^\/runs$/, handle: (request) => createRun(store, review, request) },
    { method: "GET", pattern: /^\/runs$/, handle: list },
    {
      method: "GET",
      pattern: new RegExp(`^/runs/${one}$`),
      handle: (request, [id = ""]) => printRun(find(request, id, "get", "Failed to get a run")),
    },
    {
      method: "DELETE",
      pattern: new RegExp(`^/runs/${one}$`),
      handle: (request, [id = ""]) => {
        find(
          request,
          id,
          "delete",
          "Failed to delete a run",
          `Failed to delete run ${id} as it does not exist`,
        );
        runs.delete(id);
        return {};
      },
    },
    ...actionsOfRuns(store, find),
  ];
}

function createRun(store: FakeStore, review: AccessReview, request: FakeRequest): unknown {
  const fields = readFields(request.body, kinds);
  const displayName = `${fields.display_name ?? ""}`;
  if (displayName === "") {
    throw refusal(
      13,
      "CreateJob(job.ToV2())Failed to create a run due to conversion error: InternalServerError: Failed to convert a API run detail to its internal representation: Invalid input error: Run name cannot be empty",
    );
  }
  const wrapping = "Failed to create a new run";
  const { experimentId, namespace } = experimentOf(
    store,
    `${fields.experiment_id ?? ""}`,
    `${wrapping}: Failed to create a run`,
  );
  checkAccess(store, review, request, {
    namespace,
    resource: "runs",
    verb: "create",
    name: displayName,
    wrapping,
  });
  const source = readSource(store, fields, {
    fetching: `${wrapping}: InternalServerError: Failed to create a run due to error fetching manifest`,
    parameters: `${wrapping}: Failed to generate the ExecutionSpec`,
  });
  const id = `${fields.run_id ?? ""}` || store.newId();
  if (store.runs.has(id)) {
    throw refusal(
      13,
      `${wrapping}: Failed to create a run: InternalServerError: Failed to store run ${displayName} to table: UNIQUE constraint failed: run_details.UUID`,
    );
  }
  const more = {
    id,
    displayName,
    description: `${fields.description ?? ""}`,
    serviceAccount: `${fields.service_account ?? ""}` || "pipeline-runner",
    recurringRunId: `${fields.recurring_run_id ?? ""}`,
  };
  return printRun(insertRun(store, { ...source, ...more, experimentId, namespace }, source.manifest));
}

type NewRun = Pick<
  RunRow,
  | "id"
  | "displayName"
  | "description"
  | "experimentId"
  | "namespace"
  | "pipelineId"
  | "versionId"
  | "spec"
  | "parameters"
  | "pipelineRoot"
  | "serviceAccount"
  | "recurringRunId"
>;

/** Adds a run, and plans what becomes of it. */
function insertRun(store: FakeStore, given: NewRun, manifest: Readonly<Record<string, unknown>>): RunRow {
  const at = store.seconds();
  const { id, displayName, parameters = {} } = given;
  const steps = store.plan({ runId: id, displayName, parameters, tasks: rootTasks(manifest) });
  const row: RunRow = {
    ...{ id, displayName, description: given.description, experimentId: given.experimentId },
    ...{ namespace: given.namespace, storageState: "AVAILABLE", pipelineId: given.pipelineId },
    ...{ versionId: given.versionId, spec: given.spec, parameters: given.parameters },
    ...{ pipelineRoot: given.pipelineRoot, serviceAccount: given.serviceAccount },
    ...{ createdAt: at, scheduledAt: at, finishedAt: 0, state: "PENDING", phase: "", message: "" },
    ...{ recurringRunId: given.recurringRunId, history: [{ at, state: "PENDING" }], tasks: [] },
    ...{ plan: planned(steps, store.now()), isPlanned: steps.length > 0 },
  };
  store.runs.set(id, row);
  const experiment = store.experiments.get(given.experimentId);
  if (experiment !== undefined) experiment.lastRunCreatedAt = at;
  return row;
}

/** The experiment of a run, which decides its namespace. */
export function experimentOf(
  store: FakeStore,
  given: string,
  wrapping: string,
): { readonly experimentId: string; readonly namespace: string } {
  const place = `${wrapping} due to invalid experimentId and namespace combination`;
  if (given === "" && store.isMultiUser)
    throw invalid(place, "Experiment id can not be empty in multi-user mode");
  const experimentId = given === "" ? store.defaultExperimentId : given;
  const experiment = store.experiments.get(experimentId);
  if (experiment !== undefined) return { experimentId, namespace: experiment.namespace };
  throw unknown(
    "Experiment",
    given,
    `${place}: Failed to fetch namespace for experiment ${given}: Failed to fetch namespace from experiment ${given}`,
  );
}

import { type AccessReview, checkAccess } from "./access.js";
import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { withinLength } from "./insert-pipelines.js";
import { pageOf } from "./list-page.js";
import { experimentTable } from "./list-tables.js";
import { printPage } from "./print-page.js";
import { printExperiment } from "./print-rows.js";
import { readFields } from "./read-fields.js";
import { refusal, unknown } from "./refusal.js";
import type { ExperimentRow } from "./rows.js";

const attempt = "Failed to authorize with API";
const emptyNamespace = "An experiment cannot have an empty namespace in multi-user mode";

export function experimentRoutes(store: FakeStore, review: AccessReview): readonly Route[] {
  const { experiments } = store;

  function create(request: FakeRequest): unknown {
    const fields = readFields(request.body, {
      experiment_id: "output",
      display_name: "text",
      description: "text",
      created_at: "output",
      namespace: "text",
      storage_state: "output",
      last_run_created_at: "output",
    });
    const displayName = `${fields.display_name ?? ""}`;
    const namespace = store.isMultiUser ? `${fields.namespace ?? ""}` : "";
    checkName(displayName);
    const denied = "Failed to create a experiment: Failed to authorize the request";
    const place = {
      namespace,
      resource: "experiments",
      verb: "create",
      name: displayName,
      attempt,
      emptyNamespace,
    };
    checkAccess(store, review, request, { ...place, wrapping: denied });
    return printExperiment(insertExperiment(store, displayName, `${fields.description ?? ""}`, namespace));
  }

  function list(request: FakeRequest): unknown {
    const namespace = store.isMultiUser ? (request.query.get("namespace") ?? "") : "";
    const place = { namespace, resource: "experiments", verb: "list", attempt, emptyNamespace };
    checkAccess(store, review, request, {
      ...place,
      wrapping: "List experiments failed: Failed to authorize with API",
    });
    const rows = [...experiments.values()].filter((row) => row.namespace === namespace);
    const page = pageOf(rows, experimentTable, request.query);
    return printPage("experiments", page.rows.map(printExperiment), page);
  }

  function get(id: string): unknown {
    const row = experiments.get(id);
    if (row !== undefined) return printExperiment(row);
    throw unknown("Experiment", id, "Failed to fetch experiment");
  }

  function remove(id: string): unknown {
    const wrapping = "Failed to delete experiment";
    if (!experiments.has(id)) {
      throw unknown(
        "Experiment",
        id,
        `${wrapping}: Failed to delete experiment ${id} due to error fetching it`,
      );
    }
    if (id === store.defaultExperimentId) {
      const reason = `Failed to delete experiment ${id}. The default experiment cannot be deleted`;
      const why = "Invalid input error: Experiment id cannot be equal to the default id";
      throw refusal(10, `${wrapping}: BadRequestError: ${reason}: ${why} ${id}`, reason);
    }
    experiments.delete(id);
    return {};
  }

  /** Also of experiments that are not there. */
  function putAway(id: string, storageState: string): unknown {
    const row = experiments.get(id);
    if (row === undefined) return {};
    row.storageState = storageState;
    if (storageState === "AVAILABLE") return {};
    for (const run of store.runs.values()) if (run.experimentId === id) run.storageState = "ARCHIVED";
    for (const job of store.recurringRuns.values()) if (job.experimentId === id) job.mode = "DISABLE";
    return {};
  }

  const one = "([^/:]*)";
  return [
    { method: "POST", pattern: /^\/experiments$/, handle: create },
    { method: "GET", pattern: /^\/experiments$/, handle: list },
    { method: "GET", pattern: new RegExp(`^/experiments/${one}$`), handle: (_, [id = ""]) => get(id) },
    { method: "DELETE", pattern: new RegExp(`^/experiments/${one}$`), handle: (_, [id = ""]) => remove(id) },
    {
      method: "POST",
      pattern: new RegExp(`^/experiments/${one}:archive$`),
      handle: (_, [id = ""]) => putAway(id, "ARCHIVED"),
    },
    {
      method: "POST",
      pattern: new RegExp(`^/experiments/${one}:unarchive$`),
      handle: (_, [id = ""]) => putAway(id, "AVAILABLE"),
    },
  ];
}

function checkName(name: string): void {
  const wrapping =
    "[ExperimentServer]: Failed to create a experiment due to conversion error: InternalServerError: Failed to convert API experiment to model experiment: Invalid input error";
  if (name === "") throw refusal(13, `${wrapping}: Experiment must have a non-empty name`);
  withinLength("Experiment.Name", name, 128, (reason) => refusal(13, `${wrapping}: ${reason}`));
}

/** Adds an experiment, whose name is unique in its namespace. */
export function insertExperiment(
  store: FakeStore,
  displayName: string,
  description: string,
  namespace: string,
): ExperimentRow {
  const isTaken = [...store.experiments.values()].some(
    (row) => row.displayName === displayName && row.namespace === namespace,
  );
  if (isTaken) {
    const reason = `Failed to create a new experiment. The name ${displayName} already exists. Please specify a new name`;
    throw refusal(6, `Failed to create a experiment: Already exist error: ${reason}`, reason);
  }
  const row: ExperimentRow = {
    ...{ id: store.newId(), displayName, description, namespace },
    ...{ createdAt: store.seconds(), storageState: "AVAILABLE", lastRunCreatedAt: 0 },
  };
  store.experiments.set(row.id, row);
  return row;
}

import type { Column, ListTable } from "./list-columns.js";
import type { ExperimentRow, PipelineRow, RecurringRunRow, RunRow, VersionRow } from "./rows.js";

/** Columns that every table has. */
function common<Row extends { id: string; displayName: string; description: string; createdAt: number }>(
  idKey: string,
): Readonly<Record<string, Column<Row>>> {
  return {
    [idKey]: { field: "UUID", value: ({ id }) => id },
    id: { field: "UUID", value: ({ id }) => id },
    display_name: { field: "DisplayName", value: ({ displayName }) => displayName },
    created_at: { field: "CreatedAtInSec", value: ({ createdAt }) => createdAt },
    description: { field: "Description", value: ({ description }) => description },
  };
}

const plain = (): string => "Failed to create list options";

const told =
  (what: string) =>
  (query: URLSearchParams): string => {
    const [token, size, sort, filter] = ["page_token", "page_size", "sort_by", "filter"].map(
      (name) => query.get(name) ?? "",
    );
    return `Failed to list ${what} due invalid list options: pageToken: ${token}, pageSize: ${size || "0"}, sortBy: ${sort}, filter: ${filter}`;
  };

export const pipelineTable: ListTable<PipelineRow> = {
  model: "Pipeline",
  columns: {
    ...common<PipelineRow>("pipeline_id"),
    name: { field: "Name", value: ({ name }) => name },
    namespace: { field: "Namespace", value: ({ namespace }) => namespace },
  },
  idOf: ({ id }) => id,
  prefix: "pipelines",
  wrapping: told("pipelines"),
  sortWrapping: "Failed to list pipelines: Failed to list pipelines",
};

export const versionTable: ListTable<VersionRow> = {
  model: "PipelineVersion",
  columns: {
    ...common<VersionRow>("pipeline_version_id"),
    name: { field: "Name", value: ({ name }) => name },
    status: { field: "Status", value: () => "READY" },
    pipeline_spec: { field: "PipelineSpec", value: ({ spec }) => JSON.stringify(spec) },
  },
  idOf: ({ id }) => id,
  prefix: "pipeline_versions",
  wrapping: told("pipeline versions"),
  sortWrapping: "Failed to list pipeline versions: Failed to list pipeline versions",
};

export const experimentTable: ListTable<ExperimentRow> = {
  model: "Experiment",
  columns: {
    ...common<ExperimentRow>("experiment_id"),
    name: { field: "Name", value: ({ displayName }) => displayName },
    display_name: { field: "Name", value: ({ displayName }) => displayName },
    last_run_created_at: {
      field: "LastRunCreatedAtInSec",
      value: ({ lastRunCreatedAt }) => lastRunCreatedAt,
    },
    namespace: { field: "Namespace", value: ({ namespace }) => namespace },
    storage_state: { field: "StorageState", value: ({ storageState }) => storageState },
  },
  idOf: ({ id }) => id,
  prefix: "experiments",
  wrapping: plain,
  sortWrapping: "List experiments failed: List experiments failed",
};

/** The words of version 1 for states. */
function conditionOf({ state }: RunRow): string {
  if (state === "CANCELING") return "Terminating";
  return state.charAt(0) + state.slice(1).toLowerCase();
}

export const runTable: ListTable<RunRow> = {
  model: "Run",
  columns: {
    ...common<RunRow>("run_id"),
    name: { field: "DisplayName", value: ({ displayName }) => displayName },
    finished_at: { field: "FinishedAtInSec", value: ({ finishedAt }) => finishedAt },
    scheduled_at: { field: "ScheduledAtInSec", value: ({ scheduledAt }) => scheduledAt },
    storage_state: { field: "StorageState", value: ({ storageState }) => storageState },
    status: { field: "Conditions", value: conditionOf },
    state: { field: "State", value: ({ state }) => state },
    namespace: { field: "Namespace", value: ({ namespace }) => namespace },
    experiment_id: { field: "ExperimentUUID", value: ({ experimentId }) => experimentId, isSortable: false },
    recurring_run_id: { field: "JobUUID", value: ({ recurringRunId }) => recurringRunId, isSortable: false },
    state_history: {
      field: "StateHistory",
      value: ({ history }) => JSON.stringify(history),
      isSortable: false,
    },
    runtime_details: { field: "PipelineRuntimeManifest", value: ({ tasks }) => JSON.stringify(tasks) },
  },
  idOf: ({ id }) => id,
  wrapping: plain,
  sortWrapping: "Failed to list runs: Failed to list runs",
};

export const recurringRunTable: ListTable<RecurringRunRow> = {
  model: "Job",
  columns: {
    ...common<RecurringRunRow>("recurring_run_id"),
    name: { field: "DisplayName", value: ({ displayName }) => displayName },
    updated_at: { field: "UpdatedAtInSec", value: ({ updatedAt }) => updatedAt },
  },
  idOf: ({ id }) => id,
  wrapping: () => "Failed to list recurring runs due to error parsing the listing options",
  sortWrapping: "Failed to list jobs: Failed to list recurring runs",
};

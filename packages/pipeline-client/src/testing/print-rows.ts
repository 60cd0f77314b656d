import { isObject } from "@wye/pipeline-spec";
import type { JsonObject } from "../wire/read-message.js";
import type {
  ExperimentRow,
  HistoryRow,
  PipelineRow,
  RecurringRunRow,
  RunRow,
  TaskRow,
  VersionRow,
} from "./rows.js";

/** Seconds as the server writes times; 0 is 1970. */
const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

/** A message of an answer: what is unset is left out. */
function message(members: Readonly<Record<string, unknown>>): JsonObject {
  const kept = Object.entries(members).filter(
    ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept);
}

/** JSON with its keys in order, as structs of the server come back. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sortedKeys(one)]));
}

export function printPipelineRow({
  id,
  name,
  displayName,
  description,
  createdAt,
  namespace,
}: PipelineRow): JsonObject {
  return message({
    pipeline_id: id,
    display_name: displayName,
    name,
    description,
    created_at: time(createdAt),
    namespace,
  });
}

export function printVersion(row: VersionRow): JsonObject {
  return message({
    pipeline_id: row.pipelineId,
    pipeline_version_id: row.id,
    display_name: row.displayName,
    name: row.name,
    description: row.description,
    created_at: time(row.createdAt),
    package_url: row.packageUrl === "" ? undefined : { pipeline_url: row.packageUrl },
    // Where the code is is kept, and never told.
    pipeline_spec: sortedKeys(row.spec),
  });
}

export function printExperiment(row: ExperimentRow): JsonObject {
  return message({
    experiment_id: row.id,
    display_name: row.displayName,
    description: row.description,
    created_at: time(row.createdAt),
    namespace: row.namespace,
    storage_state: row.storageState,
    last_run_created_at: time(row.lastRunCreatedAt),
  });
}

function source(row: RunRow | RecurringRunRow): JsonObject {
  if (row.spec !== undefined) return { pipeline_spec: sortedKeys(row.spec) };
  return {
    pipeline_version_reference: message({ pipeline_id: row.pipelineId, pipeline_version_id: row.versionId }),
  };
}

function runtimeConfig({ parameters, pipelineRoot }: RunRow | RecurringRunRow): JsonObject | undefined {
  const hasParameters = parameters !== undefined && Object.keys(parameters).length > 0;
  const config = message({
    parameters: hasParameters ? sortedKeys(parameters) : undefined,
    pipeline_root: pipelineRoot,
  });
  return Object.keys(config).length > 0 ? config : undefined;
}

const history = (rows: readonly HistoryRow[]): readonly JsonObject[] =>
  rows.map(({ at, state }) => ({ update_time: time(at), state }));

export function printRun(row: RunRow): JsonObject {
  return message({
    experiment_id: row.experimentId,
    run_id: row.id,
    display_name: row.displayName,
    storage_state: row.storageState,
    description: row.description,
    ...source(row),
    runtime_config: runtimeConfig(row),
    service_account: row.serviceAccount,
    created_at: time(row.createdAt),
    scheduled_at: time(row.scheduledAt),
    finished_at: time(row.finishedAt),
    state: row.state,
    run_details:
      row.tasks.length === 0 ? undefined : { task_details: row.tasks.map((task) => printTask(task, row.id)) },
    recurring_run_id: row.recurringRunId,
    state_history: history(row.history),
  });
}

function printTask(task: TaskRow, runId: string): JsonObject {
  return message({
    run_id: runId,
    task_id: task.id,
    display_name: task.name,
    create_time: time(task.createdAt),
    start_time: time(task.startedAt),
    // Of tasks the other beginning of time means "not yet".
    end_time: task.endedAt === 0 ? "0001-01-01T00:00:00Z" : time(task.endedAt),
    state: task.state,
    state_history: history(task.history),
    child_tasks: task.children.map((name) => ({ pod_name: name })),
  });
}

export function printRecurringRun(row: RecurringRunRow): JsonObject {
  return message({
    recurring_run_id: row.id,
    display_name: row.displayName,
    description: row.description,
    ...source(row),
    runtime_config: runtimeConfig(row),
    service_account: row.serviceAccount,
    max_concurrency: `${row.maxConcurrency}`,
    trigger: row.trigger,
    mode: row.mode,
    created_at: time(row.createdAt),
    updated_at: time(row.updatedAt),
    status: row.mode === "ENABLE" ? "ENABLED" : "DISABLED",
    no_catchup: row.noCatchup ? true : undefined,
    namespace: row.namespace,
    experiment_id: row.experimentId,
  });
}

import { isObject } from "@wye/pipeline-spec";
import type { JsonObject } from "../wire/read-message.js";
import { type AccessReview, checkAccess } from "./access.js";
import { cronReason } from "./cron-reason.js";
import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { pageOf } from "./list-page.js";
import { recurringRunTable } from "./list-tables.js";
import { printPage } from "./print-page.js";
import { printRecurringRun } from "./print-rows.js";
import { readFields } from "./read-fields.js";
import { internalError, invalid, refusal, unknown } from "./refusal.js";
import type { RecurringRunRow } from "./rows.js";
import { experimentOf } from "./run-routes.js";
import { readSource, sourceKinds } from "./run-source.js";

const kinds = {
  ...sourceKinds,
  recurring_run_id: "output",
  max_concurrency: "number",
  trigger: {
    cron_schedule: { start_time: "time", end_time: "time", cron: "text" },
    periodic_schedule: { start_time: "time", end_time: "time", interval_second: "number" },
  },
  mode: ["MODE_UNSPECIFIED", "ENABLE", "DISABLE"],
  created_at: "output",
  updated_at: "output",
  status: "output",
  error: "output",
  no_catchup: "flag",
  namespace: "text",
} as const;

const conversion = "Failed to create a recurring run due to conversion error";

export function recurringRunRoutes(store: FakeStore, review: AccessReview): readonly Route[] {
  const { recurringRuns } = store;

  function list(request: FakeRequest): unknown {
    const { query } = request;
    const experimentId = query.get("experiment_id") ?? "";
    const given = store.isMultiUser ? (query.get("namespace") ?? "") : "";
    const namespace = experimentId === "" ? given : (store.experiments.get(experimentId)?.namespace ?? "");
    const wrapping = `Failed to list jobs: Failed to list recurring runs due to authorization error. Check if you have permission to access namespace ${namespace}`;
    const attempt = "failed to authorize with API";
    const emptyNamespace = "a recurring run cannot have an empty namespace in multi-user mode";
    checkAccess(store, review, request, {
      namespace,
      resource: "jobs",
      verb: "list",
      wrapping,
      attempt,
      emptyNamespace,
    });
    const rows = [...recurringRuns.values()].filter((row) =>
      experimentId === ""
        ? !store.isMultiUser || row.namespace === namespace
        : row.experimentId === experimentId,
    );
    const page = pageOf(rows, recurringRunTable, query);
    return printPage("recurringRuns", page.rows.map(printRecurringRun), page);
  }

  function find(id: string, wrapping: string): RecurringRunRow {
    const row = recurringRuns.get(id);
    if (row !== undefined) return row;
    throw unknown("Job", id, wrapping);
  }

  function setMode(id: string, mode: "ENABLE" | "DISABLE"): unknown {
    const isEnabled = mode === "ENABLE";
    const row = find(
      id,
      `Failed to ${isEnabled ? "enable" : "disable"} a recurring run: Failed to change recurring run's mode to enable:${isEnabled}. Check if recurring run ${id} exists`,
    );
    row.mode = mode;
    row.updatedAt = store.seconds();
    return {};
  }

  const one = "([^/:]*)";
  return [
    { method: "POST", pattern: /^\/recurringruns$/, handle: (request) => create(store, request) },
    { method: "GET", pattern: /^\/recurringruns$/, handle: list },
    {
      method: "GET",
      pattern: new RegExp(`^/recurringruns/${one}$`),
      handle: (_, [id = ""]) => printRecurringRun(find(id, "Failed to fetch a recurring run")),
    },
    {
      method: "DELETE",
      pattern: new RegExp(`^/recurringruns/${one}$`),
      handle: (_, [id = ""]) => {
        find(id, `Failed to delete a recurring run: Failed to delete recurring run ${id}. Check if exists`);
        recurringRuns.delete(id);
        return {};
      },
    },
    {
      method: "POST",
      pattern: new RegExp(`^/recurringruns/${one}:enable$`),
      handle: (_, [id = ""]) => setMode(id, "ENABLE"),
    },
    {
      method: "POST",
      pattern: new RegExp(`^/recurringruns/${one}:disable$`),
      handle: (_, [id = ""]) => setMode(id, "DISABLE"),
    },
  ];
}

function create(store: FakeStore, request: FakeRequest): unknown {
  const fields = readFields(request.body, kinds);
  const displayName = `${fields.display_name ?? ""}`;
  if (displayName === "") {
    throw refusal(
      13,
      `${conversion}: InternalServerError: Failed to convert a API recurring run to its internal representation: Invalid input error: Recurring run's name cannot be empty`,
    );
  }
  const trigger = readTrigger(fields.trigger);
  const maxConcurrency = Number(fields.max_concurrency ?? 0);
  if (maxConcurrency < 1 || maxConcurrency > 10) {
    throw invalid(
      conversion,
      `Max concurrency of a recurring run must be at least 1 and at most 10. Received ${maxConcurrency}`,
    );
  }
  const wrapping = "Failed to create a recurring run";
  const place = experimentOf(store, `${fields.experiment_id ?? ""}`, `${wrapping}: ${wrapping}`);
  const reference = isObject(fields.pipeline_version_reference) ? fields.pipeline_version_reference : {};
  if (fields.pipeline_spec === undefined && `${reference.pipeline_id ?? ""}` === "") {
    throw internalError("Cannot create a job with an empty pipeline ID");
  }
  const source = readSource(store, fields, {
    fetching: `${wrapping}: InternalServerError: ${wrapping} with an invalid pipeline spec manifest`,
    parameters: `${wrapping}: ${wrapping} during scheduled workflow creation`,
  });
  // With a pipeline alone the newest version is looked for at each start.
  const isFixed = reference.pipeline_version_id !== undefined || source.spec !== undefined;
  const at = store.seconds();
  const row: RecurringRunRow = {
    ...{ id: store.newId(), displayName, description: `${fields.description ?? ""}` },
    ...{ pipelineId: source.pipelineId, versionId: isFixed ? source.versionId : "", spec: source.spec },
    ...{ parameters: source.parameters, pipelineRoot: source.pipelineRoot },
    // That of the request is not looked at.
    serviceAccount: isFixed ? "pipeline-runner" : "",
    ...{ maxConcurrency, trigger, mode: fields.mode === "ENABLE" ? "ENABLE" : "DISABLE" },
    ...{ createdAt: at, updatedAt: at, noCatchup: fields.no_catchup === true },
    ...{ namespace: place.namespace || "kubeflow", experimentId: place.experimentId },
  };
  store.recurringRuns.set(row.id, row);
  return printRecurringRun(row);
}

/** Checks when it is to start. Nothing at all is fine with the server, and so is an end before the start. */
function readTrigger(trigger: unknown): JsonObject {
  if (!isObject(trigger)) return {};
  const { cron_schedule: cron, periodic_schedule: period } = trigger;
  if (isObject(period)) {
    const { start_time, end_time, interval_second = 0 } = period;
    if (Number(interval_second) < 1) {
      throw invalid(
        conversion,
        `Found invalid period schedule interval ${interval_second}. Set at interval to least 1 second`,
      );
    }
    const times = {
      ...(start_time !== undefined && { start_time }),
      ...(end_time !== undefined && { end_time }),
    };
    return { periodic_schedule: { ...times, interval_second: `${interval_second}` } };
  }
  if (!isObject(cron)) return {};
  const reason = cronReason(`${cron.cron ?? ""}`);
  if (reason === undefined) return { cron_schedule: cron };
  throw invalid(
    conversion,
    `Schedule cron is not a supported format(https://godoc.org/github.com/robfig/cron). Error: ${reason}`,
  );
}

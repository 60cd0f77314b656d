import { describe, expect, test } from "vitest";
import { readVertexJob } from "../vertex/vertex-job.js";
import { readExperiment } from "./experiment.js";
import { readHealth } from "./health.js";
import { readRecurringRun } from "./recurring-run.js";
import { readRun } from "./run.js";
import { readPipeline, readVersion } from "./uploaded-pipeline.js";

const at = "2026-01-02T03:04:05Z";
const date = new Date(at);
const status = { code: 5, message: "m" };
const history = {
  wire: [{ update_time: at, state: "RUNNING", error: status }],
  read: [{ updateTime: date, state: "RUNNING", error: status }],
};

/** The names of the wire in a message, but of what users have named. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      ["parameters", "tags", "pipeline_spec"].includes(name) ? one : camel(one),
    ]),
  );
}

const messages: Readonly<
  Record<
    string,
    { readonly read: (value: unknown) => unknown; readonly wire: object; readonly found: object }
  >
> = {
  "a run": {
    read: readRun,
    wire: {
      ...{ run_id: "r", display_name: "d", experiment_id: "e", description: "x" },
      ...{ storage_state: "ARCHIVED", pipeline_spec: { a_b: 1 }, service_account: "sa" },
      pipeline_version_reference: { pipeline_id: "p", pipeline_version_id: 7 },
      runtime_config: { parameters: { a_b: 1 }, pipeline_root: "root" },
      ...{ created_at: at, scheduled_at: at, finished_at: at, state: "running", error: status },
      run_details: {
        pipeline_context_id: 1,
        pipeline_run_context_id: "2",
        task_details: [
          {
            ...{ run_id: "r", task_id: 3, display_name: "t", create_time: at, start_time: at, end_time: at },
            ...{ executor_detail: { main_job: "x" }, state: "Failed", execution_id: 4, error: status },
            inputs: { a: { artifact_ids: [1, "2"] }, b: 5 },
            outputs: { c: { artifact_ids: [] } },
            ...{ parent_task_id: 5, state_history: history.wire, pod_name: "pod" },
            child_tasks: [{ task_id: 6, pod_name: "child" }, "x"],
          },
          5,
        ],
      },
      ...{
        recurring_run_id: "rr",
        state_history: history.wire,
        plugins_input: { i: 1 },
        plugins_output: { o: 1 },
      },
    },
    found: {
      ...{ runId: "r", displayName: "d", experimentId: "e", description: "x" },
      ...{ storageState: "ARCHIVED", pipelineSpec: { a_b: 1 }, serviceAccount: "sa" },
      pipelineVersionReference: { pipelineId: "p", pipelineVersionId: "7" },
      runtimeConfig: { parameters: { a_b: 1 }, pipelineRoot: "root" },
      ...{ createdAt: date, scheduledAt: date, finishedAt: date, state: "RUNNING", error: status },
      runDetails: {
        ...{ pipelineContextId: "1", pipelineRunContextId: "2" },
        taskDetails: [
          {
            ...{
              runId: "r",
              taskId: "3",
              displayName: "t",
              createTime: date,
              startTime: date,
              endTime: date,
            },
            ...{ executorDetail: { main_job: "x" }, state: "FAILED", executionId: "4", error: status },
            inputs: { a: { artifactIds: ["1", "2"] } },
            outputs: { c: { artifactIds: [] } },
            ...{ parentTaskId: "5", stateHistory: history.read, podName: "pod" },
            childTasks: [{ taskId: "6", podName: "child" }],
          },
        ],
      },
      ...{
        recurringRunId: "rr",
        stateHistory: history.read,
        pluginsInput: { i: 1 },
        pluginsOutput: { o: 1 },
      },
    },
  },
  "a recurring run": {
    read: readRecurringRun,
    wire: {
      ...{ recurring_run_id: "rr", display_name: "d", description: "x", pipeline_spec: { a_b: 1 } },
      pipeline_version_reference: { pipeline_id: "p", pipeline_version_id: "v" },
      runtime_config: { parameters: { a_b: 1 }, pipeline_root: "root" },
      ...{ service_account: "sa", max_concurrency: "3" },
      trigger: {
        cron_schedule: { start_time: at, end_time: at, cron: "0 0 * * * *" },
        periodic_schedule: { start_time: at, end_time: at, interval_second: "60" },
      },
      ...{ mode: "DISABLE", status: "DISABLED", created_at: at, updated_at: at, error: status },
      ...{ no_catchup: true, namespace: "n", experiment_id: "e" },
    },
    found: {
      ...{ recurringRunId: "rr", displayName: "d", description: "x", pipelineSpec: { a_b: 1 } },
      pipelineVersionReference: { pipelineId: "p", pipelineVersionId: "v" },
      runtimeConfig: { parameters: { a_b: 1 }, pipelineRoot: "root" },
      ...{ serviceAccount: "sa", maxConcurrency: 3 },
      trigger: {
        cronSchedule: { startTime: date, endTime: date, cron: "0 0 * * * *" },
        periodicSchedule: { startTime: date, endTime: date, intervalSecond: 60 },
      },
      ...{ mode: "DISABLE", status: "DISABLED", createdAt: date, updatedAt: date, error: status },
      ...{ noCatchup: true, namespace: "n", experimentId: "e" },
    },
  },
  "an experiment": {
    read: readExperiment,
    wire: {
      ...{ experiment_id: "e", display_name: "d", description: "x", created_at: at, namespace: "n" },
      ...{ storage_state: "AVAILABLE", last_run_created_at: at },
    },
    found: {
      ...{ experimentId: "e", displayName: "d", description: "x", createdAt: date, namespace: "n" },
      ...{ storageState: "AVAILABLE", lastRunCreatedAt: date },
    },
  },
  "a pipeline": {
    read: readPipeline,
    wire: {
      ...{ pipeline_id: "p", name: "n", display_name: "d", description: "x", created_at: at },
      ...{ namespace: "ns", tags: { a_b: "1" } },
    },
    found: {
      ...{ pipelineId: "p", name: "n", displayName: "d", description: "x", createdAt: date },
      ...{ namespace: "ns", tags: { a_b: "1" } },
    },
  },
  "a version": {
    read: readVersion,
    wire: {
      ...{ pipeline_id: "p", pipeline_version_id: "v", name: "n", display_name: "d", description: "x" },
      ...{ created_at: at, code_source_url: "u", pipeline_spec: { a_b: 1 }, tags: { a_b: "1" } },
    },
    found: {
      ...{ pipelineId: "p", pipelineVersionId: "v", name: "n", displayName: "d", description: "x" },
      ...{ createdAt: date, codeSourceUrl: "u", pipelineSpec: { a_b: 1 }, tags: { a_b: "1" } },
    },
  },
  "what a server says of itself": {
    read: readHealth,
    wire: { commit_sha: "c", tag_name: "2.16.1", multi_user: false, pipeline_store: "database" },
    found: { commitSha: "c", tagName: "2.16.1", multiUser: false, pipelineStore: "database" },
  },
  "a job of Vertex AI": {
    read: readVertexJob,
    wire: {
      ...{ name: "j", displayName: "d", state: "PIPELINE_STATE_RUNNING", createTime: at, startTime: at },
      ...{ endTime: at, updateTime: at, error: status, labels: { a: "b" } },
      jobDetail: {
        taskDetails: [
          {
            ...{
              taskId: 1,
              taskName: "t",
              parentTaskId: "2",
              state: "SKIPPED",
              createTime: at,
              startTime: at,
            },
            ...{ endTime: at, error: status, inputs: { i: 1 }, outputs: { o: 1 }, execution: { e: 1 } },
            executorDetail: { x: 1 },
          },
        ],
      },
      ...{ runtimeConfig: { r: 1 }, pipelineSpec: { p: 1 }, serviceAccount: "sa", network: "net" },
      templateUri: "t",
    },
    found: {
      ...{ name: "j", displayName: "d", state: "RUNNING", createTime: date, startTime: date },
      ...{ endTime: date, updateTime: date, error: status, labels: { a: "b" } },
      jobDetail: {
        taskDetails: [
          {
            ...{ taskId: "1", taskName: "t", parentTaskId: "2", state: "SKIPPED", createTime: date },
            ...{ startTime: date, endTime: date, error: status, inputs: { i: 1 }, outputs: { o: 1 } },
            ...{ execution: { e: 1 }, executorDetail: { x: 1 } },
          },
        ],
      },
      ...{ runtimeConfig: { r: 1 }, pipelineSpec: { p: 1 }, serviceAccount: "sa", network: "net" },
      templateUri: "t",
    },
  },
};

describe.each(Object.entries(messages))("%s", (_, { read, wire, found }) => {
  test("is read whole, in either spelling of its names", () => {
    expect(read(wire)).toEqual(found);
    expect(read(camel(wire))).toEqual({ ...found, ...kept(found, wire) });
  });

  test("has nothing of which the server says nothing", () => {
    const ids = Object.entries(found).filter(([name]) => /^(name|\w+Id)$/.test(name));
    const bare = Object.fromEntries(ids);
    expect(read(bare)).toEqual(bare);
  });
});

/** What is not renamed inside of other members. */
function kept(found: object, wire: object): object {
  return "runDetails" in found && "run_details" in wire
    ? {
        runDetails: {
          ...Object(found.runDetails),
          taskDetails: Object(found.runDetails).taskDetails.map((one: object) => ({
            ...one,
            executorDetail: { mainJob: "x" },
          })),
        },
      }
    : {};
}

const needed: readonly (readonly [
  what: string,
  read: (value: unknown) => unknown,
  ids: readonly string[],
])[] = [
  ["run", readRun, ["run_id"]],
  ["recurring run", readRecurringRun, ["recurring_run_id"]],
  ["experiment", readExperiment, ["experiment_id"]],
  ["pipeline", readPipeline, ["pipeline_id"]],
  ["version", readVersion, ["pipeline_id", "pipeline_version_id"]],
  ["job of Vertex AI", readVertexJob, ["name"]],
];

test.each(needed)("without an id there is no %s", (_, read, ids) => {
  const whole = Object.fromEntries(ids.map((id) => [id, "x"]));
  expect(read(whole)).toBeDefined();
  for (const id of ids) expect(read({ ...whole, [id]: undefined })).toBeUndefined();
  expect(read([])).toBeUndefined();
});

describe("numbers of enumerations are their words:", () => {
  const numbered = (words: readonly string[]) =>
    [...words.entries()].map(([at, word]) => [at + 1, word] as const);

  test.each([
    ...numbered(["PENDING", "RUNNING", "SUCCEEDED", "SKIPPED", "FAILED", "CANCELING", "CANCELED", "PAUSED"]),
    [9, "9"] as const,
  ])("the state %d of a run is %s", (state, word) => {
    expect(readRun({ run_id: "r", state })).toEqual({ runId: "r", state: word });
  });

  test.each([...numbered(["AVAILABLE", "ARCHIVED"]), [3, "3"] as const])(
    "the state %d of what is kept is %s",
    (storage_state, word) => {
      expect(readExperiment({ experiment_id: "e", storage_state })).toMatchObject({ storageState: word });
    },
  );

  test.each([
    [1, "ENABLE", "ENABLED"],
    [2, "DISABLE", "2"],
    [3, "3", "DISABLED"],
  ])("mode and status %d of a recurring run are %s and %s", (number, mode, status) => {
    const read = readRecurringRun({ recurring_run_id: "r", mode: number, status: number });
    expect(read).toEqual({ recurringRunId: "r", mode, status });
  });

  test.each(
    numbered(["QUEUED", "PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLING", "CANCELLED", "PAUSED"]),
  )("the state %d of a job is %s", (state, word) => {
    expect(readVertexJob({ name: "j", state })).toEqual({ name: "j", state: word });
  });

  const tasks = ["PENDING", "RUNNING", "SUCCEEDED", "CANCEL_PENDING", "CANCELLING", "CANCELLED", "FAILED"];
  test.each(numbered([...tasks, "SKIPPED", "NOT_TRIGGERED"]))(
    "the state %d of a task of a job is %s",
    (state, word) => {
      expect(readVertexJob({ name: "j", jobDetail: { taskDetails: [{ state }] } })).toMatchObject({
        jobDetail: { taskDetails: [{ state: word }] },
      });
    },
  );
});

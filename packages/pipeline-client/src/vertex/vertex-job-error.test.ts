import { describe, expect, test } from "vitest";
import { vertexHost } from "./vertex-host.js";
import { isFinalJobState, type VertexJob, type VertexTask } from "./vertex-job.js";
import { VertexJobError } from "./vertex-job-error.js";

const failed = (taskId: string, more: Partial<VertexTask> = {}): VertexTask => ({
  ...{ taskId, taskName: `task ${taskId}`, state: "FAILED" },
  ...more,
});
const job = (more: Partial<VertexJob>): VertexJob => ({ name: "projects/p/pipelineJobs/j\n1", ...more });
const tasks = (...taskDetails: readonly VertexTask[]) => ({ jobDetail: { taskDetails } });

describe("a job that has not ended well", () => {
  test.each<readonly [what: string, given: Partial<VertexJob>, message: string, taskId: string | undefined]>([
    ["of which nothing is known", {}, "the job j 1 has ended as FAILED", undefined],
    [
      "that says why",
      { state: "CANCELLED", error: { message: "w\nhy" } },
      "the job j 1 has ended as CANCELLED: w hy",
      undefined,
    ],
    ["without tasks", { state: "FAILED", jobDetail: {} }, "the job j 1 has ended as FAILED", undefined],
    [
      "with a task",
      tasks(failed("a", { error: { message: "why" } }), failed("b")),
      'the job j 1 has ended as FAILED: task "task a" failed: why',
      "a",
    ],
    [
      "with a task, and a reason of its own",
      { ...tasks(failed("a", { error: { message: "why" } })), error: { message: "of the job" } },
      'the job j 1 has ended as FAILED: task "task a" failed: why',
      "a",
    ],
    [
      "with a task whose reason is empty, and a reason of its own",
      { ...tasks(failed("a", { error: { message: "" } })), error: { message: "of the job" } },
      'the job j 1 has ended as FAILED: task "task a" failed: of the job',
      "a",
    ],
    [
      "with a task inside of another",
      { ...tasks(failed("a"), failed("b", { parentTaskId: "a" })), error: { message: "of the job" } },
      'the job j 1 has ended as FAILED: task "task b" failed: of the job',
      "b",
    ],
    [
      "with a task inside of which others have not failed",
      tasks(failed("a"), failed("b", { parentTaskId: "a" }), {
        ...{ taskId: "c", parentTaskId: "b", state: "SUCCEEDED" },
      }),
      'the job j 1 has ended as FAILED: task "task b" failed',
      "b",
    ],
    [
      "with tasks that are inside of each other",
      tasks(failed("a", { parentTaskId: "b" }), failed("b", { parentTaskId: "a" })),
      'the job j 1 has ended as FAILED: task "task a" failed',
      "a",
    ],
    [
      "with tasks that have not failed",
      tasks({ taskId: "a", state: "SUCCEEDED" }, { taskId: "b", state: "SKIPPED" }),
      "the job j 1 has ended as FAILED",
      undefined,
    ],
    [
      "with a task without a name",
      tasks({ state: "FAILED" }),
      'the job j 1 has ended as FAILED: task "" failed',
      undefined,
    ],
  ])("%s", (_, given, message, taskId) => {
    const one = job(given);
    const error = new VertexJobError(one);
    expect([error.name, error.message, error.task?.taskId]).toEqual(["VertexJobError", message, taskId]);
    expect(error.job).toBe(one);
  });
});

test.each([
  ["SUCCEEDED", true],
  ["FAILED", true],
  ["CANCELLED", true],
  ["PAUSED", true],
  ["CANCELLING", false],
  ["QUEUED", false],
  ["NOT_FAILED", false],
  ["FAILED_LATER", false],
  [undefined, false],
])("whether %s is an end of a job: %s", (state, is) => expect(isFinalJobState(state)).toBe(is));

test.each([
  ["global", "https://aiplatform.googleapis.com"],
  ["us", "https://aiplatform.us.rep.googleapis.com"],
  ["eu", "https://aiplatform.eu.rep.googleapis.com"],
  ["us-central1", "https://us-central1-aiplatform.googleapis.com"],
])("jobs of %s are at %s", (location, host) => expect(vertexHost(location)).toBe(host));

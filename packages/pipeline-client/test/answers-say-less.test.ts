import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createVertexClient, VertexJobError } from "../src/vertex/index.js";
import { SkippingClock } from "./skipping-clock.js";

// Answers of a run, and of a job of Vertex AI, that say less than the one before: nothing is told twice, nothing is forgotten.

/** These answers one after the other, the last of which is given for ever. */
function inTurn(about: object, answers: readonly object[]) {
  let index = 0;
  return async () => Response.json({ ...about, ...answers[Math.min(index++, answers.length - 1)] });
}

const vertex = (...answers: object[]) =>
  createVertexClient({
    ...{ project: "p", location: "us-central1", token: "t", clock: new SkippingClock() },
    fetch: inTurn({ name: "projects/p/locations/us-central1/pipelineJobs/x" }, answers),
  });
const kubeflow = (...answers: object[]) =>
  createPipelineClient({
    ...{ host: "http://kfp.example", clock: new SkippingClock() },
    fetch: inTurn({ run_id: "r" }, answers),
  });

interface Change {
  readonly task?: { readonly taskId?: string };
  readonly from?: string;
  readonly state: string;
}

async function told(updates: AsyncIterable<{ readonly changes: readonly Change[] }>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { changes } of updates)
    for (const { task, from, state } of changes)
      lines.push(`${task?.taskId ?? "-"}: ${from ?? "new"} > ${state}`);
  return lines;
}

const job = (state: string, ...tasks: object[]) => ({
  state: `PIPELINE_STATE_${state}`,
  ...(tasks.length === 0 ? {} : { jobDetail: { taskDetails: tasks } }),
});
const run = (state: string, ...tasks: object[]) => ({ state, run_details: { task_details: tasks } });
const task = (taskId: string, state?: unknown) => ({ taskId, taskName: `t${taskId}`, state });
const node = (task_id: string, state?: unknown) => ({ task_id, display_name: task_id, state });

describe("a job of Vertex AI", () => {
  test("is not told again after an answer without its tasks", async () => {
    const tasks = [task("1", "SUCCEEDED"), task("2", "RUNNING")];
    const answers = [job("RUNNING", ...tasks), job("RUNNING"), job("RUNNING", ...tasks), job("SUCCEEDED")];
    expect(await told(vertex(...answers).follow("x"))).toEqual([
      ...["1: new > SUCCEEDED", "2: new > RUNNING", "-: new > RUNNING"],
      "-: RUNNING > SUCCEEDED",
    ]);
  });

  test("that has failed names the task that was seen failed before", async () => {
    const ended = vertex(job("RUNNING", task("1", "FAILED")), job("FAILED")).wait("x");
    await expect(ended).rejects.toThrow('the job x has ended as FAILED: task "t1" failed');
    const later = vertex(job("RUNNING", task("1", "FAILED")), job("FAILED", task("1"))).wait("x");
    await expect(later).rejects.toBeInstanceOf(VertexJobError);
    await expect(later).rejects.toThrow('task "t1" failed');
  });

  test("has changed nothing when its state is not said", async () => {
    const answers = [job("RUNNING"), job("UNSPECIFIED"), {}, { state: null }, { state: 0 }, job("SUCCEEDED")];
    expect(await told(vertex(...answers).follow("x"))).toEqual([
      "-: new > RUNNING",
      "-: RUNNING > SUCCEEDED",
    ]);
  });

  test("nor has a task", async () => {
    const states = ["RUNNING", undefined, "STATE_UNSPECIFIED", null, 0, "SUCCEEDED"];
    const answers = states.map((state) => job("RUNNING", task("1", state)));
    expect(await told(vertex(...answers, job("SUCCEEDED")).follow("x"))).toEqual([
      ...["1: new > RUNNING", "-: new > RUNNING", "1: RUNNING > SUCCEEDED"],
      "-: RUNNING > SUCCEEDED",
    ]);
  });
});

const emptyJob = { ...job("FAILED"), jobDetail: { taskDetails: [] } };

test("what several answers have left out is in the last one all the same", async () => {
  const said = { state: "SUCCEEDED" };
  const ofVertex = [job("RUNNING", task("1", "SUCCEEDED")), job("RUNNING"), job("RUNNING"), job("SUCCEEDED")];
  expect(await vertex(...ofVertex).wait("x")).toMatchObject({ ...said, jobDetail: { taskDetails: [said] } });
  const ofKubeflow = [run("RUNNING", node("a", "SUCCEEDED")), { state: "RUNNING" }, {}, said];
  expect(await kubeflow(...ofKubeflow).runs.wait({ id: "r" })).toMatchObject({
    ...said,
    runDetails: { taskDetails: [said] },
  });
});

test("what the last answer says beside the tasks stands with those that are known", async () => {
  const last = { state: "SUCCEEDED", run_details: { pipeline_context_id: "7" } };
  const { runDetails } = await kubeflow(run("RUNNING", node("a", "SUCCEEDED")), last).runs.wait({ id: "r" });
  expect(runDetails).toMatchObject({ pipelineContextId: "7", taskDetails: [{ taskId: "a" }] });
});

test("an answer that says nothing of the state has the one that is known", async () => {
  const ofVertex = [job("RUNNING", task("1", "RUNNING")), job("UNSPECIFIED", task("1", "SUCCEEDED"))];
  const ofKubeflow = [run("RUNNING", node("a", "RUNNING")), run("UNSPECIFIED", node("a", "SUCCEEDED"))];
  const states: unknown[] = [];
  for await (const { job: one } of vertex(...ofVertex, job("SUCCEEDED")).follow("x")) states.push(one.state);
  const { runs } = kubeflow(...ofKubeflow, { state: "SUCCEEDED" });
  for await (const { run: one } of runs.follow({ id: "r" })) states.push(one.state);
  expect(states).toEqual(["RUNNING", "RUNNING", "SUCCEEDED", "RUNNING", "RUNNING", "SUCCEEDED"]);
});

test("an empty list of tasks is none: the one that was seen failed is named", async () => {
  const ofVertex = vertex(job("RUNNING", task("1", "FAILED")), emptyJob).wait("x");
  await expect(ofVertex).rejects.toThrow('task "t1" failed');
  const ofKubeflow = kubeflow(run("RUNNING", node("a", "FAILED")), run("FAILED")).runs.wait({ id: "r" });
  await expect(ofKubeflow).rejects.toMatchObject({ name: "RunError", task: { taskId: "a" } });
});

describe("the last answer lists other tasks: the one that failed in the answer before is named", () => {
  const failed = /task "t?1" failed/;

  test.each([
    [
      "of a job",
      () => vertex(job("RUNNING", task("1", "FAILED")), job("FAILED", task("2", "CANCELLED"))).wait("x"),
    ],
    [
      "of a run",
      () =>
        kubeflow(run("RUNNING", node("1", "FAILED")), run("FAILED", node("2", "CANCELED"))).runs.wait({
          id: "r",
        }),
    ],
  ])("%s", async (_, ended) => {
    await expect(ended()).rejects.toThrow(failed);
  });

  test("unless it names one itself, or the run went on without it", async () => {
    const other = kubeflow(run("RUNNING", node("1", "FAILED")), run("FAILED", node("2", "FAILED")));
    await expect(other.runs.wait({ id: "r" })).rejects.toMatchObject({ failedTasks: [{ taskId: "2" }] });
    // A retry takes failed tasks out of the run.
    const again = [
      run("RUNNING", node("1", "FAILED")),
      run("RUNNING", node("2", "RUNNING")),
      run("FAILED", node("2")),
    ];
    await expect(kubeflow(...again).runs.wait({ id: "r" })).rejects.toMatchObject({ failedTasks: [] });
  });

  test("and one that has succeeded tells of none", async () => {
    const tasks = [run("RUNNING", node("1", "FAILED")), run("SUCCEEDED", node("2", "SUCCEEDED"))];
    const { runDetails } = await kubeflow(...tasks).runs.wait({ id: "r" });
    expect(runDetails?.taskDetails).toHaveLength(1);
  });
});

describe("a run", () => {
  test("has tasks that change nothing when their states are not said", async () => {
    const states = ["RUNNING", undefined, "RUNTIME_STATE_UNSPECIFIED", null, 0, "SUCCEEDED"];
    const answers = states.map((state) => run("RUNNING", node("a", state)));
    expect(await told(kubeflow(...answers, { state: "SUCCEEDED" }).runs.follow({ id: "r" }))).toEqual([
      ...["a: new > RUNNING", "-: new > RUNNING", "a: RUNNING > SUCCEEDED"],
      "-: RUNNING > SUCCEEDED",
    ]);
  });

  test("tells a task once whose id stands twice", async () => {
    const twice = run("RUNNING", node("a", "RUNNING"), node("a", "SUCCEEDED"));
    expect(
      await told(kubeflow(twice, twice, twice, { state: "SUCCEEDED" }).runs.follow({ id: "r" })),
    ).toEqual([...["a: new > SUCCEEDED", "-: new > RUNNING"], "-: RUNNING > SUCCEEDED"]);
  });

  test("knows a task that one answer has left out", async () => {
    const both = run("RUNNING", node("a", "SUCCEEDED"), node("b", "RUNNING"));
    const answers = [both, run("RUNNING", node("b", "RUNNING")), both, { state: "SUCCEEDED" }];
    expect(await told(kubeflow(...answers).runs.follow({ id: "r" }))).toEqual([
      ...["a: new > SUCCEEDED", "b: new > RUNNING", "-: new > RUNNING"],
      "-: RUNNING > SUCCEEDED",
    ]);
  });

  test("has a state of its own when it is said, and none when not", async () => {
    const answers = [{ state: "RUNNING" }, { state: "RUNTIME_STATE_UNSPECIFIED" }, { state: "SUCCEEDED" }];
    expect(await told(kubeflow(...answers).runs.follow({ id: "r" }))).toEqual([
      "-: new > RUNNING",
      "-: RUNNING > SUCCEEDED",
    ]);
  });

  test("has been terminated that was seen so, whatever is said of it later", async () => {
    const ended = kubeflow({ state: "CANCELING" }, { state: "RUNNING" }, { state: "FAILED" });
    await expect(ended.runs.wait({ id: "r" })).rejects.toMatchObject({ wasTerminated: true });
    const other = kubeflow({ state: "RUNNING" }, { state: "FAILED" });
    await expect(other.runs.wait({ id: "r" })).rejects.toMatchObject({ wasTerminated: false });
  });

  test.each([
    { tasks: {} },
    { state: "RUNNING" },
    { state: 1, tasks: {} },
    { state: "RUNNING", tasks: { a: 1 } },
  ])("is not followed on from %j", async (after) => {
    // Cursors come from files.
    const updates = kubeflow({ state: "SUCCEEDED" }).runs.follow({ id: "r" }, { after } as object);
    await expect(told(updates)).rejects.toThrow(TypeError);
  });

  test("is asked for once when there is no time to wait", async () => {
    const ended = kubeflow({ state: "SUCCEEDED" }).runs.wait({ id: "r" }, { maxWaitMs: 0 });
    expect(await ended).toMatchObject({ state: "SUCCEEDED" });
    const open = kubeflow({ state: "RUNNING" }).runs.wait({ id: "r" }, { maxWaitMs: 0 });
    await expect(open).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("has not ended"),
    });
  });
});

describe("a list", () => {
  const listed = async (...pages: object[]) => {
    let index = 0;
    const fetch = async () => Response.json(pages[index++] ?? {});
    const ids: string[] = [];
    for await (const { runId } of createPipelineClient({ host: "http://kfp.example", fetch }).runs.list())
      ids.push(runId);
    return ids;
  };

  test.each([7, 9007199254740991, "7"])("goes on at the token %j", async (next_page_token) => {
    expect(await listed({ runs: [{ run_id: "a" }], next_page_token }, { runs: [{ run_id: "b" }] })).toEqual([
      "a",
      "b",
    ]);
  });

  test("has ids that are numbers as texts", async () => {
    expect(await listed({ runs: [{ run_id: 7 }, { run_id: "b" }] })).toEqual(["7", "b"]);
  });

  test.each([[{ display_name: "x" }], [null], ["a"], [[]]])("with %j in it is none", async (row) => {
    const none = listed({ runs: [{ run_id: "a" }, row] });
    await expect(none).rejects.toMatchObject({
      code: "invalid_response",
      message: expect.stringContaining("`runs/1` of the answer has no id"),
    });
  });

  test.each([[true], [{}], [["x"]]])("with the token %j is none", async (next_page_token) => {
    await expect(listed({ runs: [], next_page_token })).rejects.toMatchObject({ code: "invalid_response" });
  });

  test("is empty where its items are null, and so is its token", async () => {
    expect(await listed({ runs: null })).toEqual([]);
    expect(await listed({ runs: null, total_size: 0, next_page_token: null })).toEqual([]);
  });
});

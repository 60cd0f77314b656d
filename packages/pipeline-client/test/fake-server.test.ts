import { request as httpRequest } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import {
  createFakePipelineServer,
  type FakePipelineServerOptions,
  startFakePipelineServer,
} from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

const api = "/apis/v2beta1";
const now = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A fake server whose ids are numbers, and what asks it. */
function world(options: FakePipelineServerOptions = {}) {
  let ids = 0;
  const fake = createFakePipelineServer({ now: () => now, newId: () => `id-${++ids}`, ...options });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fake.fetch(`http://any${path}`, {
      method,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return [answer.status, text.startsWith("{") ? JSON.parse(text) : text] as const;
  };
  const client = createPipelineClient({ host: "http://any", fetch: fake.fetch, retry: false });
  return { fake, ask, client };
}

/** The message of a refusal. */
const messageOf = ([status, body]: readonly [number, { readonly message?: string }]) => [
  status,
  body.message,
];

describe("the fake server answers", () => {
  test.each<readonly [method: string, path: string, status: number, body: unknown]>([
    ["GET", "/", 404, "404 page not found\n"],
    ["GET", "/api/v2", 404, "404 page not found\n"],
    ["GET", "/apis/v1beta1/runs", 404, { code: 5, message: "Not Found" }],
    ["GET", `${api}/nothing`, 404, { code: 5, message: "Not Found" }],
    ["PATCH", `${api}/runs`, 501, { code: 12, message: "Method Not Allowed" }],
    ["PUT", `${api}/experiments/x`, 501, { code: 12, message: "Method Not Allowed" }],
    ["PATCH", `${api}/pipelines/x`, 501, { code: 12, message: "Method Not Allowed" }],
    ["PATCH", `${api}/recurringruns`, 501, { code: 12, message: "Method Not Allowed" }],
    ["GET", `${api}/runs/x:archive`, 501, { code: 12, message: "Method Not Allowed" }],
    ["PATCH", `${api}/runs/x/y`, 404, { code: 5, message: "Not Found" }],
    [
      "GET",
      `${api}/healthz`,
      200,
      { commit_sha: "abcdef", tag_name: "2.16.1", multi_user: false, pipeline_store: "database" },
    ],
  ])("%s %s with %d", async (method, path, status, body) => {
    expect(await world().ask(method, path)).toEqual([status, body]);
  });

  test("what it has not expected with an internal error", async () => {
    for (const [thrown, said] of [
      [new Error("on fire"), "on fire"],
      ["text", "unknown"],
    ] as const) {
      const { ask } = world({
        plan: () => {
          throw thrown;
        },
      });
      const made = ask("POST", `${api}/runs`, { display_name: "r", pipeline_spec: await specOf() });
      expect(messageOf(await made)).toEqual([500, `Internal error: ${said}`]);
    }
  });

  test("paths with a prefix and without, and one that cannot be decoded as it is", async () => {
    const { ask } = world({ prefix: "/pipeline" });
    expect((await ask("GET", `/pipeline${api}/healthz`))[0]).toBe(200);
    expect((await ask("GET", `${api}/healthz`))[0]).toBe(200);
    expect((await ask("GET", `/other${api}/healthz`))[0]).toBe(404);
    expect(messageOf(await ask("GET", `${api}/runs/%zz`))).toEqual([
      404,
      "Failed to get a run: Failed to fetch run %zz: ResourceNotFoundError: Run %zz not found",
    ]);
  });

  test("without a prefix where that is nothing", async () => {
    expect((await world({ prefix: "" }).ask("GET", `${api}/healthz`))[0]).toBe(200);
    expect((await world({ prefix: "/a" }).ask("GET", `/a${api}/healthz`))[0]).toBe(200);
    for (const prefix of ["/", "a", "/a/", "a/b", "x/a"])
      expect(() => createFakePipelineServer({ prefix })).toThrow(
        new TypeError("`prefix` begins with a slash, and does not end with one"),
      );
  });

  test("over a connection as without one, and HEAD with no body", async () => {
    const fake = await startFakePipelineServer({ now: () => now, prefix: "/pipeline" });
    onTestFinished(() => fake.close());
    const ask = (method: string, headers: Record<string, string | string[]>) =>
      new Promise((resolve, reject) => {
        const request = httpRequest(`${fake.url}${api}/healthz?a=b?c`, { method, headers }, (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += `${chunk}`;
          });
          response.on("end", () => resolve([response.statusCode, response.headers["content-type"], text]));
        });
        request.on("error", reject).end();
      });
    const type = "text/plain; charset=utf-8";
    expect(await ask("GET", { "set-cookie": ["a", "b"] })).toEqual([
      200,
      type,
      expect.stringContaining("2.16.1"),
    ]);
    expect(await ask("HEAD", {})).toEqual([200, type, ""]);
    expect(fake.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pipeline$/);
  });

  test("over a connection all of a query, whatever signs are in it", async () => {
    const fake = await startFakePipelineServer({ now: () => now });
    onTestFinished(() => fake.close());
    const filter = '{"predicates":[{"key":"name","operation":"EQUALS","string_value":"a?b"}]}';
    const query = encodeURIComponent(filter).replaceAll("%3F", "?");
    expect((await fetch(`${fake.url}${api}/pipelines?filter=${query}`)).status).toBe(200);
  });

  test("a log that is not there with 200", async () => {
    const { ask, client } = world();
    const run = await client.runs.create({ file: helloPipeline, runId: "a/b" });
    const log = async (id: string) => ask("GET", `/apis/v1alpha1/runs/${id}/nodes/n/log`);
    const gone =
      "BadRequestError: Failed to read logs for run x due to run fetching error: Failed to fetch run x: ResourceNotFoundError: Run x not found";
    expect(await log("x")).toEqual([200, { error_message: gone, error_details: gone }]);
    const kept = "NotFoundError: no log is kept";
    expect(await log(encodeURIComponent(run.runId))).toEqual([
      200,
      { error_message: kept, error_details: kept },
    ]);
  });

  test("where an artifact is asked for with 404", async () => {
    const message = "artifact not found: <nil>";
    expect(await world().ask("GET", `${api}/runs/r/nodes/n/artifacts/a:read`)).toEqual([
      404,
      { error_message: message, error_details: message },
    ]);
  });
});

async function specOf(): Promise<unknown> {
  const { client } = world();
  const { version } = await client.pipelines.upload(helloPipeline);
  return version.pipelineSpec;
}

test("what a workflow of an older pipeline takes is not known to the fake server", async () => {
  const { ask, client } = world({
    fetchFile: async () => new TextEncoder().encode("kind: Workflow\nspec: {}"),
  });
  const { pipelineId } = await client.pipelines.createFromUrl({ url: "https://u/a/old.yaml" });
  const pipeline_version_reference = { pipeline_id: pipelineId };
  const runtime_config = { parameters: { any: 1 } };
  const run = { display_name: "r", pipeline_version_reference, runtime_config };
  expect(await ask("POST", `${api}/runs`, run)).toMatchObject([200, { runtime_config }]);
});

describe("pipelines that the fake server fetches", () => {
  const files: Readonly<Record<string, string>> = {
    "https://u/a/p.yaml": helloPipeline,
    "http://u/bad": "a: [",
  };
  const fetching = () =>
    world({
      fetchFile: async (url) => {
        const text = files[url];
        if (text === undefined) throw new Error(`nothing at ${url}`);
        return new TextEncoder().encode(text);
      },
    });

  test("are called as the file or as they are to be called, each with a version", async () => {
    const { client, fake } = fetching();
    const own = await client.pipelines.createFromUrl({ url: "https://u/a/p.yaml" });
    expect([own.name, own.displayName]).toEqual(["p.yaml", "p.yaml"]);
    const url = "https://u/a/p.yaml";
    const named = await client.pipelines.createFromUrl({ url, name: "n", description: "x" });
    expect([named.name, named.displayName, named.description]).toEqual(["n", "n", "x"]);
    const shown = await client.pipelines.createFromUrl({ url, displayName: "d" });
    expect([shown.name, shown.displayName]).toEqual(["d", "d"]);
    expect(await client.versions.latest({ id: named.pipelineId })).toMatchObject({
      name: "n",
      description: "x",
    });
    const version = await client.versions.createFromUrl(
      { id: named.pipelineId },
      { url, codeSourceUrl: "c", description: "y" },
    );
    expect([version.name, version.pipelineSpec]).toEqual(["p.yaml", await specOf()]);
    expect(fake.store.versions.get(version.pipelineVersionId)).toMatchObject({
      codeSourceUrl: "c",
      description: "y",
    });
  });

  test("are refused where there is nothing, or nothing of use", async () => {
    const { client, ask } = fetching();
    const from = (url: string) => client.pipelines.createFromUrl({ url });
    for (const url of ["ftp://u/a", "https://u", "u/a"])
      await expect(from(url)).rejects.toMatchObject({
        status: 400,
        serverMessage: `Failed to create a pipeline: Invalid input error: invalid pipeline spec URL: ${url}`,
      });
    await expect(from("http://u/bad")).rejects.toMatchObject({
      status: 500,
      serverMessage:
        "Failed to create a pipeline: InternalServerError: unknown template format: pipeline spec is invalid",
    });
    await expect(from("https://u/none")).rejects.toMatchObject({
      serverMessage: "Internal error: nothing at https://u/none",
    });
    await expect(world().client.pipelines.createFromUrl({ url: "https://u/a/p.yaml" })).rejects.toMatchObject(
      {
        serverMessage: "Internal error: nothing is anywhere",
      },
    );
    const package_url = { pipeline_url: "https://u/a/p.yaml" };
    const versions = `${api}/pipelines/x/versions`;
    expect(messageOf(await ask("POST", versions, { pipeline_id: "x", package_url }))).toEqual([
      404,
      "Failed to create a pipeline version: ResourceNotFoundError: Pipeline x not found",
    ]);
    expect(messageOf(await ask("POST", versions, { package_url }))).toEqual([
      400,
      "Invalid input error: Failed to create a pipeline version. Parent pipeline id is empty",
    ]);
    for (const body of [{ pipeline_id: "x" }, { package_url: {} }, { package_url: { pipeline_url: null } }])
      expect(messageOf(await ask("POST", versions, body))).toEqual([
        400,
        "Invalid input error: Failed to create a pipeline version. Package URL is nil",
      ]);
    expect(messageOf(await ask("POST", `${api}/pipelines/create`, {}))).toEqual([
      400,
      "Failed to create a pipeline: Invalid input error: invalid pipeline spec URL: ",
    ]);
  });
});

describe("what is not there is told by the fake server:", () => {
  const resource = (what: string) => `ResourceNotFoundError: ${what} not found`;
  test.each<readonly [method: string, path: string, status: number, message: string]>([
    [
      ...(["GET", "/pipelines/x", 404] as const),
      `Failed to get a pipeline x. Check error stack: Failed to get a pipeline with id x: ${resource("Pipeline x")}`,
    ],
    [
      ...(["DELETE", "/pipelines/x", 404] as const),
      `Failed to delete pipeline x. Check error stack: Failed to delete pipeline with id x as it was not found: ${resource("Pipeline x")}`,
    ],
    [
      ...(["GET", "/pipelines/names/x", 404] as const),
      `Failed to get a pipeline with name x and namespace . Check error stack.: Failed to get a pipeline named x in namespace : ${resource("Namespace/Pipeline /x")}`,
    ],
    [
      ...(["GET", "/pipelines/p/versions/x", 404] as const),
      `Failed to get a pipeline version x: Failed to get a pipeline version with id x: ${resource("PipelineVersion x")}`,
    ],
    [
      ...(["DELETE", "/pipelines/p/versions/x", 404] as const),
      `Failed to delete a pipeline version id x under pipeline id p. Check error stack: Failed to delete pipeline version with id x as it was not found: ${resource("PipelineVersion x")}`,
    ],
    [
      ...(["GET", "/pipelines/x/versions", 404] as const),
      `Failed to list pipeline versions for pipeline x: Failed to list pipeline versions due to error fetching the namespace for pipeline x: Failed to get namespace for pipeline id x: Failed to get a pipeline with id x: ${resource("Pipeline x")}`,
    ],
    ["GET", "/experiments/x", 404, `Failed to fetch experiment: ${resource("Experiment x")}`],
    [
      ...(["DELETE", "/experiments/x", 404] as const),
      `Failed to delete experiment: Failed to delete experiment x due to error fetching it: ${resource("Experiment x")}`,
    ],
    ["GET", "/runs/x", 404, `Failed to get a run: Failed to fetch run x: ${resource("Run x")}`],
    [
      ...(["DELETE", "/runs/x", 404] as const),
      `Failed to delete a run: Failed to delete run x as it does not exist: Failed to fetch run x: ${resource("Run x")}`,
    ],
    [
      ...(["POST", "/runs/x:terminate", 404] as const),
      `Failed to terminate a run: Failed to terminate run x due to error fetching the run: Failed to fetch run x: ${resource("Run x")}`,
    ],
    [
      ...(["POST", "/runs/x:retry", 404] as const),
      `Failed to retry a run: Failed to retry run x due to error fetching the run: Failed to fetch run x: ${resource("Run x")}`,
    ],
    [
      ...(["POST", "/runs/x:archive", 404] as const),
      `Failed to archive a run: Failed to archive run x as it failed to be retrieved: Failed to fetch run x: ${resource("Run x")}`,
    ],
    [
      ...(["POST", "/runs/x:unarchive", 404] as const),
      `Failed to unarchive a run: Failed to unarchive run x as it does not exist: Failed to fetch run x: ${resource("Run x")}`,
    ],
    ["GET", "/recurringruns/x", 404, `Failed to fetch a recurring run: ${resource("Job x")}`],
    [
      ...(["DELETE", "/recurringruns/x", 404] as const),
      `Failed to delete a recurring run: Failed to delete recurring run x. Check if exists: ${resource("Job x")}`,
    ],
    [
      ...(["POST", "/recurringruns/x:enable", 404] as const),
      `Failed to enable a recurring run: Failed to change recurring run's mode to enable:true. Check if recurring run x exists: ${resource("Job x")}`,
    ],
    [
      ...(["POST", "/recurringruns/x:disable", 404] as const),
      `Failed to disable a recurring run: Failed to change recurring run's mode to enable:false. Check if recurring run x exists: ${resource("Job x")}`,
    ],
  ])("%s %s: %d %s", async (method, path, status, message) => {
    expect(messageOf(await world().ask(method, `${api}${path}`))).toEqual([status, message]);
  });

  test("but an experiment that is put away", async () => {
    const { ask } = world();
    expect(await ask("POST", `${api}/experiments/x:archive`)).toEqual([200, {}]);
    expect(await ask("POST", `${api}/experiments/x:unarchive`)).toEqual([200, {}]);
  });
});

test("an experiment that is put away takes its own runs and recurring runs along, and brings none back", async () => {
  const { client } = world();
  const [one, other] = [await client.experiments.create("one"), await client.experiments.create("other")];
  const things = async (experiment: { readonly id: string }) => {
    const run = await client.runs.create({ file: helloPipeline, experiment });
    const job = await client.recurringRuns.create({
      ...{ file: helloPipeline, name: "j", experiment, intervalSeconds: 60 },
    });
    return async () => [
      (await client.experiments.get(experiment)).storageState,
      (await client.runs.get({ id: run.runId })).storageState,
      (await client.recurringRuns.get({ id: job.recurringRunId })).mode,
    ];
  };
  const ids = [{ id: one.experimentId }, { id: other.experimentId }] as const;
  const [ofOne, ofOther] = [await things(ids[0]), await things(ids[1])];
  expect((await client.experiments.get(ids[0])).lastRunCreatedAt).toEqual(new Date(now));
  await client.experiments.archive(ids[0]);
  expect([await ofOne(), await ofOther()]).toEqual([
    ["ARCHIVED", "ARCHIVED", "DISABLE"],
    ["AVAILABLE", "AVAILABLE", "ENABLE"],
  ]);
  await client.experiments.unarchive(ids[0]);
  expect(await ofOne()).toEqual(["AVAILABLE", "ARCHIVED", "DISABLE"]);
});

test("a run whose version has gone is retried, and has no tasks then", async () => {
  const { client, ask, fake } = world({ plan: () => [{ afterMs: 0, state: "FAILED" }] });
  const { version } = await client.pipelines.upload(helloPipeline);
  const { runId } = await client.runs.create({ pipeline: "hello" });
  expect((await client.runs.get({ id: runId })).state).toBe("FAILED");
  await client.versions.delete({ id: version.pipelineId }, { id: version.pipelineVersionId });
  expect(await ask("POST", `${api}/runs/${runId}:retry`)).toEqual([200, {}]);
  expect(fake.store.runs.get(runId)).toMatchObject({ state: "RUNNING", phase: "Running", finishedAt: 0 });
});

describe("what the workflow engine reports", () => {
  const at = "2026-01-02T03:04:06Z";
  const workflow = (status: object, more: object = {}) =>
    JSON.stringify({
      metadata: { labels: { "pipeline/runid": "r" }, creationTimestamp: "2026-01-02T03:04:05Z" },
      ...more,
      status,
    });

  async function reporting() {
    const { fake, client, ask } = world({ plan: () => [{ afterMs: 0, state: "RUNNING" }] });
    await client.runs.create({ file: helloPipeline, runId: "r" });
    return { fake, ask, get: () => client.runs.get({ id: "r" }) };
  }

  test.each<readonly [phase: string | undefined, isEnding: boolean, state: string]>([
    ["Running", false, "RUNNING"],
    ["Pending", false, "PENDING"],
    ["Running", true, "CANCELING"],
    ["Pending", true, "CANCELING"],
    ["Failed", true, "FAILED"],
    ["Error", false, "FAILED"],
    ["Omitted", false, "SKIPPED"],
    ["Succeeded", false, "SUCCEEDED"],
    ["", false, "PENDING"],
    [undefined, true, "PENDING"],
  ])("the phase %s, ending %s, is the state %s", async (phase, isEnding, state) => {
    const { fake, get } = await reporting();
    const spec = isEnding ? { activeDeadlineSeconds: 0 } : {};
    fake.report(workflow({ phase, finishedAt: at, message: "m" }, { spec }));
    expect(await get()).toMatchObject({ state, finishedAt: new Date(at) });
    expect(fake.store.runs.get("r")).toMatchObject({
      phase: phase ?? "",
      message: "m",
      plan: [],
      isPlanned: false,
    });
  });

  test("is followed from then on, with its nodes, which keep their ids and histories", async () => {
    const { fake, get } = await reporting();
    const node = (phase: string, more: object = {}) => ({ displayName: "n", phase, startedAt: at, ...more });
    fake.report(
      workflow({
        phase: "Running",
        nodes: { a: node("Running"), b: node("Pending", { children: ["a", 5] }) },
      }),
    );
    const first = (await get()).runDetails?.taskDetails;
    expect(first).toMatchObject([
      {
        ...{ displayName: "n", state: "RUNNING", startTime: new Date(at), createTime: new Date(now) },
        ...{ stateHistory: [{ updateTime: new Date(now), state: "RUNNING" }] },
      },
      { state: "PENDING", childTasks: [{ podName: "a" }, { podName: "5" }] },
    ]);
    fake.report(
      workflow({
        phase: "Running",
        nodes: { a: node("Running"), b: node("Failed", { finishedAt: at, message: "m" }), c: "x" },
      }),
    );
    const run = await get();
    const second = run.runDetails?.taskDetails ?? [];
    expect(second.map(({ taskId }) => taskId).slice(0, 2)).toEqual(first?.map(({ taskId }) => taskId));
    expect(second.map(({ stateHistory }) => stateHistory?.map(({ state }) => state))).toEqual([
      ["RUNNING"],
      ["PENDING", "FAILED"],
      ["PENDING"],
    ]);
    expect(second[1]?.endTime).toEqual(new Date(at));
    expect(fake.store.runs.get("r")?.tasks.map(({ message }) => message)).toEqual(["", "m", ""]);
    expect(run.stateHistory?.map(({ state }) => state)).toEqual(["PENDING", "RUNNING"]);
    fake.report(workflow({ phase: "Succeeded", nodes: {} }));
    expect((await get()).runDetails?.taskDetails).toHaveLength(3);
  });

  test("is refused where it is none, or of no run", async () => {
    const { ask } = await reporting();
    const report = (text: string) => ask("POST", `${api}/workflows`, JSON.stringify(text));
    expect(messageOf(await report("{"))).toEqual([
      400,
      "Report workflow failed: Invalid input error: Could not unmarshal workflow",
    ]);
    for (const text of ["5", "{}", '{"metadata":{"labels":5}}'])
      expect(messageOf(await report(text))).toEqual([
        404,
        "Report workflow failed: ResourceNotFoundError: Run  not found",
      ]);
    expect(await report(workflow({ phase: "Running" }))).toEqual([200, {}]);
  });
});

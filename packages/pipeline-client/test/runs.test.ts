import { readFileSync } from "node:fs";
import { parsePipeline, printPipeline, writeJson } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  type CreateRunOptions,
  createPipelineClient,
  type PipelineClientError,
  type PipelineClientOptions,
} from "../src/index.js";
import { createFakePipelineServer, type FakePipelineServerOptions } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";
import { SkippingClock } from "./skipping-clock.js";

/** A client of a fake server, without a network. */
function world(server: FakePipelineServerOptions = {}, options: Partial<PipelineClientOptions> = {}) {
  const clock = new SkippingClock();
  const fake = createFakePipelineServer({ now: () => clock.time, ...server });
  const requests: string[] = [];
  const client = createPipelineClient({
    host: "http://kfp.example/pipeline",
    clock,
    fetch: (url, init) => {
      requests.push(`${init.method} ${new URL(url).pathname.replace("/pipeline/apis/v2beta1", "")}`);
      return fake.fetch(url.replace("/pipeline/apis", "/apis"), init);
    },
    ...options,
  });
  return { client, fake, clock, requests };
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const parsed = parsePipeline(helloPipeline);

describe("an upload", () => {
  test("gives the pipeline and its version", async () => {
    const { client } = world();
    const { pipeline, version, isNew } = await client.pipelines.upload(helloPipeline, { description: "d" });
    expect([pipeline.name, pipeline.description, version.name, version.pipelineId, isNew]).toEqual([
      "hello",
      "d",
      "hello",
      pipeline.pipelineId,
      true,
    ]);
    expect(version.createdAt).toEqual(new Date("2026-11-21T09:00:00Z"));
  });

  test("becomes a version where there is a pipeline of this name, when it is told to", async () => {
    const { client } = world();
    const first = await client.pipelines.upload(helloPipeline);
    expect(await rejection(client.pipelines.upload(helloPipeline))).toMatchObject({
      code: "conflict",
      status: 409,
      remedy: expect.stringContaining("ifExists"),
    });
    const second = await client.pipelines.upload(helloPipeline, { ifExists: "version" });
    const third = await client.pipelines.upload(helloPipeline, { ifExists: "version", versionName: "v3" });
    expect([second.isNew, second.version.name, third.version.name]).toEqual([
      false,
      expect.stringMatching(/^20261121T090000Z-[0-9a-f]{6}$/),
      "v3",
    ]);
    expect([second, third].map(({ pipeline }) => pipeline.pipelineId)).toEqual([
      first.pipeline.pipelineId,
      first.pipeline.pipelineId,
    ]);
  });

  test("has the name that it is given, for the pipeline and for the version", async () => {
    const { client } = world();
    const { pipeline, version } = await client.pipelines.upload(helloPipeline, {
      name: "Ünïcode & more",
      versionName: "v1",
    });
    expect([pipeline.name, version.name]).toEqual(["Ünïcode & more", "v1"]);
  });

  test.each([
    ["malformed YAML, on which servers hang", "root: {dag: [}"],
    ["what is no pipeline", "just: text"],
    ["a pipeline with an unknown field", helloPipeline.replace("taskInfo", "taskInfos")],
    ["an unknown component", helloPipeline.replace("name: comp-greet", "name: comp-great")],
    ["nothing", ""],
  ])("of %s is refused with line and column, before anything is sent", async (_, text) => {
    const { client, requests } = world();
    const error = await rejection(client.pipelines.upload(text));
    expect(error).toMatchObject({ name: "PipelineClientError", code: "invalid_pipeline" });
    const { problems } = error as PipelineClientError;
    expect(problems.some(({ severity, range }) => severity === "error" && range !== undefined)).toBe(true);
    expect(requests).toEqual([]);
  });

  test("of a file with mistakes that are meant is sent, but never one that is no YAML", async () => {
    const { client } = world();
    const dangling = helloPipeline.replace("name: comp-greet", "name: comp-great");
    expect((await client.pipelines.upload(dangling, { validate: false })).isNew).toBe(true);
    const error = await rejection(client.pipelines.upload("a: [", { validate: false, name: "x" }));
    expect(error).toMatchObject({ code: "invalid_pipeline" });
  });

  test.each([
    ["bytes", new TextEncoder().encode(helloPipeline)],
    ["a Blob", new Blob([helloPipeline])],
    ["a parsed pipeline", parsed.ok ? parsed.pipeline : ""],
    ["a specification", parsed.ok ? { spec: parsed.pipeline.spec } : ""],
    ["JSON", parsed.ok ? printPipeline(parsed.pipeline, { format: "json" }) : ""],
  ])("takes %s", async (_, input) => {
    const { client } = world();
    const { version } = await client.pipelines.upload(input);
    expect(version.pipelineSpec).toMatchObject({
      pipelineInfo: { name: "hello" },
      root: { dag: { tasks: { greet: {} } } },
    });
  });

  test("takes an archive, and sends what is in it", async () => {
    const { client } = world();
    const zipped = readFileSync(new URL("../testdata/exchanges/upload.json", import.meta.url), "utf8");
    const zip = JSON.parse(zipped).exchanges.find(({ step }: { readonly step: string }) => step === "tar.gz");
    const bytes = Uint8Array.from(Buffer.from(zip.request.form[0].base64, "base64"));
    expect((await client.pipelines.upload(bytes)).pipeline.name).toBe("hello");
  });
});

describe("a run", () => {
  test("is of a pipeline by name, whose newest version is pinned", async () => {
    const { client, requests, clock } = world();
    await client.pipelines.upload(helloPipeline);
    // Servers know whole seconds: of two versions of one second neither is newer.
    clock.time += 1000;
    const { version } = await client.pipelines.upload(helloPipeline, {
      ifExists: "version",
      versionName: "v2",
    });
    requests.length = 0;
    const run = await client.runs.create({ pipeline: "hello", parameters: { who: "you" } });
    expect(run.pipelineVersionReference).toEqual({
      pipelineId: version.pipelineId,
      pipelineVersionId: version.pipelineVersionId,
    });
    expect([run.state, run.displayName, run.runtimeConfig]).toEqual([
      "PENDING",
      "v2 2026-11-21 09:00:01",
      { parameters: { who: "you" } },
    ]);
    expect(requests).toEqual([
      "GET /pipelines",
      `GET /pipelines/${version.pipelineId}/versions`,
      "POST /runs",
    ]);
  });

  test("is of a version by name, in an experiment by name", async () => {
    const { client } = world();
    const { version, pipeline } = await client.pipelines.upload(helloPipeline, { versionName: "v1" });
    const { experimentId } = await client.experiments.create("trial");
    const run = await client.runs.create({
      pipeline: "hello",
      version: "v1",
      experiment: "trial",
      name: "r",
      serviceAccount: "sa",
      description: "d",
    });
    expect(run).toMatchObject({ experimentId, displayName: "r", serviceAccount: "sa", description: "d" });
    expect(run.pipelineVersionReference).toEqual({
      pipelineId: pipeline.pipelineId,
      pipelineVersionId: version.pipelineVersionId,
    });
  });

  test("is of a file, which may be told not to use caches and does as it says otherwise", async () => {
    const { client } = world();
    const run = await client.runs.create({ file: helloPipeline, caching: false });
    expect(run.pipelineSpec).toMatchObject({ root: { dag: { tasks: { greet: { cachingOptions: {} } } } } });
    expect(JSON.stringify(run.pipelineSpec)).not.toContain('"enableCache":true');
    const untold = await client.runs.create({ file: helloPipeline });
    expect(untold.pipelineSpec).toMatchObject({
      root: { dag: { tasks: { greet: { cachingOptions: { enableCache: true } } } } },
    });
  });

  describe("of a file that is a run of the API", () => {
    const pipelineSpec = parsed.ok ? writeJson("PipelineSpec", parsed.pipeline.spec) : {};
    const file = JSON.stringify({
      run_id: "r",
      pipeline_spec: pipelineSpec,
      runtime_config: { parameters: { who: "she" }, pipeline_root: "s3://bucket/x" },
    });

    test("is given what that run was given", async () => {
      const { client } = world();
      const run = await client.runs.create({ file });
      expect(run.runtimeConfig).toEqual({ parameters: { who: "she" }, pipelineRoot: "s3://bucket/x" });
    });

    test("is given other values where there are some", async () => {
      const { client } = world();
      const given = { parameters: { who: "he" }, pipelineRoot: "s3://bucket/y" };
      expect((await client.runs.create({ file, ...given })).runtimeConfig).toEqual(given);
      const rest = await client.runs.create({ file, parameters: {} });
      expect(rest.runtimeConfig).toMatchObject({ parameters: { who: "she" } });
    });

    test("may be given what that run lacks, and is refused without it", async () => {
      const { client, requests } = world();
      const lacking = JSON.stringify({
        display_name: "r",
        pipeline_spec: {
          ...pipelineSpec,
          root: {
            ...(pipelineSpec.root as object),
            inputDefinitions: { parameters: { who: { parameterType: "STRING" } } },
          },
        },
      });
      const error = await rejection(client.runs.create({ file: lacking }));
      expect(error).toMatchObject({ code: "invalid_parameters", message: expect.stringContaining("who") });
      expect(requests).toEqual([]);
      const run = await client.runs.create({ file: lacking, parameters: { who: "he" } });
      expect(run.runtimeConfig).toMatchObject({ parameters: { who: "he" } });
    });
  });

  test.each([
    ["unknown", { whom: "you" }, "whom"],
    ["of another type", { who: 3 }, "who"],
  ])("with a parameter that is %s is refused, before it is sent", async (_, parameters, named) => {
    const { client, requests } = world();
    await client.pipelines.upload(helloPipeline);
    requests.length = 0;
    for (const source of [{ pipeline: "hello" }, { file: helloPipeline }]) {
      const error = await rejection(client.runs.create({ ...source, parameters }));
      expect(error).toMatchObject({ code: "invalid_parameters", message: expect.stringContaining(named) });
    }
    expect(requests).not.toContain("POST /runs");
  });

  test("is refused when it is of nothing, of two things, or has parameters that are no JSON", async () => {
    const { client } = world();
    await client.pipelines.upload(helloPipeline);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const wrong of [
      {},
      { pipeline: "hello", file: helloPipeline },
      { file: helloPipeline, version: "v" },
      { pipeline: "hello", caching: true },
      { pipeline: "hello", parameters: { who: 1n }, validate: false },
      { pipeline: "hello", parameters: circle, validate: false },
      { file: helloPipeline, parameters: new Map([["who", "you"]]) },
      { file: helloPipeline, parameters: Promise.resolve({ who: "you" }) },
      { file: helloPipeline, parameters: null },
      { pipeline: "hello", parameters: { who: new Set(["you"]) }, validate: false },
      { file: helloPipeline, pluginsInput: "mlflow" },
      { file: helloPipeline, pluginsInput: { mlflow: new Date(0) } },
    ]) {
      // Tests give what the types refuse.
      const error = await rejection(client.runs.create(wrong as CreateRunOptions));
      expect(error).toBeInstanceOf(TypeError);
    }
  });

  test("is found by its id, by any other id, and by a name that only one has", async () => {
    const { client } = world();
    await client.pipelines.upload(helloPipeline);
    const { runId } = await client.runs.create({ pipeline: "hello", name: "one" });
    await client.runs.create({ pipeline: "hello", runId: "a/b: c?", name: "odd" });
    await client.runs.create({ pipeline: "hello", name: "two" });
    await client.runs.create({ pipeline: "hello", name: "two" });
    expect((await client.runs.get(runId)).displayName).toBe("one");
    expect((await client.runs.get("one")).runId).toBe(runId);
    expect((await client.runs.get("a/b: c?")).displayName).toBe("odd");
    expect(await rejection(client.runs.get("two"))).toMatchObject({
      code: "ambiguous_name",
      remedy: "use an id",
    });
    expect(await rejection(client.runs.get("three"))).toMatchObject({ code: "not_found" });
    expect(await rejection(client.runs.get({ id: "one" }))).toMatchObject({ code: "not_found" });
  });

  test("with an id that is taken is refused, and not taken for one that got lost", async () => {
    const { client } = world();
    await client.pipelines.upload(helloPipeline);
    await client.runs.create({ pipeline: "hello", runId: "mine" });
    expect(await rejection(client.runs.create({ pipeline: "hello", runId: "mine" }))).toMatchObject({
      code: "conflict",
    });
  });

  test("is terminated once, and a second time without an error; and archived, restored, deleted", async () => {
    const { client } = world({ plan: () => [] });
    await client.pipelines.upload(helloPipeline);
    const { runId } = await client.runs.create({ pipeline: "hello" });
    await client.runs.terminate(runId);
    await client.runs.terminate(runId);
    expect((await client.runs.get(runId)).state).toBe("CANCELING");
    await client.runs.archive(runId);
    expect((await client.runs.get(runId)).storageState).toBe("ARCHIVED");
    await client.runs.unarchive(runId);
    await client.runs.delete(runId);
    expect(await rejection(client.runs.delete(runId))).toMatchObject({ code: "not_found" });
    expect(await rejection(client.runs.terminate(runId))).toMatchObject({ code: "not_found" });
  });
});

describe("names", () => {
  test("are those of the namespace before those that are shared, where there are several users", async () => {
    const auth = { headers: { "kubeflow-userid": "user@example.com" } };
    const { client } = world({ multiUser: true }, { namespace: "team", auth });
    await client.pipelines.upload(helloPipeline, { namespace: "" });
    const own = await client.pipelines.upload(helloPipeline);
    expect((await client.pipelines.get("hello")).pipelineId).toBe(own.pipeline.pipelineId);
    await client.pipelines.delete("hello", { cascade: true });
    expect((await client.pipelines.get("hello")).namespace).toBeUndefined();
  });

  test.each(["a+b", "100% sure", "50%25", 'quote "x"', "ünïcode 🎉", "a\\b", "{}", "x&y=z", "#"])(
    "may be %j",
    async (name) => {
      const { client } = world();
      const { experimentId } = await client.experiments.create(name);
      expect((await client.experiments.get({ name })).experimentId).toBe(experimentId);
      expect((await client.experiments.ensure(name)).experimentId).toBe(experimentId);
    },
  );
});

test("experiments are made once, also by two at once", async () => {
  const { client, fake } = world();
  const made = await Promise.all([1, 2, 3].map(() => client.experiments.ensure("trial")));
  expect(new Set(made.map(({ experimentId }) => experimentId)).size).toBe(1);
  expect(
    [...fake.store.experiments.values()].filter(({ displayName }) => displayName === "trial"),
  ).toHaveLength(1);
});

describe("a recurring run", () => {
  test("is made, found by name, stopped and deleted", async () => {
    const { client } = world();
    await client.pipelines.upload(helloPipeline);
    const made = await client.recurringRuns.create({
      name: "nightly",
      pipeline: "hello",
      cron: "0 0 3 * * *",
      maxConcurrency: 2,
    });
    expect(made).toMatchObject({
      maxConcurrency: 2,
      status: "ENABLED",
      trigger: { cronSchedule: { cron: "0 0 3 * * *" } },
    });
    await client.recurringRuns.disable("nightly");
    expect((await client.recurringRuns.get("nightly")).status).toBe("DISABLED");
    await client.recurringRuns.delete("nightly", { propagation: "orphan" });
    expect((await client.recurringRuns.list().page()).items).toEqual([]);
  });

  test.each([
    ["a cron of five fields, which would start every hour", { cron: "0 3 * * *" }, /six fields.*0 0 3/],
    ["no trigger", {}, /exactly one/],
    ["two triggers", { cron: "@daily", intervalSeconds: 60 }, /exactly one/],
    ["an interval of nothing", { intervalSeconds: 0 }, /from 1/],
    [
      "an end before its start",
      { intervalSeconds: 60, startTime: new Date(2), endTime: new Date(1) },
      /never start/,
    ],
    ["too many at once", { intervalSeconds: 60, maxConcurrency: 11 }, /1 to 10/],
  ])("with %s is refused", async (_, wrong, message) => {
    const { client } = world();
    await client.pipelines.upload(helloPipeline);
    expect(
      await rejection(client.recurringRuns.create({ name: "r", pipeline: "hello", ...wrong })),
    ).toMatchObject({ name: "TypeError", message: expect.stringMatching(message) });
  });
});

describe("a list", () => {
  test("is read through all of its pages, with filters that servers refuse beside a token", async () => {
    const { client, requests, clock } = world();
    await client.pipelines.upload(helloPipeline);
    const { experimentId } = await client.experiments.create("trial");
    for (let i = 0; i < 7; i++) {
      clock.time += 1000;
      await client.runs.create({ pipeline: "hello", name: `run ${i}`, experiment: "trial" });
      await client.runs.create({ pipeline: "hello", name: `run ${i}` });
    }
    requests.length = 0;
    const names: (string | undefined)[] = [];
    const after = new Date("2026-11-21T09:00:01.500Z");
    const filter = {
      displayName: { in: Array.from({ length: 7 }, (_, i) => `run ${i}`) },
      createdAt: { after },
    };
    for await (const run of client.runs.list({
      experiment: "trial",
      filter,
      pageSize: 2,
      descending: true,
    })) {
      expect(run.experimentId).toBe(experimentId);
      names.push(run.displayName);
    }
    expect(names).toEqual([6, 5, 4, 3, 2, 1].map((i) => `run ${i}`));
    expect(requests.filter((one) => one === "GET /runs")).toHaveLength(3);
  });

  test("neither repeats nor loses anything when things come and go while it is read", async () => {
    const { client, fake, clock } = world();
    for (let i = 0; i < 20; i++) {
      clock.time += 1000;
      await client.experiments.create(`e${i}`);
    }
    const seen: string[] = [];
    for await (const { items } of client.experiments
      .list({ pageSize: 3, filter: { displayName: { contains: "e" } } })
      .pages()) {
      seen.push(...items.map(({ displayName = "" }) => displayName));
      clock.time += 1000;
      if (seen.length < 12) await client.experiments.create(`enew${seen.length}`);
      const [gone] = [...fake.store.experiments.values()].filter(
        ({ displayName }) => displayName === seen[0],
      );
      if (gone) fake.store.experiments.delete(gone.id);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((name) => /^e\d/.test(name))).toHaveLength(20);
  });

  test("goes on at a token in another process", async () => {
    const { client } = world();
    for (const name of ["a", "b", "c"]) await client.experiments.create(name);
    const first = await client.experiments.list({ pageSize: 2, sortBy: "displayName" }).page();
    const rest = await client.experiments
      .list({ pageSize: 2, ...(first.nextPageToken && { pageToken: first.nextPageToken }) })
      .page();
    expect([...first.items, ...rest.items].map(({ displayName }) => displayName)).toEqual([
      "Default",
      "a",
      "b",
      "c",
    ]);
    expect([first.totalSize, rest.nextPageToken]).toEqual([4, undefined]);
    // An empty token is none: then the filter holds.
    const named = { filter: { displayName: "b" }, pageToken: "" };
    expect((await client.experiments.list(named).page()).items).toMatchObject([{ displayName: "b" }]);
  });

  test.each([{ filter: { state: "FAILED" } }, { sortBy: "createdAt" }, { descending: false }] as const)(
    "takes no %o beside a token, which holds its own",
    (given) => {
      const { client } = world();
      const list = () => client.runs.list({ pageToken: "abc", ...given });
      expect(list).toThrow(`leave out \`${Object.keys(given)[0]}\``);
    },
  );

  test("tells what has ended from what has not", async () => {
    const { client, clock } = world();
    await client.pipelines.upload(helloPipeline);
    const done = await client.runs.create({ pipeline: "hello" });
    clock.time += 10_000;
    const open = await client.runs.create({ pipeline: "hello" });
    const ids = async (isFinished: boolean) =>
      (await client.runs.list({ filter: { isFinished } }).page()).items.map(({ runId }) => runId);
    expect([await ids(true), await ids(false)]).toEqual([[done.runId], [open.runId]]);
  });

  test("refuses options that make no sense, by name", () => {
    const { client } = world();
    for (const wrong of [
      { pageSize: 0 },
      { pageSize: 201 },
      { sortBy: "pipelineId" as never },
      { filter: { pipelineId: "x" } as never },
      { filter: { createdAt: { after: "now" as never } } },
      { filter: { state: { in: "x" as never } } },
    ]) {
      expect(() => client.runs.list(wrong)).toThrow(TypeError);
    }
  });
});

test("links lead to the web page", () => {
  const { client } = world({}, { uiHost: "https://ui.example/" });
  expect(client.links.run("a/b")).toBe("https://ui.example/#/runs/details/a%2Fb");
  expect(client.links.pipeline("p", "v")).toBe("https://ui.example/#/pipelines/details/p/version/v");
});

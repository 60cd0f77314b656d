import { expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

// Whoever sends back what a server has given, with another name, makes another thing: what the server itself sets is not looked at.

const api = "http://any/apis/v2beta1";
const package_url = { pipeline_url: "https://files.example/hello.yaml" };
const shared = ["created_at", "error"];
const ofVersion = [...shared, "pipeline_version_id", "pipeline_spec"];
const ofPipeline = [...shared, "pipeline_id"];
const anyOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ["theirs"]]));

/** A fake server with the pipeline `hello`. */
async function world() {
  const fake = createFakePipelineServer({ fetchFile: async () => new TextEncoder().encode(helloPipeline) });
  const client = createPipelineClient({ host: "http://any", fetch: fake.fetch });
  const { pipeline, version } = await client.pipelines.upload(helloPipeline, { name: "hello" });
  const post = async (path: string, body: object) => {
    const answer = await fake.fetch(`${api}/${path}`, { method: "POST", body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  return { id: pipeline.pipelineId, pipeline_spec: version.pipelineSpec, post };
}
type World = Awaited<ReturnType<typeof world>>;

test.each<readonly [what: string, path: (world: World) => string, body: (world: World) => object]>([
  [
    "an experiment",
    () => "experiments",
    () => ({
      display_name: "e",
      ...anyOf(["created_at", "experiment_id", "storage_state", "last_run_created_at"]),
    }),
  ],
  ["a pipeline", () => "pipelines", () => ({ name: "p", ...anyOf(ofPipeline) })],
  [
    "a pipeline with its version",
    () => "pipelines/create",
    () => ({
      pipeline: { name: "p", ...anyOf(ofPipeline) },
      pipeline_version: { package_url, ...anyOf(ofVersion) },
    }),
  ],
  [
    "a version",
    ({ id }) => `pipelines/${id}/versions`,
    ({ id }) => ({ pipeline_id: id, name: "v", package_url, ...anyOf(ofVersion) }),
  ],
  [
    "a run",
    () => "runs",
    ({ pipeline_spec }) => ({
      ...{ display_name: "r", pipeline_spec },
      ...anyOf([...shared, "storage_state", "scheduled_at", "finished_at", "state", "run_details"]),
      ...anyOf(["state_history"]),
    }),
  ],
  [
    "a recurring run",
    () => "recurringruns",
    ({ pipeline_spec }) => ({
      ...{ display_name: "r", pipeline_spec, max_concurrency: "1", mode: "ENABLE" },
      ...{ trigger: { periodic_schedule: { interval_second: "60" } } },
      ...anyOf([...shared, "recurring_run_id", "updated_at", "status"]),
    }),
  ],
])("%s is made, whatever is said of what the server sets", async (_, path, body) => {
  const it = await world();
  const { status, text } = await it.post(path(it), body(it));
  expect([status, text]).toEqual([200, expect.not.stringContaining("theirs")]);
});

test("an experiment that is taken out of the archive leaves its runs as they are", async () => {
  const fake = createFakePipelineServer();
  const client = createPipelineClient({ host: "http://any", fetch: fake.fetch });
  const experiment = await client.experiments.create("e");
  const id = { id: experiment.experimentId };
  await client.runs.create({ file: helloPipeline, experiment: id });
  await client.experiments.unarchive(id);
  const states = () => [...fake.store.runs.values()].map(({ storageState }) => storageState);
  expect(states()).toEqual(["AVAILABLE"]);
  await client.experiments.archive(id);
  await client.experiments.unarchive(id);
  expect(states()).toEqual(["ARCHIVED"]);
});

test("a call that is there with other methods is not implemented, and all else is not found", async () => {
  const fake = createFakePipelineServer();
  const status = async (path: string) => (await fake.fetch(`${api}/${path}`, { method: "PUT" })).status;
  expect([await status("pipelines/p/versions"), await status("pipelines/p/nothing")]).toEqual([501, 404]);
});

test.each<readonly [said: object, told: object]>([
  [{}, { mode: "DISABLE", status: "DISABLED", no_catchup: undefined }],
  [{ mode: 0 }, { mode: "DISABLE", status: "DISABLED" }],
  [{ mode: 1 }, { mode: "ENABLE", status: "ENABLED" }],
  [{ mode: "ENABLE" }, { mode: "ENABLE" }],
  [{ mode: 2 }, { mode: "DISABLE" }],
  [{ mode: "DISABLE" }, { mode: "DISABLE" }],
  [{ no_catchup: true }, { no_catchup: true }],
  [{ no_catchup: false }, { no_catchup: undefined }],
  [{ namespace: "other" }, { namespace: "kubeflow" }],
])("of a recurring run of which %j is said the fake server tells %j", async (said, told) => {
  const { post, pipeline_spec } = await world();
  const { text } = await post("recurringruns", {
    display_name: "r",
    max_concurrency: 1,
    pipeline_spec,
    ...said,
  });
  const made = JSON.parse(text);
  const names = Object.keys(told);
  expect(Object.fromEntries(names.map((name) => [name, made[name]]))).toEqual(told);
});

test.each([
  [{ mode: 3 }, "invalid value for enum field mode: 3"],
  [{ mode: "ON" }, 'invalid value for enum field mode: "ON"'],
  [{ namespace: 5 }, "invalid value for string field namespace: 5"],
  [{ max_concurrency: "x" }, 'invalid value for int64 field max_concurrency: "x"'],
  [{ trigger: { cron_schedule: { cron: 5 } } }, "invalid value for string field cron: 5"],
  [{ trigger: { cron_schedule: { start_time: "x" } } }, 'invalid google.protobuf.Timestamp value "x"'],
  [{ trigger: { periodic_schedule: { end_time: "x" } } }, 'invalid google.protobuf.Timestamp value "x"'],
  [
    { trigger: { periodic_schedule: { interval_second: "x" } } },
    "invalid value for int64 field interval_second",
  ],
])("of a recurring run the fake server does not take %j", async (said, reason) => {
  const { post, pipeline_spec } = await world();
  const made = await post("recurringruns", { display_name: "r", max_concurrency: 1, pipeline_spec, ...said });
  expect(made).toMatchObject({
    status: 400,
    text: expect.stringContaining(JSON.stringify(reason).slice(1, -1)),
  });
});

test("a run has what was said of it, and needs a name", async () => {
  const { post, pipeline_spec, id } = await world();
  const said = {
    ...{ run_id: "own", display_name: "r", description: "d", service_account: "sa", recurring_run_id: "rr" },
    runtime_config: { pipeline_root: "s3://b" },
  };
  const made = JSON.parse((await post("runs", { ...said, pipeline_spec })).text);
  expect(made).toMatchObject(said);
  const reference = { pipeline_version_reference: { pipeline_id: id } };
  expect(JSON.parse((await post("runs", { display_name: "r", ...reference })).text)).toMatchObject(reference);
  for (const [path, what] of [
    ["runs", "Run name"],
    ["recurringruns", "Failed to create a recurring run due to conversion error: "],
    ["recurringruns", "Recurring run's name"],
  ] as const) {
    const { status, text } = await post(path, { pipeline_spec });
    expect([status, text]).toEqual([500, expect.stringContaining(what)]);
  }
});

test("a version has what was said of it", async () => {
  const { post, id } = await world();
  const said = { name: "v", display_name: "shown", description: "d" };
  const made = await post(`pipelines/${id}/versions`, { pipeline_id: id, package_url, ...said });
  expect(JSON.parse(made.text)).toMatchObject({ pipeline_id: id, ...said });
});

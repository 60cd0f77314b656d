import { describe, expect, test } from "vitest";
import { parse as load } from "yaml";
import { createPipelineClient, type PipelineClient } from "../src/index.js";
import { createFakePipelineServer } from "../src/testing/index.js";
import { createVertexClient, makeVertexJob } from "../src/vertex/index.js";
import { parseJson } from "../src/wire/parse-json.js";
import { helloPipeline } from "./recorded-world.js";
import { answer, serverOf } from "./scripted-server.js";

// Numbers of JavaScript end at 2^53: nothing that a server says, or a user wants to say, becomes another number without a word.

const large = "9007199254740993";
const most = "9223372036854775807";

async function clientFor(body: string): Promise<PipelineClient> {
  const { url } = await serverOf((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(body),
  );
  return createPipelineClient({ host: url });
}

describe("integers in answers that no number holds", () => {
  test("are texts in the values of users", async () => {
    const values = `{"n":${large},"m":-${large},"nested":[{"n":${most}}],"text":"${large}, \\"${large}"}`;
    const client = await clientFor(
      `{"run_id":"r","runtime_config":{"parameters":${values}},"pipeline_spec":{"default": ${large} }}`,
    );
    const { runtimeConfig, pipelineSpec } = await client.runs.get({ id: "r" });
    expect(runtimeConfig?.parameters).toEqual({
      n: large,
      m: `-${large}`,
      nested: [{ n: most }],
      text: `${large}, "${large}`,
    });
    expect(pipelineSpec).toEqual({ default: large });
  });

  test.each([large, `"${large}"`])("are texts in ids: %s", async (id) => {
    const tasks = `[{"task_id":"t","execution_id":${id},"inputs":{"a":{"artifact_ids":[${id}]}}}]`;
    const details = `{"pipeline_context_id":${id},"pipeline_run_context_id":${id},"task_details":${tasks}}`;
    const client = await clientFor(`{"run_id":"r","run_details":${details}}`);
    const { runDetails } = await client.runs.get({ id: "r" });
    expect(runDetails).toEqual({
      pipelineContextId: large,
      pipelineRunContextId: large,
      taskDetails: [{ taskId: "t", executionId: large, inputs: { a: { artifactIds: [large] } } }],
    });
  });

  test.each([most, `"${most}"`, `"-${most}"`])("are texts in amounts: %s", async (amount) => {
    const client = await clientFor(
      `{"recurring_run_id":"r","max_concurrency":${amount},"trigger":{"periodic_schedule":{"interval_second":${amount}}}}`,
    );
    const found = await client.recurringRuns.get({ id: "r" });
    const text = amount.replaceAll('"', "");
    expect([found.maxConcurrency, found.trigger?.periodicSchedule?.intervalSecond]).toEqual([text, text]);
  });

  test.each(["9007199254740991", '"9007199254740991"', '"-9007199254740991"'])(
    "are no others: amounts up to there are numbers: %s",
    async (amount) => {
      const client = await clientFor(`{"recurring_run_id":"r","max_concurrency":${amount}}`);
      const { maxConcurrency } = await client.recurringRuns.get({ id: "r" });
      expect(maxConcurrency).toBe(Number(amount.replaceAll('"', "")));
    },
  );

  test("are texts in jobs, in lists, and in what has no call of its own", async () => {
    const job = `{"name":"projects/p/locations/l/pipelineJobs/j","runtimeConfig":{"parameterValues":{"n":${large}}},"jobDetail":{"taskDetails":[{"taskId":${large},"parentTaskId":"${large}"}]}}`;
    const { url } = await serverOf(({ path }, response) =>
      response.end(
        path === "/tasks" ? `{"id":${large}}` : path.endsWith("Jobs") ? `{"pipelineJobs":[${job}]}` : job,
      ),
    );
    const vertex = createVertexClient({ project: "p", location: "l", token: "t", host: url });
    const { items } = await vertex.list().page();
    for (const one of [await vertex.get("j"), ...items]) {
      expect(one.runtimeConfig).toEqual({ parameterValues: { n: large } });
      expect(one.jobDetail?.taskDetails).toEqual([{ taskId: large, parentTaskId: large }]);
    }
    const raw = await createPipelineClient({ host: url }).request({ path: "/tasks" });
    expect(raw.json()).toEqual({ id: large });
  });
});

describe("JSON of a server", () => {
  test.each([
    ['{"a":1e400,"b":[-1e400],"c":1E+999}', { a: "1e400", b: ["-1e400"], c: "1E+999" }],
    [`{"a":${"9".repeat(400)}}`, { a: "9".repeat(400) }],
    [`[${large}]`, [large]],
    [`{"a\\\\":${large},"b\\"":${large}}`, { "a\\": large, 'b"': large }],
    [`{"a": "x:${large},", "b" :\n${large}\n}`, { a: `x:${large},`, b: large }],
  ])("keeps what no double holds: %s", (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  test.each([
    "9007199254740991",
    "9007199254740992",
    "18446744073709552000",
    "100000000000000000000",
    "1e300",
    "0.12345678901234567",
    "12345678901234567.5",
    "1e-400",
    "-0",
  ])("is otherwise read as ever: %s", (number) => {
    expect(parseJson(`{"a":[${number}],"b":${number}}`)).toEqual(
      JSON.parse(`{"a":[${number}],"b":${number}}`),
    );
  });

  test.each([`{${large}:1}`, `{"a":0${large}}`, `{"a":${large}`, `{"a":${large}x}`])(
    "is no other than JSON.parse takes: %s",
    (text) => expect(() => parseJson(text)).toThrow(SyntaxError),
  );

  test("is read in the time of its length, whatever it holds", () => {
    const long = `{"a":"${'\\"'.repeat(1_000_000)}","b":[${`${large},`.repeat(100_000)}${"1".repeat(1_000_000)}]}`;
    expect(parseJson(long)).toHaveProperty("b.99999", large);
  });
});

describe("integers in requests", () => {
  test.each([
    ["a file", { file: helloPipeline }],
    ["a pipeline of the server", { pipeline: { id: "p" } }],
  ])("that are bigints are refused before anything is sent, with a remedy: %s", async (_, source) => {
    const { url, requests } = await serverOf((_, response) => answer(response, {}));
    const client = createPipelineClient({ host: url });
    const parameters = { who: [2n ** 53n + 1n] };
    const message = `\`parameters\` has no JSON: it holds the bigint ${large}n; an integer beyond 2^53 - 1 is a text`;
    for (const call of [
      client.runs.create({ ...source, parameters }),
      client.recurringRuns.create({ ...source, parameters, name: "r", cron: "@daily" }),
    ])
      await expect(call).rejects.toMatchObject({ name: "TypeError", message });
    expect(requests).toEqual([]);
  });

  test.each([large, most, "60"])("are kept by the fake server: %s", async (interval) => {
    const fake = createFakePipelineServer();
    const client = createPipelineClient({ host: "http://fake", fetch: fake.fetch });
    await client.pipelines.upload(helloPipeline);
    const { pipelineId } = await client.pipelines.get("hello");
    const body = {
      ...{ display_name: "other", max_concurrency: "1" },
      pipeline_version_reference: { pipeline_id: pipelineId },
      trigger: { periodic_schedule: { interval_second: interval } },
    };
    await client.request({ path: "/apis/v2beta1/recurringruns", method: "POST", body });
    const other = await client.recurringRuns.get("other");
    expect(`${other.trigger?.periodicSchedule?.intervalSecond}`).toBe(interval);
  });

  test.each([2 ** 53, 1e21])("an interval of %d seconds is refused", async (intervalSeconds) => {
    const { recurringRuns } = createPipelineClient({ host: "http://127.0.0.1:9" });
    const call = recurringRuns.create({ file: helloPipeline, name: "r", intervalSeconds });
    await expect(call).rejects.toThrow("`intervalSeconds` is a whole number from 1 to 2^53 - 1");
  });

  const spec = helloPipeline
    .replaceAll("parameterType: STRING", "parameterType: NUMBER_INTEGER")
    .replaceAll("defaultValue: world", "defaultValue: 1");
  const json = JSON.stringify(load(spec));
  const given = `{"who":${large}}`;

  test.each([
    ["a job", `{"pipelineSpec":${json},"runtimeConfig":{"parameterValues":${given}}}`],
    ["an older job", `{"pipelineSpec":${json},"runtimeConfig":{"parameters":{"who":{"intValue":${large}}}}}`],
    ["a run", `{"display_name":"r","pipeline_spec":${json},"runtime_config":{"parameters":${given}}}`],
  ])("are refused where %s is given one that may have been another", async (_, file) => {
    const { url, requests } = await serverOf((_, response) => answer(response, {}));
    const { runs, recurringRuns } = createPipelineClient({ host: url });
    const message = expect.stringContaining("the integer 9007199254740992 may have been another one");
    for (const call of [
      runs.create({ file }),
      recurringRuns.create({ file, name: "r", cron: "@daily" }),
      makeVertexJob({ file, pipelineRoot: "gs://b/r" }),
      runs.create({ file: spec, parameters: { who: Number(large) } }),
    ])
      await expect(call).rejects.toMatchObject({ code: "invalid_parameters", message });
    expect(requests).toEqual([]);
  });

  test("and of no other are there doubts", async () => {
    const fake = createFakePipelineServer();
    const { runs } = createPipelineClient({ host: "http://fake", fetch: fake.fetch });
    for (const who of [2 ** 53 - 1, -(2 ** 53) + 1, 0])
      await expect(runs.create({ file: spec, parameters: { who } })).resolves.toHaveProperty("runId");
    const doubles = spec.replaceAll("NUMBER_INTEGER", "NUMBER_DOUBLE");
    await expect(runs.create({ file: doubles, parameters: { who: 2 ** 53 } })).resolves.toHaveProperty(
      "runId",
    );
  });

  test.each([
    [2 ** 60, "1152921504606846976"],
    [1e21, "1000000000000000000000"],
    [-5, "-5"],
  ])("of older jobs are written with all of their digits: %d", async (value, digits) => {
    const file = helloPipeline
      .replace("2.1.0", "2.0.0")
      .replaceAll("parameterType: STRING", "parameterType: NUMBER_INTEGER");
    const { body } = await makeVertexJob({
      file,
      parameters: { who: value },
      pipelineRoot: "gs://b/r",
      validate: false,
    });
    expect(body).toHaveProperty("runtimeConfig.parameters.who", { intValue: digits });
  });
});

import { isObject, parsePipeline, writeJson } from "@wye/pipeline-spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createVertexClient,
  makeVertexJob,
  VertexJobError,
  type VertexJobOptions,
} from "../src/vertex/index.js";
import { recordings } from "./exchanges.js";
import { helloPipeline } from "./recorded-world.js";
import { answer, type Scripted, scriptedServer } from "./scripted-server.js";
import { SkippingClock } from "./skipping-clock.js";

const recorded = recordings.find(({ id }) => id === "vertex")!.exchanges;
const exchange = (step: string) => recorded.find((one) => one.step === step)!;
let reply: (index: number) => unknown = () => ({});
let server: Scripted;
let count = 0;
beforeAll(async () => {
  server = await scriptedServer((_, response) => answer(response, reply(count++)));
});
afterAll(() => server.close());

function clientOf() {
  count = 0;
  return createVertexClient({
    project: "my-project",
    location: "europe-west4",
    host: server.url,
    token: () => "access",
    clock: new SkippingClock(),
  });
}

const root = { pipelineRoot: "gs://bucket/root" };
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a job", () => {
  test("is created as Google's own client creates it", async () => {
    const { request, response } = exchange("create");
    const { displayName, pipelineSpec, runtimeConfig, labels, serviceAccount, network, encryptionSpec } =
      request.body as Record<string, never>;
    const { parameterValues, gcsOutputDirectory, inputArtifacts } = runtimeConfig as unknown as Record<
      string,
      never
    >;
    reply = () => response.body;
    const artifacts = Object.entries(
      (inputArtifacts ?? {}) as Record<string, { readonly artifactId: string }>,
    );
    const job = await clientOf().create({
      file: JSON.stringify(pipelineSpec),
      jobId: new URLSearchParams(request.query).get("pipelineJobId") ?? "",
      displayName,
      parameters: parameterValues,
      pipelineRoot: gcsOutputDirectory,
      failurePolicy: "fast",
      validate: false,
      ...(labels !== undefined && { labels }),
      ...(serviceAccount !== undefined && { serviceAccount }),
      ...(network !== undefined && { network }),
      ...(encryptionSpec !== undefined && {
        kmsKeyName: (encryptionSpec as { readonly kmsKeyName: string }).kmsKeyName,
      }),
      ...(artifacts.length > 0 && {
        inputArtifacts: Object.fromEntries(artifacts.map(([key, { artifactId }]) => [key, artifactId])),
      }),
    });
    const sent = server.requests.at(-1)!;
    expect([sent.method, sent.path, sent.query.get("pipelineJobId"), sent.headers.authorization]).toEqual([
      "POST",
      request.path,
      "hello-20261121215000",
      "Bearer access",
    ]);
    const body = JSON.parse(sent.body.toString());
    const wanted = request.body as Record<string, unknown>;
    for (const name of Object.keys(body)) {
      const same =
        name === "pipelineSpec"
          ? Object.keys(isObject(wanted[name]) ? wanted[name] : {}).sort()
          : wanted[name];
      expect([name, name === "pipelineSpec" ? Object.keys(body[name]).sort() : normal(body[name])]).toEqual([
        name,
        normal(same),
      ]);
    }
    expect(job).toMatchObject({
      displayName: "Hello",
      state: "RUNNING",
      createTime: new Date("2026-11-21T21:50:00Z"),
    });
  });

  test("is read, listed and cancelled at the recorded places", async () => {
    const [get, list, cancel] = [exchange("get 1"), exchange("list"), exchange("cancel")];
    const client = clientOf();
    reply = () => get.response.body;
    expect((await client.get("hello-20261121215000")).state).toBe("PENDING");
    expect(server.requests.at(-1)?.path).toBe(get.request.path);
    reply = () => list.response.body;
    const query = new URLSearchParams(list.request.query);
    const page = await client
      .list({ filter: query.get("filter") ?? "", orderBy: query.get("orderBy") ?? "", pageSize: 10 })
      .page();
    for (const name of ["filter", "orderBy", "pageSize"])
      expect(server.requests.at(-1)?.query.get(name)).toBe(query.get(name));
    expect([page.items[0]?.state, typeof page.nextPageToken]).toEqual(["RUNNING", "string"]);
    reply = () => ({});
    await client.cancel("projects/123/locations/europe-west4/pipelineJobs/hello-20261121215000");
    expect([server.requests.at(-1)?.path, server.requests.at(-1)?.body.toString()]).toEqual([
      cancel.request.path,
      "{}",
    ]);
  });

  test.each(["SUCCEEDED", "FAILED", "CANCELLED", "PAUSED"])("is followed to its end: %s", async (end) => {
    const states = ["QUEUED", "PENDING", "PENDING", "RUNNING", end];
    reply = (index) => ({
      name: "projects/p/locations/l/pipelineJobs/j",
      state: `PIPELINE_STATE_${states[index] ?? end}`,
    });
    const seen: string[] = [];
    for await (const { state } of clientOf().follow("j")) seen.push(state);
    expect(seen).toEqual(["QUEUED", "PENDING", "RUNNING", end]);
  });

  test("that fails names its task", async () => {
    const tasks = [
      { taskId: "1", taskName: "root", state: "FAILED" },
      {
        taskId: "2",
        taskName: "train",
        parentTaskId: "1",
        state: "FAILED",
        error: { code: 9, message: "out of memory" },
      },
    ];
    reply = () => ({
      name: "projects/p/locations/l/pipelineJobs/j",
      state: "PIPELINE_STATE_FAILED",
      jobDetail: { taskDetails: tasks },
    });
    const error = await rejection(clientOf().wait("j"));
    expect(error).toBeInstanceOf(VertexJobError);
    expect((error as Error).message).toBe(
      'the job j has ended as FAILED: task "train" failed: out of memory',
    );
  });
});

describe("a job of another place", () => {
  test.each([
    "projects/my-project/locations/us-central1/pipelineJobs/nightly",
    "projects/other/locations/europe-west4/pipelineJobs/nightly",
    "projects/other-2/locations/europe-west4/pipelineJobs/nightly",
    "projects/my-project/locations/europe-west4/schedules/123",
    "https://console.cloud.google.com/vertex-ai/locations/europe-west4/pipelines/runs/abc?project=p",
    "",
    undefined,
  ])("is not one of this client: %s", async (job) => {
    const client = clientOf();
    // Tests give what the types refuse.
    const name = job as string;
    const before = server.requests.length;
    for (const call of [() => client.get(name), () => client.cancel(name), () => client.delete(name)])
      expect(await rejection(call())).toBeInstanceOf(TypeError);
    expect(server.requests).toHaveLength(before);
  });

  test("is told from one of this place that is named by the number of its project", async () => {
    reply = () => ({ name: "projects/123/locations/europe-west4/pipelineJobs/nightly" });
    await clientOf().get("projects/123/locations/europe-west4/pipelineJobs/nightly");
    expect(server.requests.at(-1)?.path).toBe(
      "/v1/projects/my-project/locations/europe-west4/pipelineJobs/nightly",
    );
  });
});

test("all mistakes of a job are told at once", async () => {
  const labels = { A: "b", ...Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`l${n}`, ""])) };
  const error = await rejection(
    makeVertexJob({ file: helloPipeline, pipelineRoot: "s3://b", labels, parameters: { nope: 1 } }),
  );
  expect(error).toMatchObject({ code: "invalid_parameters" });
  const { problems } = error as { readonly problems: readonly { readonly path: string }[] };
  expect(problems.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["/labels", "/labels/A", "/pipelineRoot", expect.stringContaining("nope")]),
  );
});

test.each([
  [{ labels: { a: null } }, /is no label/],
  [{ labels: "ab" }, /"labels" of a job is an object/],
  [{ parameters: null }, /"parameters" of a job is an object/],
  [{ parameter: { rows: 1 } }, /has no option "parameter".*"parameters"/],
  [{ failurePolicy: "quick" }, /"fast" or "slow"/],
  [{ displayName: 5 }, /a text/],
  [{ inputArtifacts: { a: 5 } }, /ids of artifacts/],
  [{ reservedIpRanges: "x" }, /a list of texts/],
])("a job cannot have %o", async (given, message) => {
  // Tests give what the types refuse.
  const options = { file: helloPipeline, ...root, ...given } as unknown as VertexJobOptions;
  const error = await rejection(makeVertexJob(options));
  expect((error as Error).message).toMatch(message);
});

test.each([
  ["europe-west4", "europe-west4-aiplatform.googleapis.com"],
  ["us-central1", "us-central1-aiplatform.googleapis.com"],
  // Parts of the earth, and the whole of it, have addresses of other forms.
  ["us", "aiplatform.us.rep.googleapis.com"],
  ["eu", "aiplatform.eu.rep.googleapis.com"],
  ["global", "aiplatform.googleapis.com"],
])("jobs of %s are asked for at %s, with the location in the path", async (location, host) => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return Response.json({ name: `projects/p/locations/${location}/pipelineJobs/j` });
  };
  await createVertexClient({ project: "p", location, token: "t", fetch }).get("j");
  expect(asked).toEqual([`https://${host}/v1/projects/p/locations/${location}/pipelineJobs/j`]);
});

test.each([{ location: undefined }, { project: "" }])("there is no client of %o", (given) => {
  const options = { project: "p", location: "europe-west4", token: "t", ...given };
  expect(() => createVertexClient(options as Parameters<typeof createVertexClient>[0])).toThrow(TypeError);
});

describe("what Vertex AI would refuse is refused before", () => {
  test.each<[string, Partial<VertexJobOptions>, RegExp]>([
    ["no place for artifacts", { pipelineRoot: undefined }, /place for artifacts/],
    ["a place elsewhere", { pipelineRoot: "s3://x/y" }, /Cloud Storage/],
    ["an id with capitals", { jobId: "Hello" }, /no id of a job/],
    ["an id that is too long", { jobId: "a".repeat(128) }, /no id of a job/],
    ["a long display name", { displayName: "x".repeat(129) }, /display name/],
    ["a label with capitals", { labels: { Team: "ml" } }, /no label/],
    ["a long label", { labels: { team: "x".repeat(65) } }, /no label/],
    ["a reserved label", { labels: { "vertex-ai-pipelines-run-billing-id": "1" } }, /reserved/],
    ["an unknown parameter", { parameters: { whom: "you" } }, /whom/],
  ])("%s", async (_, wrong, message) => {
    const error = await rejection(makeVertexJob({ file: helloPipeline, ...root, ...wrong }));
    expect(error).toMatchObject({ code: "invalid_parameters", message: expect.stringMatching(message) });
  });

  test("settings of Kubernetes", async () => {
    const two = `${helloPipeline}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-greet: {imagePullPolicy: Always}}}}}\n`;
    const message = "settings of kubernetes have no meaning on Vertex AI";
    const hint = "take out the second document, or give `validate: false`";
    expect(await rejection(makeVertexJob({ file: two, ...root }))).toMatchObject({
      code: "invalid_pipeline",
      problems: [{ code: "platform", severity: "error", path: "", message, hint }],
    });
    expect(await makeVertexJob({ file: two, ...root, validate: false })).toHaveProperty("body");
  });

  test("and is told with code and place", async () => {
    const file = `
pipelineInfo: {name: hello}
schemaVersion: 2.1.0
root:
  inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}}}
  dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-greet}}}}
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec: {executors: {exec-greet: {container: {image: busybox, command: [date]}}}}
`;
    const problemsOf = async (options: object): Promise<unknown> =>
      Object(await rejection(makeVertexJob({ file, ...root, parameters: { n: 1 }, ...options }))).problems;
    const problem = (code: string, path: string, message: string, hint?: string) => ({
      ...{ code, severity: "error", path, message, ...(hint !== undefined && { hint }) },
    });
    expect(await problemsOf({ parameters: { n: 1.5 } })).toContainEqual(
      problem("parameter", "/parameters/n", "1.5 is no whole number"),
    );
    expect(await problemsOf({ inputArtifacts: { "a/~b": "1" } })).toEqual([
      problem("input-artifact", "/inputArtifacts/a~1~0b", 'the pipeline has no input artifact "a/~b"'),
    ]);
    const hint = "give `pipelineRoot`, such as gs://bucket/folder";
    const place = (message: string) => [problem("pipeline-root", "/pipelineRoot", message, hint)];
    expect([
      await problemsOf({ pipelineRoot: "" }),
      await problemsOf({ pipelineRoot: "s3://b" }),
      await problemsOf({ pipelineRoot: "gs://" }),
      await problemsOf({ pipelineRoot: "xgs://b" }),
    ]).toEqual([
      place("there is no place for artifacts"),
      ...["s3://b", "gs://", "xgs://b"].map((root) => place(`"${root}" is no place in Cloud Storage`)),
    ]);
  });
});

test("a job has an id of its name and the time, and its parameters without those that are null", async () => {
  const now = new Date("2026-11-21T21:50:00Z");
  const { jobId, body } = await makeVertexJob(
    {
      file: helloPipeline,
      ...root,
      parameters: { who: null },
      labels: { équipe: "données_1" },
      caching: false,
    },
    now,
  );
  expect(jobId).toMatch(/^hello-20261121215000-[0-9a-f]{6}$/);
  expect(body).toMatchObject({
    displayName: "hello",
    runtimeConfig: { gcsOutputDirectory: "gs://bucket/root", parameterValues: {} },
    labels: { équipe: "données_1" },
  });
  expect(JSON.stringify(body.pipelineSpec)).not.toContain('"enableCache":true');
});

test.each(["2.0.0", "2.1.0"])(
  "a whole number of a file of %s is one, and no doubtful one",
  async (version) => {
    const type = version === "2.0.0" ? "type: INT" : "parameterType: NUMBER_INTEGER";
    const file = `
pipelineInfo: {name: hello}
schemaVersion: ${version}
root:
  inputDefinitions: {parameters: {n: {${type}}}}
  dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-greet}}}}
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec: {executors: {exec-greet: {container: {image: busybox, command: [date]}}}}
`;
    const of = (n: number) => rejection(makeVertexJob({ file, ...root, parameters: { n } }));
    expect(await of(1.5)).toMatchObject({
      code: "invalid_parameters",
      problems: [{ path: "/parameters/n", message: "1.5 is no whole number" }],
    });
    for (const n of [1e21, 2 ** 63, 2 ** 53, -(2 ** 53)]) {
      const message = expect.stringContaining(`the integer ${n} may have been another one`);
      const one = expect.objectContaining({ severity: "error", path: "/parameterValues/n", message });
      expect(await of(n)).toMatchObject({
        code: "invalid_parameters",
        problems: expect.arrayContaining([one]),
      });
      expect(Object(await of(n)).message).not.toContain("is no whole number");
    }
    for (const n of [0, -4, 2 ** 53 - 1, 1 - 2 ** 53]) expect(await of(n)).toBeUndefined();
  },
);

test.each<readonly [options: object, message: string | RegExp]>([
  [{ parameters: { a: 1n } }, /^`parameters` has no JSON: /],
  [{ inputArtifacts: { a: 5 } }, "`inputArtifacts` has ids of artifacts, which are texts"],
  [{ reservedIpRanges: "x" }, "`reservedIpRanges` is a list of texts"],
  [{ failurePolicy: "soon" }, /failurePolicy/],
])("there is no job with %o", async (options, message) => {
  const made = rejection(makeVertexJob({ file: helloPipeline, ...root, ...options } as VertexJobOptions));
  expect(await made).toBeInstanceOf(TypeError);
  expect(((await made) as Error).message).toMatch(message);
});

test("a job has all that it is given", async () => {
  const given = {
    ...{ displayName: "d", labels: { a: "b" }, serviceAccount: "sa", network: "net", templateUri: "t" },
    ...{ reservedIpRanges: ["r"], preflightValidations: true },
  };
  const { jobId, body } = await makeVertexJob({
    ...{ file: helloPipeline, ...root, ...given, jobId: "j", kmsKeyName: "k", failurePolicy: "slow" },
    ...{ inputArtifacts: { model: "1", data: "2" }, validate: false },
  });
  const { pipelineSpec, ...rest } = body;
  expect([jobId, rest]).toEqual([
    "j",
    {
      ...given,
      encryptionSpec: { kmsKeyName: "k" },
      runtimeConfig: {
        ...{ gcsOutputDirectory: root.pipelineRoot, parameterValues: {} },
        failurePolicy: "PIPELINE_FAILURE_POLICY_FAIL_SLOW",
        inputArtifacts: { model: { artifactId: "1" }, data: { artifactId: "2" } },
      },
    },
  ]);
  expect(pipelineSpec).toMatchObject({ pipelineInfo: { name: "hello" } });
  const plain = await makeVertexJob({ file: helloPipeline, ...root });
  expect(Object.keys(plain.body)).toEqual(["displayName", "pipelineSpec", "runtimeConfig"]);
});

test("an artifact is for an input of the pipeline", async () => {
  const inputArtifacts = { nothing: "1", constructor: "2" };
  expect(await rejection(makeVertexJob({ file: helloPipeline, ...root, inputArtifacts }))).toMatchObject({
    code: "invalid_parameters",
    problems: [{ path: "/inputArtifacts/nothing" }, { path: "/inputArtifacts/constructor" }],
  });
});

describe("a specification of 2.0.0", () => {
  const file = `
pipelineInfo: {name: hello}
schemaVersion: 2.0.0
root:
  inputDefinitions: {parameters: {d: {type: DOUBLE}, i: {type: INT}, s: {type: STRING}}}
  dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-greet}}}}
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec: {executors: {exec-greet: {container: {image: busybox, command: [date]}}}}
`;
  test.each([
    [
      { d: 1.5, i: 4, s: "x" },
      { d: { doubleValue: 1.5 }, i: { intValue: "4" }, s: { stringValue: "x" } },
    ],
    [
      { d: 3, i: 0, s: "" },
      { d: { doubleValue: 3 }, i: { intValue: "0" }, s: { stringValue: "" } },
    ],
    [
      { d: 1e21, i: -4, s: "1" },
      { d: { doubleValue: 1e21 }, i: { intValue: "-4" }, s: { stringValue: "1" } },
    ],
  ])("has its numbers in the declared type: %j", async (parameters, sent) => {
    const { body } = await makeVertexJob({ file, ...root, parameters });
    expect(body.runtimeConfig).toEqual({ gcsOutputDirectory: root.pipelineRoot, parameters: sent });
  });

  test("has what does not fit where nobody is to check it, as it is", async () => {
    const parameters = { i: 1.5, d: { a: [1] }, other: true };
    const { body } = await makeVertexJob({ file, ...root, parameters, validate: false });
    expect(body.runtimeConfig).toMatchObject({
      parameters: {
        i: { intValue: "1.5" },
        d: { stringValue: '{"a":[1]}' },
        other: { stringValue: "true" },
      },
    });
    const large = await makeVertexJob({ file, ...root, parameters: { i: 1e21 }, validate: false });
    expect(large.body.runtimeConfig).toMatchObject({
      parameters: { i: { intValue: "1000000000000000000000" } },
    });
  });

  test("is checked by all other rules", async () => {
    const wrong = file.replace("name: comp-greet}", "name: comp-great}");
    expect(await rejection(makeVertexJob({ file: wrong, ...root }))).toMatchObject({
      code: "invalid_pipeline",
      message: expect.stringContaining("comp-great"),
    });
  });
});

test("a job of a file that is one is given what that says, and other values over it", async () => {
  const spec = parsePipeline(helloPipeline);
  if (!spec.ok) expect.unreachable();
  const file = JSON.stringify({
    pipelineSpec: writeJson("PipelineSpec", spec.pipeline.spec),
    runtimeConfig: { gcsOutputDirectory: "gs://of/file", parameterValues: { who: "she" } },
  });
  const plain = await makeVertexJob({ file });
  expect(plain.body.runtimeConfig).toEqual({
    gcsOutputDirectory: "gs://of/file",
    parameterValues: { who: "she" },
  });
  const other = await makeVertexJob({ file, ...root, parameters: { who: "he" } });
  expect(other.body.runtimeConfig).toEqual({
    gcsOutputDirectory: root.pipelineRoot,
    parameterValues: { who: "he" },
  });
  const none = await makeVertexJob({ file, parameters: { who: null } });
  expect(Object(none.body.runtimeConfig).parameterValues).toEqual({});
  expect(await rejection(makeVertexJob({ file, pipelineRoot: "" }))).toMatchObject({
    problems: [{ path: "/pipelineRoot", message: "there is no place for artifacts" }],
  });
});

/** Numbers stand for words in requests of Google's client. */
function normal(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === "failurePolicy" && typeof one === "number"
        ? ["", "PIPELINE_FAILURE_POLICY_FAIL_SLOW", "PIPELINE_FAILURE_POLICY_FAIL_FAST"][one]
        : one,
    ]),
  );
}

test("the error of a job whose answer was lost, and that is not found, names its id", async () => {
  const asked: string[] = [];
  const vertex = createVertexClient({
    ...{ project: "p", location: "europe-west4", host: "http://vertex.example", token: "t" },
    clock: new SkippingClock(),
    fetch: async (url, { method }) => {
      asked.push(`${method} ${url}`);
      if (method === "POST") throw new TypeError("fetch failed");
      return new Response('{"error":{"code":404,"message":"not found"}}', { status: 404 });
    },
  });
  const error = await rejection(vertex.create({ file: helloPipeline, ...root }));
  const [post = "", get] = asked;
  const id = new URL(post.slice("POST ".length)).searchParams.get("pipelineJobId") ?? "";
  expect(asked).toHaveLength(2);
  expect(get).toMatch(new RegExp(`/pipelineJobs/${id}$`));
  expect(error).toMatchObject({
    code: "network",
    remedy: `nobody knows whether the job was made: ask for ${id} before you make it again`,
    message: expect.stringMatching(/^no answer: fetch failed \(POST .*\); nobody knows/),
  });
});

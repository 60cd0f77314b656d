import { describe, expect, test } from "vitest";
import { createPipelineClient, type PipelineClient, type PipelineClientOptions } from "../src/index.js";
import { createFakePipelineServer } from "../src/testing/index.js";
import { createVertexClient, makeVertexJob, VertexJobError } from "../src/vertex/index.js";
import { helloPipeline } from "./recorded-world.js";
import { SkippingClock } from "./skipping-clock.js";

type Respond = (method: string, path: string, count: number) => Response | undefined;

/** A client of a fake server, in place of which something else may answer. */
function world(respond: Respond = () => undefined, options: Partial<PipelineClientOptions> = {}) {
  const clock = new SkippingClock();
  const fake = createFakePipelineServer({ now: () => clock.time });
  const sent: string[] = [];
  const client: PipelineClient = createPipelineClient({
    ...{ host: "http://kfp.example", clock, retry: false },
    fetch: async (url, init) => {
      const path = new URL(url).pathname.replace("/apis/v2beta1", "");
      sent.push(`${init.method} ${path}`);
      return respond(`${init.method}`, path, sent.length) ?? fake.fetch(url, init);
    },
    ...options,
  });
  return { client, fake, sent, clock };
}

const refused = (status: number, message: string) => Response.json({ code: 3, message }, { status });
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  );

describe("to terminate a run that the server does not terminate", () => {
  test.each([
    ["RUNNING", false],
    ["PENDING", false],
    ["CANCELING", true],
    ["FAILED", true],
    ["SUCCEEDED", true],
    [undefined, false],
  ])("is as good as done where it is %s: %s", async (state, isDone) => {
    const { client, sent } = world((method) =>
      method === "POST" ? refused(400, "no") : Response.json({ run_id: "r", state }),
    );
    const outcome = await client.runs.terminate({ id: "r" }).then(
      () => true,
      ({ status }: { readonly status: number }) => status !== 400,
    );
    expect([outcome, sent]).toEqual([isDone, ["POST /runs/r:terminate", "GET /runs/r"]]);
  });

  test.each([403, 404, 500])("is an error where it says %d, and nothing is looked at", async (status) => {
    const { client, sent } = world(() => refused(status, "no"));
    expect(await rejection(client.runs.terminate({ id: "r" }))).toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });
});

describe("an upload", () => {
  const nameless = helloPipeline.replace(/pipelineInfo:\n\s+name: .*\n/, "");

  test("needs a name", async () => {
    const { client, sent } = world();
    expect(await rejection(client.pipelines.upload(nameless, { validate: false }))).toEqual(
      new TypeError("the file has no `pipelineInfo.name`: give `name`"),
    );
    expect(sent).toEqual([]);
    await expect(client.pipelines.upload(helloPipeline, { displayName: "d" })).resolves.toMatchObject({
      pipeline: { name: "d", displayName: "d" },
    });
  });

  test("after which there is no version is an answer of no use", async () => {
    const { client } = world((method) => (method === "GET" ? Response.json({}) : undefined));
    expect(await rejection(client.pipelines.upload(helloPipeline))).toMatchObject({
      code: "invalid_response",
      message: expect.stringMatching(/^the pipeline \S+ was uploaded, and has no version$/),
    });
  });

  test("that clashes with what nobody can find stays a conflict", async () => {
    const { client, sent } = world((method) => (method === "POST" ? refused(409, "taken") : undefined));
    const error = await rejection(client.pipelines.upload(helloPipeline, { ifExists: "version" }));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    expect(sent).toEqual(["GET /pipelines", "POST /pipelines/upload", "GET /pipelines"]);
    const plain = world((method) => (method === "POST" ? refused(409, "taken") : undefined));
    expect(await rejection(plain.client.pipelines.upload(helloPipeline))).toMatchObject({ code: "conflict" });
    expect(plain.sent).toEqual(["POST /pipelines/upload"]);
  });

  test("of a version that fails, and that is not taken back, says what was left, and why", async () => {
    const { client } = world((method, path) => {
      if (path === "/pipelines/upload_version") return refused(502, "gone");
      return method === "DELETE" || path.endsWith("/versions") ? refused(500, "no") : undefined;
    });
    const error = await rejection(client.pipelines.upload(helloPipeline, { versionName: "v" }));
    expect(error).toMatchObject({
      ...{ code: "server_error", status: 502, serverCode: 3, serverMessage: "gone", attempts: 1 },
      ...{ request: "POST http://kfp.example/apis/v2beta1/pipelines/upload_version", retryable: false },
      remedy: expect.stringMatching(
        /^the pipeline \S+ was made and may have no version: upload with `ifExists: "version"`, or delete it$/,
      ),
      cause: expect.objectContaining({ status: 502 }),
    });
  });
});

test("what takes a pipeline back ends with the signal of the upload, and with its time", async () => {
  const { fake } = world();
  const leaving = new AbortController();
  const taking = (options: Partial<PipelineClientOptions>, atDelete: () => void) =>
    createPipelineClient({
      ...{ host: "http://kfp.example", retry: false, ...options },
      fetch: async (url, init) => {
        if (url.includes("upload_version")) return refused(502, "gone");
        if (init.method !== "DELETE") return fake.fetch(url, init);
        atDelete();
        return new Promise(() => {});
      },
    });
  const { signal } = leaving;
  const client = taking({}, () => leaving.abort(new Error("enough")));
  await expect(
    client.pipelines.upload(helloPipeline, { name: "a", versionName: "v", signal }),
  ).rejects.toThrow("enough");
  const late = taking({ timeoutMs: 50 }, () => {});
  expect(
    await rejection(late.pipelines.upload(helloPipeline, { name: "b", versionName: "v" })),
  ).toMatchObject({
    status: 502,
    remedy: expect.stringContaining("was made and may have no version"),
  });
});

test("a run and a job of a file without a name are called after what they are", async () => {
  const nameless = helloPipeline.replace(/pipelineInfo:\n\s+name: .*\n/, "");
  const empty = helloPipeline.replace(/(pipelineInfo:\n\s+name: ).*/, '$1""');
  for (const file of [nameless, empty]) {
    const { client } = world();
    const run = await client.runs.create({ file, validate: false });
    expect(run.displayName).toBe("run 2026-11-21 09:00:00");
    const options = { file, validate: false, pipelineRoot: "gs://b" };
    const { jobId, body } = await makeVertexJob(options, new Date(0));
    expect([jobId, body.displayName]).toEqual([
      expect.stringMatching(/^pipeline-19700101000000-[0-9a-f]{6}$/),
      jobId,
    ]);
  }
});

describe("a run whose answer is lost", () => {
  const lost: Respond = (method) => (method === "POST" ? new Response("{") : undefined);

  test("and that nobody knows of, is told with its id and what went wrong first", async () => {
    const { client } = world(lost);
    const error = await rejection(client.runs.create({ file: helloPipeline, runId: "r" }));
    expect(error).toMatchObject({
      code: "invalid_response",
      remedy: "nobody knows whether the run was started: ask for r before you start it again",
      cause: expect.objectContaining({ code: "invalid_response" }),
    });
  });

  test("is no other run that has the id of the caller", async () => {
    const { client } = world((method, path) => {
      if (method === "POST") return refused(502, "gone");
      return path === "/runs/r" ? Response.json({ run_id: "r", display_name: "other" }) : undefined;
    });
    const error = await rejection(client.runs.create({ file: helloPipeline, runId: "r", name: "mine" }));
    expect(error).toMatchObject({
      ...{ code: "conflict", status: 502, serverCode: 3, serverMessage: "gone", attempts: 1 },
      ...{ message: 'there is a run with the id "r"; give another `runId`, or none' },
      ...{ remedy: "give another `runId`, or none", cause: expect.objectContaining({ status: 502 }) },
    });
  });

  test.each([
    "UNIQUE constraint failed: x",
    "Duplicate entry 'r'",
    "duplicate key value violates",
    "DUPLICATE ENTRY",
  ])("is one that is taken where the server says so: %s", async (message) => {
    const { client, sent } = world((method) => (method === "POST" ? refused(500, message) : undefined));
    const error = await rejection(client.runs.create({ file: helloPipeline, runId: "r" }));
    expect(error).toMatchObject({ code: "conflict", status: 500, serverMessage: message });
    expect(sent).toEqual(["POST /runs"]);
  });

  test("is none where the server has failed, and has no such run", async () => {
    const { client, sent } = world((method) => (method === "POST" ? refused(500, "on fire") : undefined));
    const error = await rejection(client.runs.create({ file: helloPipeline, runId: "r" }));
    expect(error).toMatchObject({ code: "server_error", status: 500, serverMessage: "on fire" });
    expect(sent).toEqual(["POST /runs", "GET /runs/r"]);
  });
});

describe("a run is of what the server has", () => {
  const version = { pipeline_id: "p", pipeline_version_id: "v" };
  const running = async (found: object, parameters: Readonly<Record<string, unknown>> = { any: 1 }) => {
    const bodies: unknown[] = [];
    const client = createPipelineClient({
      ...{ host: "http://h", clock: new SkippingClock() },
      fetch: async (_, { method, body }) => {
        if (method === "POST") bodies.push(JSON.parse(`${body}`));
        return Response.json(method === "POST" ? { run_id: "r" } : { ...version, ...found });
      },
    });
    await client.runs.create({ pipeline: { id: "p" }, version: { id: "v" }, parameters });
    return bodies;
  };

  test.each<readonly [what: string, found: object, name: string]>([
    ["no specification", {}, "run 2026-11-21 09:00:00"],
    [
      "no specification that can be read",
      { pipeline_spec: { kind: "Workflow" }, name: "n" },
      "n 2026-11-21 09:00:00",
    ],
    ["a name that is shown", { name: "n", display_name: "d" }, "d 2026-11-21 09:00:00"],
  ])("with parameters that nobody can check, of %s", async (_, found, name) => {
    expect(await running(found)).toMatchObject([
      { display_name: name, runtime_config: { parameters: { any: 1 } } },
    ]);
  });

  test("and not of a version of another pipeline", async () => {
    const { client } = world((_, path) =>
      path === "/pipelines/p/versions/v" ? Response.json({ ...version, pipeline_id: "other" }) : undefined,
    );
    expect(
      await rejection(client.runs.create({ pipeline: { id: "p" }, version: { id: "v" } })),
    ).toMatchObject({
      code: "not_found",
      message: "the pipeline p has no version v: it is one of other",
    });
  });

  test("and not of something else than was asked for", async () => {
    const { client } = world(() => Response.json({ run_id: "other" }));
    expect(await rejection(client.runs.get({ id: "r" }))).toMatchObject({
      code: "invalid_response",
      message: expect.stringContaining('the answer is about the run "other", and "r" was asked for'),
    });
    for (const id of ["R", " r ", "r"]) {
      const same = world(() => Response.json({ run_id: id }));
      expect((await same.client.runs.get({ id: "r" })).runId).toBe(id);
    }
  });
});

test.each<readonly [options: object, message: string | RegExp]>([
  [{ path: "x" }, "`path` begins with a slash and has no query, which is given as `query`"],
  [{ path: "/x?a" }, "`path` begins with a slash and has no query, which is given as `query`"],
  [{ path: "/x#a" }, "`path` begins with a slash and has no query, which is given as `query`"],
  [{ path: "/x y" }, "`path` begins with a slash and has no query, which is given as `query`"],
  [{ path: 5 }, "`path` begins with a slash and has no query, which is given as `query`"],
  [{ path: "/x", method: "get" }, "`method` is one of HTTP, in capitals"],
  [{ path: "/x", method: "GET1" }, "`method` is one of HTTP, in capitals"],
  [{ path: "/x", method: "1GET" }, "`method` is one of HTTP, in capitals"],
  [{ path: "/x", query: "a=b" }, "`query` is an object of texts"],
  [{ path: "/x", query: { a: 5 } }, "`query` is an object of texts"],
  [{ path: "/x", body: {} }, "a request of GET has no `body`"],
  [{ path: "/x", method: "HEAD", body: {} }, "a request of HEAD has no `body`"],
  [{ path: "/x", other: 1 }, /^request .*other/],
])("no request is sent for %j", async (request, message) => {
  const { client, sent } = world();
  const error = await rejection(client.request(request as never));
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(message);
  expect(sent).toEqual([]);
});

describe("a request of one's own", () => {
  test.each([
    ["GET", 2],
    ["HEAD", 2],
    ["POST", 1],
    ["PUT", 1],
  ] as const)("%s is sent %d times where it fails once", async (method, times) => {
    let count = 0;
    const { client } = world(() => (++count === 1 ? refused(503, "busy") : new Response(null)), {
      retry: { limit: 1 },
    });
    await client.request({ path: "/x", method }).catch(() => {});
    expect(count).toBe(times);
  });

  test("is of the bytes that were given, whatever becomes of them", async () => {
    const bodies: unknown[] = [];
    const fetch = async (_: string, { body }: RequestInit) => {
      bodies.push(body);
      return new Response(null);
    };
    const client = createPipelineClient({ host: "http://kfp.example", fetch });
    const body = new Uint8Array([1, 2]);
    const asked = client.request({ path: "/x", method: "POST", body });
    body.fill(0);
    await asked;
    expect(bodies).toEqual([new Uint8Array([1, 2])]);
  });

  test("gives what came, and JSON where it is some", async () => {
    const headers = { "x-a": "b" };
    const { client } = world(() => new Response('{"a":9007199254740993}', { status: 201, headers }));
    const answer = await client.request({ path: "/x", method: "POST", body: new Uint8Array([1, 2]) });
    expect([answer.status, answer.headers.get("x-a"), answer.json()]).toEqual([
      ...[201, "b"],
      { a: "9007199254740993" },
    ]);
    expect(new TextDecoder().decode(answer.bytes)).toBe('{"a":9007199254740993}');
    const other = await world(() => new Response("no")).client.request({ path: "/x" });
    expect(() => other.json()).toThrow(
      expect.objectContaining({
        code: "invalid_response",
        message: expect.stringContaining("the answer is no JSON (GET http://kfp.example/x)"),
      }),
    );
  });
});

describe("a client of Vertex AI", () => {
  const of = (options: object) => () =>
    createVertexClient({ project: "p", location: "us-central1", token: "t", ...options } as never);

  test.each(["a", "us", "europe-west4", "a-"])("may be of the location %s", (location) => {
    expect(of({ location })).not.toThrow();
  });

  test.each(["", "US", "1us", "-us", "us.evil.example", "us/", "us central", "us\n", " us", undefined])(
    "may not be of the location %j",
    (location) => {
      expect(of({ location })).toThrow(new TypeError("`location` is one of Vertex AI, such as europe-west4"));
    },
  );

  test.each(["", undefined])("may not be of the project %j", (project) => {
    expect(of({ project })).toThrow(new TypeError("`project` is the id of a project"));
  });

  test.each([5, null])("may not be of the project %j, which is no text", (project) => {
    expect(of({ project })).toThrow(TypeError);
  });

  test.each([{ auth: {} }, { cookies: "omit" }, { namespace: "n" }, { timeoutMs: -1 }])(
    "has no %j",
    (options) => {
      expect(of(options)).toThrow(TypeError);
    },
  );

  test("may have another host", async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return Response.json({ name: "j" });
    };
    await of({ host: "http://h/x/", fetch })().get("j");
    expect(asked).toEqual(["http://h/x/v1/projects/p/locations/us-central1/pipelineJobs/j"]);
  });
});

describe("a job of Vertex AI", () => {
  const job = (state?: string, tasks?: readonly object[]) => ({
    name: "projects/p/locations/l/pipelineJobs/j",
    ...(state !== undefined && { state: `PIPELINE_STATE_${state}` }),
    ...(tasks !== undefined && { jobDetail: { taskDetails: tasks } }),
  });
  const clientOf = (...answers: readonly object[]) => {
    let asked = 0;
    return createVertexClient({
      ...{ project: "example.com:mine", location: "us-central1", token: "t", clock: new SkippingClock() },
      fetch: async () => Response.json(answers[Math.min(asked++, answers.length - 1)]),
    });
  };

  test("is waited for until it has ended", async () => {
    for (const end of ["SUCCEEDED", "PAUSED"])
      expect(await clientOf(job("RUNNING"), job(end)).wait("j")).toMatchObject({ state: end });
    for (const end of ["FAILED", "CANCELLED"])
      expect(await rejection(clientOf(job("RUNNING"), job(end)).wait("j"))).toBeInstanceOf(VertexJobError);
  });

  test("is told of as it changes, with what was known of it", async () => {
    const task = { taskId: "1", taskName: "t", state: "RUNNING" };
    const answers = [
      job("RUNNING", [task]),
      job("RUNNING", [task]),
      job(undefined),
      job("RUNNING", [{ ...task, state: "SUCCEEDED" }]),
      job("SUCCEEDED"),
    ];
    const updates: unknown[] = [];
    for await (const { state, isFinal, changes, job: one } of clientOf(...answers).follow("j"))
      updates.push([
        state,
        isFinal,
        changes.map((change) => change.state),
        one.jobDetail?.taskDetails?.length,
      ]);
    expect(updates).toEqual([
      ["RUNNING", false, ["RUNNING", "RUNNING"], 1],
      ["RUNNING", false, ["SUCCEEDED"], 1],
      ["SUCCEEDED", true, ["SUCCEEDED"], 1],
    ]);
  });

  test("has ended where it is asked for a second time", async () => {
    const updates: unknown[] = [];
    for await (const { changes, isFinal } of clientOf(job("SUCCEEDED")).follow("j"))
      updates.push([changes.length, isFinal]);
    expect(updates).toEqual([[1, true]]);
  });

  test("that does not end in time is called by its id", async () => {
    const name = "projects/example.com:mine/locations/us-central1/pipelineJobs/j";
    for (const given of ["j", name])
      expect(await rejection(clientOf(job("RUNNING")).wait(given, { maxWaitMs: 5000 }))).toMatchObject({
        code: "timeout",
        message: expect.stringMatching(/^the job j has not ended within 5000 ms/),
      });
  });

  test("has a page for people", () => {
    const page =
      "https://console.cloud.google.com/vertex-ai/locations/us-central1/pipelines/runs/j?project=example.com%3Amine";
    expect([
      clientOf({}).link("j"),
      clientOf({}).link("projects/example.com:mine/locations/us-central1/pipelineJobs/j"),
      clientOf({}).link("projects/123/locations/us-central1/pipelineJobs/j"),
    ]).toEqual([page, page, page]);
  });

  const of = (project: string, location: string, id: string) =>
    `projects/${project}/locations/${location}/pipelineJobs/${id}`;
  test.each([
    ...["", "a/b", "a?b", "a b", "projects/p/locations/l", 5, `x${of("1", "us-central1", "j")}`],
    ...[
      of("", "us-central1", "j"),
      of("1", "", "j"),
      of("1", "us-central1", ""),
      of("1", "us-central1", "j/k"),
    ],
    of("1", "us-central1", "j").replace("pipelineJobs", "pipelinejobs"),
  ])("is not called %j", async (name) => {
    expect(() => clientOf({}).link(name as string)).toThrow(
      new TypeError("a job is named by its id, or by its whole name: projects/…/locations/…/pipelineJobs/…"),
    );
  });

  test.each([
    "projects/other/locations/us-central1/pipelineJobs/j",
    "projects/1/locations/eu/pipelineJobs/j",
    "projects/5x/locations/us-central1/pipelineJobs/j",
    "projects/x5/locations/us-central1/pipelineJobs/j",
  ])("of another place is none of this client: %s", (name) => {
    expect(() => clientOf({}).link(name)).toThrow(
      new TypeError(`${JSON.stringify(name)} is in another project or location than this client`),
    );
  });
});

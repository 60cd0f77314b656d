import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parsePipeline, writeJson } from "@wye/pipeline-spec";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPipelineClient, type PipelineClientError, type PipelineFetch } from "../src/index.js";
import { createFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";
import { SkippingClock } from "./skipping-clock.js";

const rejection = (promise: Promise<unknown>): Promise<PipelineClientError> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: PipelineClientError) => error,
  );

const refused = () => new Response("no upstream", { status: 502 });
const lost = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
};

type Fault = (url: string, method: string) => "before" | "after" | undefined;

/** A client of a fake server, between which something fails before or after the server has done it. */
function world(fault: Fault = () => undefined, fail: () => Response = refused) {
  const clock = new SkippingClock();
  const fake = createFakePipelineServer({ now: () => clock.time });
  const fetch: PipelineFetch = async (url, init) => {
    // Whoever asks with no time left is gone before there is an answer.
    await new Promise((resolve) => setImmediate(resolve));
    init.signal?.throwIfAborted();
    const at = fault(url, init.method ?? "");
    if (at === "before") return fail();
    const answer = await fake.fetch(url, init);
    return at === "after" ? fail() : answer;
  };
  const client = createPipelineClient({ host: "http://kfp.example", clock, fetch, retry: false });
  return { client, fake, clock };
}

const once = (matches: (url: string, method: string) => boolean, when: "before" | "after"): Fault => {
  let times = 0;
  return (url, method) => (matches(url, method) && times++ === 0 ? when : undefined);
};
const isVersion = (url: string) => url.includes("upload_version");

describe("an upload with the name of a version, of which the second half fails", () => {
  test.each([
    ["by a gateway", refused, "server_error"],
    ["by a lost connection", lost, "network"],
  ] as const)("%s, leaves nothing that is in the way of the next one", async (_, fail, code) => {
    const { client, fake } = world(once(isVersion, "before"), fail);
    const first = await rejection(client.pipelines.upload(helloPipeline, { name: "v", versionName: "v1" }));
    expect([first.code, fake.store.pipelines.size]).toEqual([code, 0]);
    expect(first.remedy).toMatch(/^it may have been done all the same/);
    const { isNew, version } = await client.pipelines.upload(helloPipeline, {
      name: "v",
      versionName: "v1",
    });
    expect([isNew, version.name]).toEqual([true, "v1"]);
  });

  test("when the time of the call is over, is undone all the same", async () => {
    const { client, fake, clock } = world((url) => {
      if (!isVersion(url)) return undefined;
      clock.time += 3_600_000;
      return "before";
    });
    const late = client.pipelines.upload(helloPipeline, { name: "v", versionName: "v1" });
    expect([(await rejection(late)).code, fake.store.pipelines.size]).toEqual(["server_error", 0]);
  });

  test("after it was done, is done", async () => {
    for (const fail of [refused, lost]) {
      const { client, fake } = world(once(isVersion, "after"), fail);
      const made = await client.pipelines.upload(helloPipeline, { name: "v", versionName: "v1" });
      expect([made.isNew, made.version.name, made.version.pipelineId]).toEqual([
        true,
        "v1",
        made.pipeline.pipelineId,
      ]);
      expect([fake.store.pipelines.size, fake.store.versions.size]).toEqual([1, 1]);
    }
  });

  test("with all that follows, names what is left", async () => {
    const { client, fake } = world(
      (url, method) => (isVersion(url) || method === "DELETE" ? "before" : undefined),
      lost,
    );
    const error = await rejection(client.pipelines.upload(helloPipeline, { name: "v", versionName: "v1" }));
    const [id] = fake.store.pipelines.keys();
    expect(error).toMatchObject({ code: "network", remedy: expect.stringContaining(`${id} was made`) });
  });

  test("keeps what is known of the failure when it names what is left", async () => {
    const { client } = world(
      (url, method) => (isVersion(url) || method === "DELETE" ? "before" : undefined),
      () => new Response(JSON.stringify({ code: 8, message: "too many" }), { status: 429 }),
    );
    const error = await rejection(client.pipelines.upload(helloPipeline, { name: "v", versionName: "v1" }));
    expect(error).toMatchObject({
      ...{ code: "rate_limited", status: 429, serverCode: 8, serverMessage: "too many" },
      ...{ retryable: true, attempts: 1, request: expect.stringMatching(/^POST .*\/upload_version$/) },
      cause: { code: "rate_limited", status: 429 },
    });
  });

  test("says all of the pipeline, and nothing of an empty namespace", async () => {
    const { client, fake } = world();
    const said = { name: "v", displayName: "Shown", description: "what it is" };
    const { pipeline } = await client.pipelines.upload(helloPipeline, {
      ...{ ...said, namespace: "", versionName: "v1" },
    });
    expect(pipeline).toMatchObject(said);
    expect([...fake.store.pipelines.values()]).toMatchObject([{ ...said, namespace: "" }]);
  });

  test("because the caller ends it, ends at once", async () => {
    const controller = new AbortController();
    const { client, fake } = world((url) => {
      if (isVersion(url)) controller.abort(new Error("enough"));
      return isVersion(url) ? "before" : undefined;
    });
    const { signal } = controller;
    const given = { name: "v", versionName: "v1", signal };
    expect((await rejection(client.pipelines.upload(helloPipeline, given))).message).toBe("enough");
    expect(fake.store.pipelines.size).toBe(1);
  });
});

describe("several uploads of one name at once", () => {
  test("are none when nobody can tell whether there is one already", async () => {
    const { client, fake } = world((_, method) => (method === "GET" ? "before" : undefined));
    const upload = client.pipelines.upload(helloPipeline, { name: "q", ifExists: "version" });
    expect((await rejection(upload)).code).toBe("server_error");
    expect(fake.store.pipelines.size).toBe(0);
  });

  test('are a pipeline and its versions with `ifExists: "version"`', async () => {
    const { client, fake } = world();
    const upload = () => client.pipelines.upload(helloPipeline, { name: "q", ifExists: "version" });
    const made = await Promise.all([upload(), upload(), upload(), upload()]);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(made.map(({ version }) => version.pipelineVersionId)).size).toBe(4);
    expect([fake.store.pipelines.size, fake.store.versions.size]).toEqual([1, 4]);
  });

  test("are looked for only after a conflict: what was lost is not uploaded twice", async () => {
    const { client, fake } = world(once((url) => url.includes("/upload"), "after"));
    const lost = client.pipelines.upload(helloPipeline, { name: "q", ifExists: "version" });
    expect(await rejection(lost)).toMatchObject({ code: "server_error", status: 502 });
    expect(fake.store.versions.size).toBe(1);
  });

  test("are one pipeline and conflicts without it", async () => {
    const { client, fake } = world();
    const upload = () => client.pipelines.upload(helloPipeline, { name: "q" });
    const results = await Promise.allSettled([upload(), upload(), upload()]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(fake.store.versions.size).toBe(1);
  });
});

const id = { id: "6f9619ff-8b86-4011-b42d-00c04fc964ff" };
type Client = ReturnType<typeof world>["client"];
const changes: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ["pipelines.upload", (c) => c.pipelines.upload(helloPipeline)],
  ["pipelines.create", (c) => c.pipelines.create({ name: "p" })],
  ["versions.upload", (c) => c.versions.upload(id, helloPipeline)],
  ["experiments.create", (c) => c.experiments.create("e")],
  [
    "recurringRuns.create",
    (c) => c.recurringRuns.create({ file: helloPipeline, name: "r", intervalSeconds: 60 }),
  ],
];

describe("an answer that gets lost leaves it open what was done", () => {
  for (const [name, call] of changes) {
    test(name, async () => {
      for (const fail of [refused, lost, () => new Response("{")]) {
        const { client } = world((_, method) => (method === "POST" ? "before" : undefined), fail);
        expect((await rejection(call(client))).remedy).toMatch(/^it may have been done all the same/);
      }
    });
  }

  test("runs.retry, whose answer says nothing", async () => {
    for (const fail of [refused, lost]) {
      const { client } = world((_, method) => (method === "POST" ? "before" : undefined), fail);
      expect((await rejection(client.runs.retry(id))).remedy).toMatch(/^it may have been done all the same/);
    }
  });

  test("but not one that was never asked for, or that the server refuses", async () => {
    const noServer = () => {
      throw new TypeError("fetch failed", {
        cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }),
      });
    };
    const failures = [noServer, () => Response.json({ code: 3, message: "bad" }, { status: 400 })];
    for (const fail of failures) {
      const { client } = world((_, method) => (method === "POST" ? "before" : undefined), fail);
      const error = await rejection(client.experiments.create("e"));
      expect(error.remedy ?? "").not.toContain("may have been done");
    }
    const { client } = world((_, method) => (method === "GET" ? "before" : undefined), lost);
    expect((await rejection(client.runs.get(id))).remedy).toBeUndefined();
  });
});

describe("what is wrapped is uploaded without its wrapping", () => {
  const parsed = parsePipeline(helloPipeline);
  const spec = writeJson("PipelineSpec", parsed.ok ? parsed.pipeline.spec : expect.unreachable());
  const platforms = { kubernetes: {} };
  test.each<[string, object, object]>([
    ["a run of the API", { run_id: "r", pipeline_spec: spec, runtime_config: {} }, spec],
    ["a job", { displayName: "j", pipelineSpec: spec, runtimeConfig: {} }, spec],
    [
      "a specification with its platform",
      { pipelineSpec: spec, platformSpec: { platforms } },
      { pipeline_spec: spec, platform_spec: { platforms } },
    ],
  ])("%s", async (_, file, stored) => {
    const { client } = world();
    const { version } = await client.pipelines.upload(JSON.stringify(file), { name: "p" });
    expect(version.pipelineSpec).toEqual(stored);
  });
});

test("a run of a pipeline without versions is refused in words", async () => {
  const { client, fake } = world();
  const { pipelineId } = await client.pipelines.create({ name: "empty" });
  const error = await rejection(client.runs.create({ pipeline: "empty" }));
  expect(error).toMatchObject({
    code: "not_found",
    message: expect.stringContaining(`${pipelineId} has no version`),
  });
  expect(fake.store.runs.size).toBe(0);
});

test.each(["pipeline.yaml", "/data/pipelines/nightly.JSON", "C:\\work\\nightly.tar.gz"])(
  "a path in place of a text is told: %s",
  async (path) => {
    const { client, fake } = world();
    for (const call of [() => client.pipelines.upload(path), () => client.runs.create({ file: path })])
      expect(await rejection(call())).toMatchObject({
        code: "invalid_pipeline",
        message: expect.stringContaining(
          `${JSON.stringify(path)} is a path, and not the text of a file; give what is in the file`,
        ),
      });
    expect([fake.store.pipelines.size, fake.store.runs.size]).toEqual([0, 0]);
  },
);

test("a version that nobody names is named after the moment, as no other is", async () => {
  const { client } = world();
  const { pipeline } = await client.pipelines.upload(helloPipeline);
  const upload = () => client.versions.upload({ id: pipeline.pipelineId }, helloPipeline);
  const [first, second] = [await upload(), await upload()];
  expect(first.name).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{6}$/);
  expect(second.name).not.toBe(first.name);
});

test.each([
  ["a pipeline", { pipeline: "hello" }],
  ["a file", { file: helloPipeline }],
])("parameters of a run of %s are left to the server when nothing is to be validated", async (_, source) => {
  const { client } = world();
  await client.pipelines.upload(helloPipeline);
  const options = { ...source, parameters: { who: 3 }, validate: false };
  expect(await rejection(client.runs.create(options))).toMatchObject({ code: "bad_request", status: 400 });
});

test("what a text lacks is told of a text that ends like a path", async () => {
  const { client } = world();
  const error = await rejection(client.pipelines.upload("pipelineInfo: hello.yaml"));
  expect(error.message).toContain("1:15 ");
});

test("a server that is killed in the middle of an upload keeps nothing, and is not sent the file again", async () => {
  const fake = createFakePipelineServer();
  let uploads = 0;
  const server = createServer((request, response) => {
    if (request.method !== "POST" || uploads++ > 0) fake.handler(request, response);
    else request.once("data", () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const client = createPipelineClient({ host: `http://127.0.0.1:${port}`, retry: { baseDelayMs: 0 } });
  const long = helloPipeline.replace("hello", "hello # ".padEnd(1_000_000, "x"));
  expect(await rejection(client.pipelines.upload(long))).toMatchObject({
    code: "network",
    remedy: expect.stringContaining("look before you do it again"),
  });
  expect([uploads, fake.store.pipelines.size]).toEqual([1, 0]);
  await client.pipelines.upload(helloPipeline);
  expect(fake.store.pipelines.size).toBe(1);
  server.closeAllConnections();
});

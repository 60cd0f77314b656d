import { parsePipeline, writeJson } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { createPipelineClient, type PipelineClient } from "../src/index.js";
import { helloPipeline } from "./recorded-world.js";
import { everything, sentFor } from "./sent-for.js";
import { NotingClock, SkippingClock } from "./skipping-clock.js";

const api = "/apis/v2beta1";
const id = { id: "p" };

test.each<readonly [name: string, call: (client: PipelineClient) => Promise<unknown>]>([
  ["pipelines.update", (client) => client.pipelines.update(id, { displayName: "d" })],
  ["versions.update", (client) => client.versions.update(id, { id: "v" }, { displayName: "d" })],
])("%s is sent again when a server fails", async (_, call) => {
  const sent: unknown[] = [];
  const client = createPipelineClient({
    ...{ host: "http://kfp.example", clock: new SkippingClock() },
    fetch: async (_, { method }) => {
      sent.push(method);
      const isFirst = method === "PATCH" && !sent.slice(0, -1).includes("PATCH");
      return isFirst ? new Response("{}", { status: 503 }) : Response.json(everything);
    },
  });
  await call(client);
  expect(sent.filter((method) => method === "PATCH")).toHaveLength(2);
});

describe("an empty namespace is none, and not that of the client:", () => {
  test("a pipeline of an address", async () => {
    const call = (c: PipelineClient) =>
      c.pipelines.createFromUrl({ url: "http://u/f", name: "n", namespace: "" });
    const sent = await sentFor(call, { namespace: "team" });
    const version = { package_url: { pipeline_url: "http://u/f" } };
    expect(sent).toEqual([
      [`POST ${api}/pipelines/create`, { pipeline: { name: "n" }, pipeline_version: version }],
    ]);
  });

  test("a pipeline whose version has a name", async () => {
    const call = (c: PipelineClient) =>
      c.pipelines.upload(helloPipeline, { namespace: "", versionName: "v1" });
    const [made] = await sentFor(call, { namespace: "team" });
    expect(made).toEqual([`POST ${api}/pipelines`, { name: "hello" }]);
  });
});

test.each([
  [{}, "team"],
  [{ namespace: "other" }, "other"],
])(
  "a pipeline whose version has a name is made with what is said of it, with %j in %s",
  async (more, namespace) => {
    const said = { name: "n", displayName: "d", description: "x", tags: { a: "1" } };
    const call = (c: PipelineClient) =>
      c.pipelines.upload(helloPipeline, { ...said, versionName: "v1", codeSourceUrl: "c", ...more });
    const [made, version] = await sentFor(call, { namespace: "team" });
    const pipeline = { name: "n", display_name: "d", description: "x", tags: { a: "1" }, namespace };
    expect(made).toEqual([`POST ${api}/pipelines`, pipeline]);
    expect(version).toEqual([
      `POST ${api}/pipelines/upload_version?name=v1&description=x&code_source_url=c&tags={"a":"1"}&pipelineid=p`,
    ]);
  },
);

test.each<readonly [options: object, query: string]>([
  [{ tags: { a: "1" } }, 'name=n&tags={"a":"1"}'],
  [{ codeSourceUrl: "c" }, "name=n&code_source_url=c"],
  [{ description: "x" }, "name=n&description=x"],
  [{ displayName: "d" }, "name=n&display_name=d"],
  [
    { displayName: "", description: "", codeSourceUrl: "", tags: {} },
    "name=n&display_name=&description=&code_source_url=&tags={}",
  ],
])("of a version of which %j is said nothing else is sent", async (options, query) => {
  const [[request] = []] = await sentFor((c) =>
    c.versions.upload(id, helloPipeline, { name: "n", ...options }),
  );
  expect(request).toBe(`POST ${api}/pipelines/upload_version?${query}&pipelineid=p`);
});

describe("a name that is empty is no other one", () => {
  test("of a version or a run, which a server refuses", async () => {
    const [[request] = []] = await sentFor((c) => c.versions.upload(id, helloPipeline, { name: "" }));
    expect(request).toBe(`POST ${api}/pipelines/upload_version?name=&pipelineid=p`);
    const [[, body] = []] = await sentFor((c) => c.runs.create({ file: helloPipeline, name: "" }));
    expect(body).toMatchObject({ display_name: "" });
  });

  test.each([{ name: "", displayName: "d" }, { displayName: "" }])("of a pipeline: %j", async (options) => {
    const call = (c: PipelineClient) => c.pipelines.upload(helloPipeline, options);
    await expect(sentFor(call)).rejects.toThrow("give `name`");
  });
});

describe("a version that is uploaded", () => {
  test("is named after the moment also where it is shown as something else", async () => {
    const call = (c: PipelineClient) => c.versions.upload(id, helloPipeline, { displayName: "d" });
    const [[request = ""] = []] = await sentFor(call);
    expect(request).toMatch(
      /\/upload_version\?name=20261121T090000Z-[0-9a-f]{6}&display_name=d&pipelineid=p$/,
    );
  });

  test("to a pipeline that is there has all that is said of it", async () => {
    const said = { versionName: "v1", codeSourceUrl: "c", tags: { a: "1" }, description: "x" };
    const call = (c: PipelineClient) =>
      c.pipelines.upload(helloPipeline, { ...said, name: "n", ifExists: "version" });
    const sent = await sentFor(call, {}, { pipelines: [everything] });
    expect(sent.at(-1)).toEqual([
      `POST ${api}/pipelines/upload_version?name=v1&description=x&code_source_url=c&tags={"a":"1"}&pipelineid=p`,
    ]);
  });
});

describe("a run", () => {
  test.each([
    ['"name":"hello"', "hello"],
    ['"name":""', "run"],
  ])("of a file with %s begins its name with %j", async (written, name) => {
    const read = parsePipeline(helloPipeline);
    if (!read.ok) expect.unreachable();
    const file = JSON.stringify(writeJson("PipelineSpec", read.pipeline.spec)).replace(
      '"name":"hello"',
      written,
    );
    const [[, body] = []] = await sentFor((c) => c.runs.create({ file, validate: false }));
    expect(body).toMatchObject({ display_name: expect.stringMatching(`^${name} `) });
  });

  const version = { pipeline_id: "p", pipeline_version_id: "v" };

  test("of a pipeline may be given a root alone", async () => {
    const call = (c: PipelineClient) =>
      c.runs.create({ pipeline: id, version: { id: "v" }, pipelineRoot: "s3://b" });
    const [, [, body] = []] = await sentFor(call);
    expect(body).toMatchObject({ runtime_config: { pipeline_root: "s3://b" } });
  });

  test.each([true, false])("with caching: %s keeps the keys of its tasks", async (caching) => {
    const read = parsePipeline(helloPipeline);
    if (!read.ok) expect.unreachable();
    const options = '"cachingOptions":{"enableCache":true,"cacheKey":"k"}';
    const file = JSON.stringify(writeJson("PipelineSpec", read.pipeline.spec)).replace(
      /"cachingOptions":\{[^}]*\}/,
      options,
    );
    const [[, body] = []] = await sentFor((c) => c.runs.create({ file, caching }));
    const said = `"cachingOptions":{"cacheKey":"k"${caching ? `,"enableCache":true` : ""}}`;
    expect(JSON.stringify(body)).toContain(said);
  });

  test("is checked against a version with fields that a newer server has added", async () => {
    const read = parsePipeline(helloPipeline);
    if (!read.ok) expect.unreachable();
    const stored = { ...writeJson("PipelineSpec", read.pipeline.spec), ofTomorrow: true };
    const sent: unknown[] = [];
    const client = createPipelineClient({
      host: "http://kfp.example",
      fetch: async (_, { method }) => {
        sent.push(method);
        return Response.json({ ...version, pipeline_spec: stored });
      },
    });
    const started = client.runs.create({ pipeline: id, version: { id: "v" }, parameters: { nope: 1 } });
    await expect(started).rejects.toMatchObject({ code: "invalid_parameters" });
    expect(sent).toEqual(["GET"]);
  });

  test("whose answer was lost is looked for in half a minute at most, and so is what an upload leaves", async () => {
    const clock = new NotingClock();
    const client = createPipelineClient({
      ...{ host: "http://kfp.example", clock, retry: false },
      fetch: async (url, { method }) => {
        if (/runs|upload_version/.test(url) && method === "POST") throw new TypeError("fetch failed");
        return Response.json(everything);
      },
    });
    await client.runs.create({ file: helloPipeline, runId: "r", name: "n", timeoutMs: 60_000 });
    expect(clock.limits).toEqual([60_000, 30_000]);
    clock.limits.length = 0;
    const upload = client.pipelines.upload(helloPipeline, { versionName: "v", timeoutMs: 60_000 });
    await expect(upload).rejects.toThrow();
    expect(clock.limits).toEqual([60_000, 60_000, 30_000]);
  });

  test("that is followed by its name is looked for with the limits of the call", async () => {
    const clock = new NotingClock();
    const client = createPipelineClient({
      ...{ host: "http://kfp.example", clock },
      fetch: async (url) =>
        Response.json(
          url.includes("?")
            ? { runs: [{ run_id: "r", display_name: "n" }] }
            : { run_id: "r", state: "FAILED" },
        ),
    });
    await expect(client.runs.wait({ name: "n" }, { timeoutMs: 50_000 })).rejects.toThrow("FAILED");
    expect(clock.limits).toEqual([50_000, 50_000]);
  });

  test("may have an id of three dots, which is no step in a path", async () => {
    const [[request] = []] = await sentFor((c) => c.runs.get("..."), {}, { run_id: "..." });
    expect(request).toBe(`GET ${api}/runs/...`);
  });
});

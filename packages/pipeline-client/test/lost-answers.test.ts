import { parsePipeline, writeJson } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createFakePipelineServer } from "../src/testing/index.js";
import { makeVertexJob } from "../src/vertex/index.js";
import { helloPipeline } from "./recorded-world.js";
import { SkippingClock } from "./skipping-clock.js";

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A client whose first POST goes wrong, before or after the server has carried it out. */
function losing(how: "before" | "after", lose: () => Response) {
  const server = createFakePipelineServer();
  let posts = 0;
  const fetch: typeof server.fetch = async (url, init) => {
    if (init?.method !== "POST" || posts++ > 0) return server.fetch(url, init);
    if (how === "after") await server.fetch(url, init);
    return lose();
  };
  const client = createPipelineClient({ host: "http://kfp.example", fetch, clock: new SkippingClock() });
  return { client, posts: () => posts };
}

const losses: Readonly<Record<string, () => Response>> = {
  "a lost connection": () => {
    throw new TypeError("fetch failed");
  },
  "a gateway": () => new Response("bad gateway", { status: 502 }),
};

test.each(Object.keys(losses).flatMap((loss) => [["before", loss] as const, ["after", loss] as const]))(
  "an experiment is there once, whatever comes %s it is made: %s",
  async (how, loss) => {
    const { client } = losing(how, losses[loss]!);
    const { experimentId } = await client.experiments.ensure("nightly");
    expect(await client.experiments.get({ name: "nightly" })).toMatchObject({ experimentId });
  },
);

test("one that is to be made and not looked for is not made twice", async () => {
  const { client, posts } = losing("after", losses["a lost connection"]!);
  await expect(client.experiments.create("nightly")).rejects.toMatchObject({ code: "network" });
  expect(posts()).toBe(1);
});

test("who ends the call while a run is looked for that may have been started hears the own reason", async () => {
  const user = new AbortController();
  const client = createPipelineClient({
    ...{ host: "http://kfp.example", clock: new SkippingClock() },
    fetch: async (_, { method }) => {
      if (method === "POST") throw new TypeError("fetch failed");
      user.abort(new Error("enough"));
      throw new TypeError("fetch failed");
    },
  });
  const started = client.runs.create({ file: helloPipeline, runId: "r", signal: user.signal });
  expect(await rejection(started)).toBe(user.signal.reason);
});

test("a specification that cannot be written is refused like every other, with the way to give JSON", async () => {
  const client = createPipelineClient({
    host: "http://kfp.example",
    fetch: createFakePipelineServer().fetch,
  });
  // What `runs.get` gives has the form of JSON.
  const file = {
    spec: { root: { inputDefinitions: { parameters: { p: { parameterType: "STRUCT" } } } } },
  } as never;
  for (const call of [
    client.runs.create({ file }),
    client.pipelines.upload(file),
    makeVertexJob({ file, pipelineRoot: "gs://b" }),
  ]) {
    expect(await rejection(call)).toMatchObject({
      name: "PipelineClientError",
      code: "invalid_pipeline",
      message: expect.stringContaining("JSON.stringify"),
      problems: [{ code: "unwritable", path: expect.stringContaining("/root/") }],
    });
  }
});

test.each([true, false])("caching: %s is all that a job of Vertex AI says of it", async (caching) => {
  const read = parsePipeline(helloPipeline);
  if (!read.ok) expect.unreachable();
  const spec = writeJson("PipelineSpec", read.pipeline.spec);
  const options = '"cachingOptions":{"enableCache":true,"cacheKey":"k"}';
  const file = JSON.stringify(spec).replace(/"cachingOptions":\{[^}]*\}/, options);
  expect(file).toContain(options);
  const { body } = await makeVertexJob({ file, pipelineRoot: "gs://b", caching });
  const said = caching ? '{"enableCache":true}' : "{}";
  expect(JSON.stringify(body.pipelineSpec)).toContain(`"cachingOptions":${said}`);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPipelineClient, PipelineClientError, RunError } from "../src/index.js";
import { createVertexClient, VertexJobError } from "../src/vertex/index.js";
import { recordings } from "./exchanges.js";
import { helloPipeline } from "./recorded-world.js";
import { SkippingClock } from "./skipping-clock.js";

// Whatever a server answers, a call ends: with a value, or with one of the errors of this package.

const bodies = recordings.flatMap(({ exchanges }) => exchanges.map(({ response }) => response.body ?? {}));
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-0, 1e308, 2 ** 53, "", "__proto__", "\ud800", "0001-01-01T00:00:00Z", [], {}, null),
);

/** A recorded answer in which something has been replaced by something else. */
const mangled: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...bodies), fc.nat(), odd)
  .map(([body, seed, value]) => {
    const text = JSON.stringify(body);
    const places = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|-?\d+|true|false|\{\}|\[\])/g)];
    const place = places[seed % Math.max(1, places.length)];
    if (place === undefined) return JSON.stringify(value) ?? "null";
    return `${text.slice(0, place.index + 1)}${JSON.stringify(value) ?? "null"}${text.slice(place.index + place[0].length)}`;
  });

const answers = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 201, 204, 302, 400, 401, 404, 409, 429, 500, 501, 503),
  body: fc.oneof(
    mangled,
    mangled,
    fc.string(),
    fc.json(),
    fc.constant("[".repeat(50_000)),
    fc.constant(`{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
    fc.constant('{"__proto__":{"run_id":"x"},"constructor":1}'),
  ),
  type: fc.constantFrom("application/json", "text/html", "", "application/json; charset=utf-16"),
});

type Answer = { readonly status: number; readonly body: string; readonly type: string };

/** A fetch that gives these answers, one after the other and again. */
function fetchOf(list: readonly Answer[]) {
  let index = 0;
  return async () => {
    const { status, body, type } = list[index++ % list.length]!;
    const isEmpty = status === 204;
    return new Response(isEmpty ? null : body, {
      status,
      headers: type === "" ? {} : { "content-type": type },
    });
  };
}

const isOurs = (error: unknown): boolean =>
  error instanceof PipelineClientError || error instanceof RunError || error instanceof VertexJobError;

describe("whatever is answered", () => {
  test("every call ends with a value or an error of this package", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 4 }), fc.nat(20), async (list, which) => {
        const client = createPipelineClient({
          host: "http://x",
          fetch: fetchOf(list),
          clock: new SkippingClock(),
          retry: { limit: 2 },
          maxPages: 20,
        });
        const calls = [
          () => client.health(),
          () => client.runs.get("r"),
          () => client.runs.get({ id: "r" }),
          () => client.runs.list().page(),
          async () => {
            for await (const _ of client.runs.list({ filter: { state: "RUNNING" } })) void _;
          },
          () => client.runs.wait({ id: "r" }, { maxWaitMs: 100_000, maxOutageMs: 50_000 }),
          () => client.runs.create({ pipeline: "hello" }),
          () => client.runs.create({ file: helloPipeline }),
          () => client.pipelines.upload(helloPipeline, { ifExists: "version" }),
          () => client.pipelines.get("hello"),
          () => client.versions.latest({ id: "p" }),
          () => client.experiments.ensure("e"),
          () => client.recurringRuns.get("nightly"),
          () => client.runs.log({ id: "r" }, { nodeId: "n" }),
          () => client.runs.artifact({ id: "r" }, "n", "main-logs"),
          () => client.runs.terminate({ id: "r" }),
          () => client.runs.delete("r"),
          () => vertex(list).get("j"),
          () => vertex(list).list().page(),
          () => vertex(list).wait("j", { maxWaitMs: 100_000, maxOutageMs: 50_000 }),
          () => vertex(list).create({ file: helloPipeline, pipelineRoot: "gs://b/r" }),
        ] as const;
        const error = await Promise.resolve(calls[which]!()).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error === undefined || isOurs(error), `${error instanceof Error ? error.stack : error}`).toBe(
          true,
        );
      }),
      { seed: 20261122, numRuns: 800 },
    );
  });
});

function vertex(list: readonly Answer[]) {
  return createVertexClient({
    project: "p",
    location: "europe-west4",
    token: "t",
    fetch: fetchOf(list),
    clock: new SkippingClock(),
    retry: { limit: 2 },
    maxPages: 20,
  });
}

async function readAll(list: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of list) void _;
}

test("an answer without an end is left at its limit, and a list that leads to itself is refused", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
  });
  const large = createPipelineClient({
    host: "http://x",
    fetch: async () => new Response(endless),
    maxBodyBytes: 1_000_000,
    retry: false,
  });
  await expect(large.runs.get({ id: "r" })).rejects.toMatchObject({
    code: "invalid_response",
    remedy: expect.stringContaining("maxBodyBytes"),
  });
  let number = 0;
  const pages = (token: () => string) =>
    createPipelineClient({
      host: "http://x",
      maxPages: 30,
      fetch: async () => new Response(JSON.stringify({ next_page_token: token() })),
    });
  await expect(readAll(pages(() => "same").runs.list())).rejects.toMatchObject({ code: "invalid_response" });
  await expect(readAll(pages(() => `${number++}`).runs.list())).rejects.toMatchObject({
    code: "invalid_response",
  });
});

test("members named like those of every object are data", async () => {
  const body =
    '{"run_id":"r","runtime_config":{"parameters":{"__proto__":{"a":1},"constructor":2}},"run_details":{"task_details":[{"task_id":"__proto__","state":"FAILED"}]},"state":"FAILED"}';
  const client = createPipelineClient({ host: "http://x", fetch: async () => new Response(body) });
  const run = await client.runs.get({ id: "r" });
  expect(Object.keys(run.runtimeConfig?.parameters ?? {})).toEqual(["__proto__", "constructor"]);
  const error: unknown = await client.runs.wait({ id: "r" }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ task: { taskId: "__proto__" } });
});

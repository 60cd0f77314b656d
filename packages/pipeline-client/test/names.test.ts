import { describe, expect, test } from "vitest";
import type { PipelineClient } from "../src/index.js";
import { helloPipeline } from "./recorded-world.js";
import { first, sentFor } from "./sent-for.js";

describe("things of one name", () => {
  const pipeline = (id: number, name = "x") => ({ pipeline_id: `p${id}`, name, display_name: "shown" });
  const found = async (...pages: readonly unknown[]) => {
    let outcome: unknown;
    const sent = await sentFor(
      async (c) => {
        outcome = await c.pipelines.get("x").then(
          ({ pipelineId }) => pipelineId,
          ({ code, message, remedy }) => ({ code, message, remedy }),
        );
      },
      {},
      ...pages,
    );
    return [sent.length, outcome];
  };
  const several = (ids: string) => ({
    code: "ambiguous_name",
    message: `there are several pipelines of the name "x": ${ids}; use an id`,
    remedy: "use an id",
  });

  test.each<readonly [what: string, asked: number, outcome: unknown, ...pages: unknown[]]>([
    ["are one", 1, "p1", { pipelines: [pipeline(1)] }],
    ["are one among those that only look so", 1, "p2", { pipelines: [pipeline(1, "X"), pipeline(2)] }],
    [
      "are one on the second page",
      2,
      "p2",
      { pipelines: [pipeline(1, "X")], next_page_token: "t" },
      { pipelines: [pipeline(2)] },
    ],
    ["are two", 1, several("p1, p2"), { pipelines: [pipeline(1), pipeline(2)] }],
    [
      "are two on two pages",
      2,
      several("p1, p2"),
      { pipelines: [pipeline(1)], next_page_token: "t" },
      { pipelines: [pipeline(2)] },
    ],
    [
      "are so many that no more are asked for",
      1,
      several("p1, p2, p3"),
      { pipelines: [1, 2, 3, 4].map((id) => pipeline(id)), next_page_token: "t" },
    ],
    [
      "are none: the name that is shown is looked for",
      2,
      "p5",
      { pipelines: [] },
      { pipelines: [{ pipeline_id: "p5", name: "other", display_name: "x" }] },
    ],
  ])("%s", async (_, asked, outcome, ...pages) => expect(await found(...pages)).toEqual([asked, outcome]));
});

const api = "/apis/v2beta1";
const search = (path: string, key: string, scope = "") =>
  `GET ${api}/${path}?${scope}page_size=50&filter={"predicates":[{"operation":"EQUALS","key":"${key}","string_value":"x"}]}`;

test("a name is looked for once among what is shared, where there is no namespace", async () => {
  const sent = await sentFor((c) => c.pipelines.get("x").catch(() => {}), {}, {}, {});
  expect(sent).toEqual([[search("pipelines", "name")], [search("pipelines", "display_name")]]);
});

const version = { ifExists: "version", name: "x" } as const;

test.each<readonly [what: string, call: (client: PipelineClient) => unknown, request: string]>([
  [
    "the experiment of runs",
    (c) => first(c.runs.list({ namespace: "ns", experiment: "x" })),
    search("experiments", "display_name", "namespace=ns&"),
  ],
  [
    "the experiment of recurring runs",
    (c) => first(c.recurringRuns.list({ namespace: "ns", experiment: "x" })),
    search("experiments", "display_name", "namespace=ns&"),
  ],
  [
    "the experiment that there is to be",
    (c) => c.experiments.ensure("x", { namespace: "ns" }),
    search("experiments", "display_name", "namespace=ns&"),
  ],
  [
    "what is uploaded to",
    (c) => c.pipelines.upload(helloPipeline, { ...version, namespace: "ns" }),
    search("pipelines", "name", "namespace=ns&"),
  ],
  [
    "what is uploaded to among what is shared",
    (c) => c.pipelines.upload(helloPipeline, { ...version, namespace: "" }),
    search("pipelines", "name"),
  ],
])("a name is looked for in the namespace of the call: %s", async (_, call, request) => {
  const found = { experiments: [{ experiment_id: "e", display_name: "x" }], pipelines: [] };
  const sent = await sentFor(
    async (c) => Promise.resolve(call(c)).catch(() => {}),
    { namespace: "team" },
    found,
    {},
  );
  expect(sent[0]).toEqual([request]);
});

describe("a list of versions is given up", () => {
  test("before the name of its pipeline is looked for", async () => {
    const signal = AbortSignal.abort("over");
    const sent = await sentFor((c) => expect(first(c.versions.list("x", { signal }))).rejects.toBe("over"));
    expect(sent).toEqual([]);
  });

  test("between its pages", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const page = {
      pipeline_versions: [{ pipeline_id: "p", pipeline_version_id: "v" }],
      next_page_token: "t",
    };
    const sent = await sentFor(
      async (c) => {
        const items = c.versions.list({ id: "p" }, { signal })[Symbol.asyncIterator]();
        expect(await items.next()).toMatchObject({ value: { pipelineVersionId: "v" } });
        controller.abort("over");
        await expect(items.next()).rejects.toBe("over");
      },
      {},
      page,
      page,
    );
    expect(sent).toHaveLength(1);
  });
});

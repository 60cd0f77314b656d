import { expect, test } from "vitest";
import type { PipelineClient } from "../src/index.js";
import { first, sentFor } from "./sent-for.js";

type Lists = Readonly<Record<string, (client: PipelineClient, options: object) => AsyncIterable<unknown>>>;

const lists: Lists = {
  pipelines: (c, options) => c.pipelines.list(options),
  versions: (c, options) => c.versions.list({ id: "p" }, options),
  experiments: (c, options) => c.experiments.list(options),
  runs: (c, options) => c.runs.list(options),
  recurringRuns: (c, options) => c.recurringRuns.list(options),
};

/** What each list can be asked for: texts, times and tags; and by what it can be sorted. */
const kinds: readonly (readonly [
  list: string,
  texts: readonly string[],
  times: readonly string[],
  hasTags: boolean,
  sortKeys: readonly string[],
])[] = [
  [
    "pipelines",
    ["pipelineId", "name", "displayName", "description"],
    ["createdAt"],
    true,
    ["pipelineId", "name", "displayName", "createdAt", "description", "namespace"],
  ],
  [
    "versions",
    ["pipelineVersionId", "name", "displayName", "description"],
    ["createdAt"],
    true,
    ["pipelineVersionId", "name", "displayName", "createdAt", "description"],
  ],
  [
    "experiments",
    ["experimentId", "displayName", "description", "storageState"],
    ["createdAt", "lastRunCreatedAt"],
    false,
    [
      ...["experimentId", "displayName", "createdAt", "lastRunCreatedAt", "description", "namespace"],
      "storageState",
    ],
  ],
  [
    "runs",
    ["runId", "displayName", "description", "state", "storageState", "experimentId", "recurringRunId"],
    ["createdAt", "scheduledAt", "finishedAt"],
    false,
    [
      ...["runId", "displayName", "createdAt", "finishedAt", "scheduledAt", "description", "storageState"],
      ...["state", "namespace"],
    ],
  ],
  [
    "recurringRuns",
    ["recurringRunId", "displayName", "description"],
    ["createdAt", "updatedAt"],
    false,
    ["recurringRunId", "displayName", "createdAt", "updatedAt", "description"],
  ],
];

const wire = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The query of the first page of a list. */
async function queryOf(list: string, options: object): Promise<URLSearchParams> {
  const read = lists[list] ?? expect.unreachable("there is such a list");
  const [[request] = [""]] = await sentFor((c) => first(read(c, options)), {}, {});
  return new URLSearchParams(request.split("?")[1]);
}

test.each(kinds)(
  "%s are filtered by texts, times and tags of these names",
  async (list, texts, times, hasTags) => {
    const filter = {
      ...Object.fromEntries(texts.map((name) => [name, "x"])),
      ...Object.fromEntries(times.map((name) => [name, { after: new Date(0) }])),
      ...(hasTags && { tags: { aB: "y" } }),
    };
    const query = await queryOf(list, { filter });
    expect(JSON.parse(query.get("filter") ?? "")).toEqual({
      predicates: [
        ...texts.map((name) => ({ operation: "EQUALS", key: wire(name), string_value: "x" })),
        ...times.map((name) => ({
          ...{ operation: "GREATER_THAN", key: wire(name), timestamp_value: "1970-01-01T00:00:00Z" },
        })),
        ...(hasTags ? [{ operation: "EQUALS", key: "tags.aB", string_value: "y" }] : []),
      ],
    });
    for (const name of ["namespace", "other", ...(hasTags ? [] : ["tags"])])
      await expect((async () => queryOf(list, { filter: { [name]: "x" } }))()).rejects.toThrow(name);
  },
);

test.each(kinds)("%s are sorted by these names and no others", async (list, _, __, ___, sortKeys) => {
  for (const sortBy of sortKeys)
    expect((await queryOf(list, { sortBy, descending: true })).get("sort_by")).toBe(`${wire(sortBy)} desc`);
  for (const sortBy of ["", "other", "isFinished"])
    await expect((async () => queryOf(list, { sortBy }))()).rejects.toThrow(TypeError);
});

import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createVertexClient } from "../src/vertex/index.js";
import { answer, serverOf } from "./scripted-server.js";

// Things of a list are read in both spellings, and so is what surrounds them: half an answer would be a list that ends early.

const lists = {
  runs: "run",
  pipelines: "pipeline",
  experiments: "experiment",
  pipelineVersions: "pipelineVersion",
  recurringRuns: "recurringRun",
} as const;
type List = keyof typeof lists;

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const same = (name: string) => name;

/** Two pages of a list. */
async function serverWith(list: List, spell: (name: string) => string) {
  const { url } = await serverOf(({ query }, response) => {
    const id = query.has("page_token") ? "second" : "first";
    const more = id === "first" ? { [spell("nextPageToken")]: "more" } : {};
    const item = { [spell(`${lists[list]}Id`)]: id, [spell("pipelineId")]: "p" };
    answer(response, { [spell(list)]: [item], [spell("totalSize")]: 2, ...more });
  });
  return createPipelineClient({ host: url });
}

function listOf(client: ReturnType<typeof createPipelineClient>, list: List) {
  if (list === "pipelineVersions") return client.versions.list({ id: "p" });
  return client[list].list();
}

describe.each(Object.keys(lists) as List[])("the list of %s", (list) => {
  test.each([
    ["snake case", snake],
    ["camel case", same],
  ])("is read to its end in %s", async (_, spell) => {
    const pages = [];
    for await (const page of listOf(await serverWith(list, spell), list).pages()) pages.push(page);
    const id = list === "pipelines" ? "pipelineId" : `${lists[list]}Id`;
    const found = pages.map(({ items, totalSize }) => [items.length, totalSize, id in (items[0] ?? {})]);
    expect(found).toEqual([
      [1, 2, true],
      [1, 2, true],
    ]);
  });

  test.each([
    ["a status that is none", { code: 5, message: "not found" }],
    ["an error", { error_message: "no" }],
    ["one thing", { id: "x" }],
  ])("is not empty when the answer is %s", async (_, body) => {
    const { url } = await serverOf((_, response) => answer(response, body));
    const listed = listOf(createPipelineClient({ host: url }), list);
    await expect(listed.page()).rejects.toMatchObject({
      code: "invalid_response",
      message: expect.stringContaining(`is no page of a list, it has no \`${list}\``),
    });
  });

  test.each([{}, { total_size: 0 }, { totalSize: "0" }])("is empty when the answer is %o", async (body) => {
    const { url } = await serverOf((_, response) => answer(response, body));
    expect((await listOf(createPipelineClient({ host: url }), list).page()).items).toEqual([]);
  });
});

test("a list of jobs of the hosted service is not empty when the answer is an error", async () => {
  const { url } = await serverOf((_, response) => answer(response, { error: { code: 403 } }));
  const client = createVertexClient({ project: "p", location: "l", token: "t", host: url });
  await expect(client.list().page()).rejects.toMatchObject({ code: "invalid_response" });
});

import { describe, expect, test } from "vitest";
import { createPipelineClient, type PipelineClientError } from "../index.js";
import { createVertexClient } from "../vertex/index.js";

const clientOf = (body: unknown) =>
  createPipelineClient({ host: "http://h", retry: false, fetch: async () => Response.json(body) });
const one = { experiment_id: "e" };

describe("a page", () => {
  test.each<readonly [body: object, page: object]>([
    [{}, { items: [] }],
    [{ experiments: null }, { items: [] }],
    [{ experiments: [] }, { items: [] }],
    [
      { experiments: [one], total_size: 7 },
      { items: [{ experimentId: "e" }], totalSize: 7 },
    ],
    [
      { totalSize: "7", nextPageToken: "t" },
      { items: [], totalSize: 7, nextPageToken: "t" },
    ],
    [{ total_size: 0 }, { items: [], totalSize: 0 }],
    [{ total_size: "x", next_page_token: "" }, { items: [] }],
    [{ next_page_token: null }, { items: [] }],
    [{ next_page_token: 5 }, { items: [], nextPageToken: "5" }],
    [{ experiments: [one], newer: 1 }, { items: [{ experimentId: "e" }] }],
  ])("%j is read as %j", async (body, page) => {
    const found = await clientOf(body).experiments.list().page();
    expect(found).toEqual(page);
    expect(Object.keys(found)).toEqual(Object.keys(page));
  });

  test.each<readonly [body: unknown, reason: string]>([
    [{ experiments: {} }, "`experiments` of the answer is no list"],
    [{ experiments: "x" }, "`experiments` of the answer is no list"],
    [{ other: 1 }, 'the answer is no page of a list, it has no `experiments`: "{\\"other\\":1}"'],
    [{ experiments: [one, {}] }, "`experiments/1` of the answer has no id"],
    [{ next_page_token: {} }, "`nextPageToken` of the answer is no text"],
    [{ next_page_token: true, experiments: [] }, "`nextPageToken` of the answer is no text"],
    [[], 'the answer is no JSON object: "[]"'],
  ])("%j is none: %s", async (body, reason) => {
    const found = clientOf(body).experiments.list().page();
    await expect(found).rejects.toMatchObject({
      code: "invalid_response",
      message: expect.stringContaining(`${reason} (GET http://h/apis/v2beta1/experiments)`),
    });
  });
});

/** What a list has, and how reading it ends. */
async function readingOf<T>(list: AsyncIterable<T>) {
  const items: T[] = [];
  const outcome = await (async () => {
    for await (const item of list) items.push(item);
    return "ends";
  })().catch(({ code, message }: PipelineClientError) => [code, message.replace(/ \(.*/, "")]);
  return { items, outcome };
}

const endless = (page: number) => [
  "invalid_response",
  `the list does not end: page ${page} leads to itself, or there are more than \`maxPages\``,
];

describe("a list whose pages lead on", () => {
  /** What a list with these tokens asks for, and how it ends. */
  const listing = async (...tokens: readonly string[]) => {
    const asked: (string | null)[] = [];
    const client = createPipelineClient({
      ...{ host: "http://h", retry: false, maxPages: 4 },
      fetch: async (url) => {
        asked.push(new URL(url).searchParams.get("page_token"));
        const next_page_token = tokens[asked.length - 1];
        return Response.json({ experiments: [{ experiment_id: `e${asked.length}` }], next_page_token });
      },
    });
    const { items, outcome } = await readingOf(client.experiments.list());
    return { asked, ids: items.map(({ experimentId }) => experimentId), outcome };
  };
  test.each([
    { tokens: ["a", "b"], asked: [null, "a", "b"], ids: ["e1", "e2", "e3"], outcome: "ends" },
    { tokens: ["a", "a"], asked: [null, "a"], ids: ["e1"], outcome: endless(2) },
    { tokens: ["a", "b", "b"], asked: [null, "a", "b"], ids: ["e1", "e2"], outcome: endless(3) },
    {
      tokens: ["a", "b", "c", "d"],
      asked: [null, "a", "b", "c"],
      ids: ["e1", "e2", "e3"],
      outcome: endless(4),
    },
  ])("by $tokens", async ({ tokens, ...rest }) => {
    expect(await listing(...tokens)).toEqual(rest);
  });
});

describe("a list of jobs of Vertex AI", () => {
  const listing = async (maxPages: number | undefined, ...tokens: readonly (string | undefined)[]) => {
    const asked: (string | null)[] = [];
    const client = createVertexClient({
      ...{ project: "p", location: "us-central1", token: "t", ...(maxPages !== undefined && { maxPages }) },
      fetch: async (url) => {
        const { searchParams } = new URL(url);
        asked.push(searchParams.get("pageToken"));
        const nextPageToken = tokens[asked.length - 1];
        return Response.json({ pipelineJobs: [{ name: `j${asked.length}` }], nextPageToken });
      },
    });
    const { items, outcome } = await readingOf(client.list());
    return { asked, names: items.map(({ name }) => name), outcome };
  };
  test("is read page by page", async () => {
    expect(await listing(3, "a", "b", undefined)).toEqual({
      asked: [null, "a", "b"],
      names: ["j1", "j2", "j3"],
      outcome: "ends",
    });
    expect((await listing(undefined, "a", "")).outcome).toBe("ends");
  });

  test("that does not end is an error", async () => {
    expect(await listing(undefined, "a", "a")).toEqual({
      asked: [null, "a"],
      names: ["j1"],
      outcome: endless(2),
    });
    expect(await listing(2, "a", "b", "c")).toEqual({
      asked: [null, "a"],
      names: ["j1"],
      outcome: endless(2),
    });
  });
});

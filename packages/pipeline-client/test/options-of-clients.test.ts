import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createVertexClient, makeVertexJob } from "../src/vertex/index.js";
import { helloPipeline } from "./recorded-world.js";

/** The options of something, by what they take. */
interface Options {
  readonly text?: readonly string[];
  readonly object?: readonly string[];
  readonly flag?: readonly string[];
  readonly limit?: readonly string[];
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly any?: readonly string[];
}

const host = "http://kfp.example";
const limit = ["timeoutMs", "deadlineMs", "maxBodyBytes", "maxPages"];
const shared = ["headers", "fetch", "retry", "onRetry", "clock", "host"];
const client = createPipelineClient({
  host,
  fetch: async () => Response.json({}),
});

/** What takes options, and which. */
const takers: readonly (readonly [what: string, take: (given: object) => unknown, options: Options])[] = [
  [
    "createPipelineClient",
    (given) => createPipelineClient({ host, ...given }),
    {
      ...{ text: ["namespace"], limit, words: { cookies: ["omit", "same-origin", "include"] } },
      any: [...shared, "auth", "uiHost"],
    },
  ],
  [
    "createVertexClient",
    (given) => createVertexClient({ project: "p", location: "eu", token: "t", ...given }),
    { text: ["project", "location"], limit, any: [...shared, "token"] },
  ],
  [
    "request",
    (given) => client.request({ path: "/x", ...given }),
    {
      ...{ text: ["method", "contentType"], limit: ["timeoutMs", "deadlineMs"] },
      any: ["path", "query", "body", "signal"],
    },
  ],
  ["a call", (given) => client.health(given), { limit: ["timeoutMs", "deadlineMs"], any: ["signal"] }],
  [
    "a job",
    (given) => makeVertexJob({ file: helloPipeline, pipelineRoot: "gs://b", ...given }),
    {
      text: [
        ...["jobId", "displayName", "pipelineRoot", "serviceAccount", "network", "kmsKeyName"],
        "templateUri",
      ],
      ...{ object: ["parameters", "inputArtifacts", "labels"], words: { failurePolicy: ["fast", "slow"] } },
      ...{
        flag: ["caching", "preflightValidations", "validate"],
        any: ["file", "reservedIpRanges"],
      },
    },
  ],
];

/** What is thrown, at once or later. */
async function thrownBy(take: () => unknown): Promise<unknown> {
  try {
    await take();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(takers)("%s", (what, take, { text = [], object = [], flag = [], limit = [], ...rest }) => {
  const { words = {}, any = [] } = rest;
  test.each([
    ...text.map((name) => [name, 5, "a text"] as const),
    ...object.map((name) => [name, "x", "an object"] as const),
    ...flag.map((name) => [name, "true", "true or false"] as const),
    ...limit.map((name) => [name, -1, "a number, zero or more"] as const),
    ...Object.entries(words).map(
      ([name, all]) => [name, "other", all.map((word) => JSON.stringify(word)).join(" or ")] as const,
    ),
  ])("takes for %s not %j, but %s", async (name, value, taken) => {
    const error = await thrownBy(() => take({ [name]: value }));
    expect(error).toBeInstanceOf(TypeError);
    expect(`${error}`).toContain(`the option "${name}" of ${what} is ${taken}, not `);
  });

  test("takes each of its words, and has no option but these", async () => {
    for (const [name, all] of Object.entries(words))
      for (const word of all) expect(await thrownBy(() => take({ [name]: word }))).toBeUndefined();
    for (const name of flag)
      for (const value of [true, false])
        expect(await thrownBy(() => take({ [name]: value }))).toBeUndefined();
    for (const name of limit) expect(await thrownBy(() => take({ [name]: 1000 }))).toBeUndefined();
    const names = [...text, ...object, ...flag, ...limit, ...Object.keys(words), ...any];
    const error = await thrownBy(() => take({ zzzzzzzzzzzz: 1 }));
    const said = `${error}`.split("it has ")[1]?.split(", ") ?? [];
    expect(said.toSorted()).toEqual(names.toSorted());
  });
});

test("a host may be an address as the platform has it", () => {
  const { links } = createPipelineClient({ host: new URL(host), uiHost: new URL("http://ui.example/x/") });
  expect(links.run("r")).toBe("http://ui.example/x/#/runs/details/r");
});

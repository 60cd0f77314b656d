import { describe, expect, test } from "vitest";
import { sentFor } from "./sent-for.js";

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

import { expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { SkippingClock } from "./skipping-clock.js";

const found = { experiments: [{ experiment_id: "e", display_name: "n" }] };
const answer = (body: object, status = 200) => Response.json(body, { status });

/** How an experiment is ensured where these are the answers, and what was asked. */
async function ensured(...answers: readonly Response[]) {
  const methods: unknown[] = [];
  const left = [...answers];
  const client = createPipelineClient({
    ...{ host: "http://kfp.example", clock: new SkippingClock(), retry: false },
    fetch: async (_, { method }) => {
      methods.push(method);
      return left.shift() ?? expect.unreachable("nothing more is asked");
    },
  });
  const outcome = await client.experiments.ensure("n").then(
    ({ experimentId }) => experimentId,
    (error: unknown) => Object(error).code,
  );
  return [outcome, ...methods];
}

test.each<readonly [what: string, answers: readonly Response[], outcome: string, methods: readonly string[]]>(
  [
    ["there is one", [answer(found)], "e", ["GET"]],
    ["there is none", [answer({}), answer({ experiment_id: "new" })], "new", ["GET", "POST"]],
    ["nobody may look", [answer({ code: 7 }, 403)], "forbidden", ["GET"]],
    ["it is refused", [answer({}), answer({ code: 3 }, 400)], "bad_request", ["GET", "POST"]],
    [
      "somebody else was quicker",
      [answer({}), answer({ code: 6 }, 409), answer(found)],
      "e",
      ["GET", "POST", "GET"],
    ],
  ],
)("an experiment is ensured where %s", async (_, answers, outcome, methods) => {
  expect(await ensured(...answers)).toEqual([outcome, ...methods]);
});

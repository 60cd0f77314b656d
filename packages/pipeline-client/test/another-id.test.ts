import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { answer, serverOf } from "./scripted-server.js";

const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";
const other = "ffffffff-6f0d-4c38-9a55-4f5f0b8f8d61";

const calls = {
  run_id: (c, one) => c.runs.get(one),
  pipeline_id: (c, one) => c.pipelines.get(one),
  experiment_id: (c, one) => c.experiments.get(one),
  recurring_run_id: (c, one) => c.recurringRuns.get(one),
  pipeline_version_id: (c, one) => c.versions.get({ id }, one),
} satisfies Record<
  string,
  (client: ReturnType<typeof createPipelineClient>, one: { readonly id: string }) => Promise<unknown>
>;

describe.each(Object.entries(calls))("an answer with another %s", (member, call) => {
  test("is an error that names both", async () => {
    const { url } = await serverOf((_, response) =>
      answer(response, { [member]: other, pipeline_id: other, state: "SUCCEEDED" }),
    );
    await expect(call(createPipelineClient({ host: url }), { id })).rejects.toMatchObject({
      code: "invalid_response",
      message: expect.stringMatching(new RegExp(`"${other}", and "${id}" was asked for`)),
    });
  });

  test("but for capitals is an answer, as databases take them", async () => {
    const { url } = await serverOf((_, response) => answer(response, { pipeline_id: id, [member]: id }));
    await expect(call(createPipelineClient({ host: url }), { id: id.toUpperCase() })).resolves.toMatchObject(
      {},
    );
  });
});

test("the end of another run is not the end of this one", async () => {
  const { url } = await serverOf((_, response, index) =>
    answer(response, { run_id: index === 1 ? other : id, state: index < 2 ? "RUNNING" : "SUCCEEDED" }),
  );
  const client = createPipelineClient({ host: url });
  expect((await client.runs.wait({ id }, { minPollMs: 1 })).runId).toBe(id);
});

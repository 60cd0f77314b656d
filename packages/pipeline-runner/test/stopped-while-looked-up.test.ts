import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Executor, runPipeline } from "../src/node/index.js";
import { type Part, pipelineOf, shell } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

test("a task that is skipped while its result is looked for in the cache does not end the run", async () => {
  const pipelineRoot = makeFolder();
  const part = (task: object = {}): Part => ({ task, component: {}, executor: shell("true") });
  const pipeline = pipelineOf("stopped", {
    bad: part({ cachingOptions: {} }),
    other: part({ cachingOptions: {} }),
    first: part(),
    later: part({ dependentTasks: ["first"] }),
  });
  const [bothHaveBegun, begin] = promise();
  const [isLookedFor, look] = promise();
  let begun = 0;
  const executor: Executor = {
    execute: async ({ task: { id } }) => {
      if (++begun === 3) begin();
      if (id === "first") await bothHaveBegun;
      else await isLookedFor;
      // The run goes on until the cache has answered, which looks at one file.
      if (id === "other") for (let look = 0; look < 20; look++) await stat(pipelineRoot);
      return { ok: id !== "bad", message: "no" };
    },
    // What is asked just before the cache is.
    cacheKey: ({ id }) => {
      if (id === "later") look();
      return id;
    },
  };
  const options = { pipelineRoot, cache: true, concurrency: 3, executor, afterFailure: "stop" } as const;
  const { state, tasks } = await runPipeline(pipeline, options);
  const states = tasks.map((task) => task.state);
  expect([state, ...states]).toEqual(["FAILED", "FAILED", "SUCCEEDED", "SUCCEEDED", "SKIPPED"]);
});

/** A promise with what resolves it. */
function promise(): readonly [Promise<void>, () => void] {
  let resolve = () => {};
  const made = new Promise<void>((done) => {
    resolve = done;
  });
  return [made, resolve];
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Pipeline, RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { artifactResolver, type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

/** A task that looks for an artifact, and one that reads it. */
function resolving(filter: string): Pipeline {
  const pipeline = shellPipeline({
    find: { run: "true", makes: true },
    read: { run: `cat "$4" > "$1"`, gives: true, reads: "find" },
  });
  const executor = pipeline.deployment.executors["exec-find"] ?? expect.unreachable("it is there");
  executor.spec = { $case: "resolver", value: { outputArtifactQueries: { data: { filter, limit: 0 } } } };
  return pipeline;
}

describe("resolvers", () => {
  const run = (filter: string, options: RunPipelineOptions = {}) =>
    runPipeline(resolving(filter), { pipelineRoot: makeFolder(), validate: false, ...options });
  const uri = join(makeFolder(), "found");
  const entry = { artifact: RuntimeArtifact.create({ name: "model", uri }), contexts: ["shell"] };

  test("give the artifacts of an index to the tasks behind them", async () => {
    writeFileSync(uri, "an earlier run");
    const resolve = artifactResolver(async () => [entry]);
    const result = await run(`name="model"`, { resolve });
    expect(result.error).toBeUndefined();
    expect(result.tasks[1]?.outputs?.parameters).toEqual({ out: "an earlier run" });
  });

  test("look into the index anew each time, and not before they are asked", async () => {
    const held: (typeof entry)[] = [];
    let looks = 0;
    const resolve = artifactResolver(() => {
      looks++;
      return [...held];
    });
    expect(looks).toBe(0);
    expect((await run(`name="model"`, { resolve })).state).toBe("FAILED");
    writeFileSync(uri, "a later run");
    held.push(entry);
    const result = await run(`name="model"`, { resolve });
    expect([looks, result.tasks[1]?.outputs?.parameters]).toEqual([2, { out: "a later run" }]);
  });

  test.each<[string, RunPipelineOptions, string]>([
    [
      `name="other"`,
      { resolve: artifactResolver(() => [entry]) },
      "/outputArtifactQueries/data/filter: no artifact",
    ],
    [`in_context("other")`, { resolve: artifactResolver(() => [entry]) }, "no artifact is described by"],
    [`name=`, { resolve: artifactResolver(() => [entry]) }, "column 5"],
    [`name="model"`, {}, "nothing looks for artifacts: give `resolve`"],
    [
      `name="model"`,
      { resolve: artifactResolver(() => Promise.reject(new Error("index is down"))) },
      "index is down",
    ],
    [
      `name="model"`,
      { resolve: artifactResolver(() => 5 as never) },
      "artifactResolver takes a list as its index(), not the number 5",
    ],
  ])("that find nothing by %s say why", async (filter, options, message) => {
    const result = await run(filter, options);
    expect([result.state, result.error?.task]).toEqual(["FAILED", "find"]);
    expect(result.error?.message).toContain(message);
  });

  test("may find nothing but parameters, which whoever reads artifacts hears of", async () => {
    const result = await run(`name="model"`, { resolve: () => ({ parameters: {} }) as never });
    expect(result.tasks.map(({ id, state }) => [id, state])).toEqual([
      ["find", "SUCCEEDED"],
      ["read", "FAILED"],
    ]);
  });
});

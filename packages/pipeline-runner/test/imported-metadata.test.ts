import { expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { pipelineOf, type } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

test("an integer in the metadata of what is imported is told of where numbers do not keep it", async () => {
  const importing = (count: string) => {
    const importer = { artifactUri: { constant: "gs://b/a" }, typeSchema: type, metadata: { count } };
    const outputDefinitions = { artifacts: { a: { artifactType: type } } };
    const pipeline = pipelineOf("imported", {
      bring: { component: { outputDefinitions }, executor: { importer } },
    });
    const { spec } = pipeline.deployment.executors.bring ?? {};
    if (spec?.$case === "importer") spec.value.metadata = { count: Number(count) };
    return runPipeline(pipeline, { pipelineRoot: makeFolder(), validate: false });
  };
  const [small, large] = [await importing("9007199254740991"), await importing("9007199254740994")];
  expect([small.state, small.warnings]).toEqual(["SUCCEEDED", []]);
  expect([large.state, large.warnings]).toEqual([
    "SUCCEEDED",
    [expect.stringMatching(/^bring: the metadata of its artifact a: /)],
  ]);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { artifact, out, path, pipelineOf, shell, string, takes, type } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

/** Reads a file that is imported as it is or brought to the workspace, with what the key of the cache is called. */
function reading(file: string, downloadToWorkspace: boolean, cacheKey: string) {
  const importer = { artifactUri: { constant: file }, typeSchema: type, downloadToWorkspace };
  const bring = {
    component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
    executor: { importer },
  };
  const read = {
    task: takes("bring"),
    component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
    executor: shell(`cat "$0" > "$1"`, path, out),
  };
  return pipelineOf("brought", { bring, read }, cacheKey);
}

// JSON has some of these names otherwise.
describe.each(["plain", "a b", 'say "so"', "back\\slash", "Größe ☃", "line\nbreak"])(
  "in a folder %j",
  (name) => {
    test.each([
      {
        of: "what lies in the workspace of a run, which is another one in the next",
        inWorkspace: true,
        cacheKey: "",
      },
      { of: "such a thing, also when its key says nothing of it", inWorkspace: true, cacheKey: "own" },
      { of: "what lies elsewhere", inWorkspace: false, cacheKey: "" },
      { of: "what lies elsewhere, when its key says nothing of it", inWorkspace: false, cacheKey: "own" },
    ])("a result of $of is kept for its own run alone: $inWorkspace", async ({ inWorkspace, cacheKey }) => {
      const [pipelineRoot, file] = [join(makeFolder(), name), join(makeFolder(), "rows.csv")];
      mkdirSync(pipelineRoot);
      writeFileSync(file, "1");
      const pipeline = reading(file, inWorkspace, cacheKey);
      const found: unknown[] = [];
      for (let time = 0; time < 2; time++) {
        const { tasks } = await runPipeline(pipeline, { pipelineRoot, cache: true, validate: false });
        const { outputs, cached = false } = tasks.find(({ id }) => id === "read") ?? {};
        found.push([outputs?.parameters.o, cached]);
      }
      expect(found).toEqual([
        ["1", false],
        ["1", !inWorkspace],
      ]);
    });
  },
);

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { shell, type } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const a = { artifacts: { a: { artifactType: type } } };
/** Of which the run gives only the first. */
const both = { artifacts: { ...a.artifacts, b: { artifactType: type } } };
const making = (name: string) => ({
  taskInfo: { name },
  componentRef: { name: `comp-${name}` },
  cachingOptions: { enableCache: true },
});
const made = (executorLabel: string) => ({ executorLabel, outputDefinitions: a });
const printing = (word: string) => shell(`printf ${word} > "$0"`, "{{$.outputs.artifacts['a'].path}}");
const parsed = parsePipeline(
  JSON.stringify({
    pipelineInfo: { name: "over" },
    schemaVersion: "2.1.0",
    sdkVersion: "kfp-2.0.0",
    root: {
      outputDefinitions: a,
      dag: {
        tasks: { given: making("given"), spare: making("spare") },
        outputs: {
          artifacts: { a: { artifactSelectors: [{ producerSubtask: "given", outputArtifactKey: "a" }] } },
        },
      },
    },
    components: {
      "comp-given": { ...made("one"), outputDefinitions: both },
      "comp-spare": made("two"),
    },
    deploymentSpec: { executors: { one: printing("one"), two: printing("two") } },
  }),
);
const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
const over = "the run had succeeded before: nothing was done";

/** What a user is told of a run that had succeeded and is resumed. */
async function toldOf(resumeFrom: string): Promise<readonly string[]> {
  const { state, warnings } = await runPipeline(pipeline, { resumeFrom });
  expect(state).toBe("SUCCEEDED");
  return warnings;
}

test("a run that had succeeded tells what is gone of that which it gave", async () => {
  const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
  rmSync(join(folder, "spare", "a"));
  expect(await toldOf(folder)).toEqual([over]);
  rmSync(join(folder, "given", "a"));
  const gone = `what given had made is gone (${join(folder, "given", "a")}): start the run anew`;
  expect(await toldOf(folder)).toEqual([gone, over]);
});

test("also what it had taken from the cache", async () => {
  const options = { pipelineRoot: makeFolder(), cache: true };
  const first = await runPipeline(pipeline, options);
  const { folder, tasks } = await runPipeline(pipeline, options);
  expect(tasks.map(({ cached }) => cached)).toEqual([true, true]);
  rmSync(join(first.folder, "spare"), { recursive: true });
  expect(await toldOf(folder)).toEqual([over]);
  rmSync(first.folder, { recursive: true });
  expect(await toldOf(folder)).toEqual([
    "what given had taken from the cache is gone or has changed: start the run anew",
    over,
  ]);
});

test("a run that had failed is told to be started anew, and stays as it was", async () => {
  const failing = shellPipeline({ a: { run: "exit 3" } });
  const first = await runPipeline(failing, { pipelineRoot: makeFolder() });
  const { state, tasks, warnings } = await runPipeline(failing, { resumeFrom: first.folder });
  expect([state, tasks]).toEqual(["FAILED", first.tasks]);
  expect(warnings).toEqual([
    "the run had failed before: nothing was done again; start it anew, with the cache for what had succeeded",
  ]);
});

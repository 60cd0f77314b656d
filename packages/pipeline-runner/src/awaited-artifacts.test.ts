import { parsePipeline, RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { startRun } from "./index.js";

const artifactType = { schemaTitle: "system.Dataset", schemaVersion: "0.0.1" };
const artifacts = { a: { artifactType } };
const from = (producerTask: string) => ({
  inputs: { artifacts: { a: { taskOutputArtifact: { producerTask, outputArtifactKey: "a" } } } },
  dependentTasks: [producerTask],
});
const of = (name: string, more: object = {}) => ({ componentRef: { name }, ...more });

/** A run of a task, and of a DAG that is given what it has made, in which the tasks are these. */
function runOf(tasks: object, outputs: object = {}, ofRun: object = {}) {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "p" },
      root: {
        outputDefinitions: { artifacts },
        dag: { tasks: { first: of("make"), body: of("body", from("first")) }, outputs: ofRun },
      },
      components: {
        make: { executorLabel: "e", outputDefinitions: { artifacts } },
        take: { executorLabel: "e", inputDefinitions: { artifacts } },
        body: { inputDefinitions: { artifacts }, outputDefinitions: { artifacts }, dag: { tasks, outputs } },
      },
      deploymentSpec: { executors: { e: { container: { image: "alpine" } } } },
    }),
  );
  if (!parsed.ok) return expect.unreachable(JSON.stringify(parsed.problems));
  const run = startRun(parsed.pipeline);
  const end = (id: string) => {
    const made = { a: { artifacts: [RuntimeArtifact.create({ name: "a", uri: id })] } };
    const hasMade = run.task(id)?.path.endsWith("/take") ? {} : { outputs: { artifacts: made } };
    run.report(id, { state: "SUCCEEDED", ...hasMade });
    return run.awaited.map(({ uri }) => uri);
  };
  return { run, end };
}

test("what a DAG is given is awaited for as long as a task in it may take it", () => {
  const given = { inputs: { artifacts: { a: { componentInputArtifact: "a" } } }, dependentTasks: ["slow"] };
  const { run, end } = runOf({ slow: of("make"), take: of("take", given) });
  expect(run.awaited).toEqual([]);
  expect(end("first")).toEqual(["first"]);
  expect(end("body/slow")).toEqual(["first"]);
  expect(end("body/take")).toEqual([]);
});

test("what a task in a DAG has made is awaited by its siblings, and as the output of the DAG", () => {
  const artifactSelectors = [{ producerSubtask: "make", outputArtifactKey: "a" }];
  const waits = { ...from("make"), dependentTasks: ["make", "slow"] };
  const tasks = { make: of("make"), slow: of("make"), take: of("take", waits) };
  const kept = runOf(tasks, { artifacts: { a: { artifactSelectors } } });
  kept.end("first");
  expect(kept.end("body/make")).toEqual(["body/make", "body/make"]);
  const lost = runOf(tasks);
  lost.end("first");
  expect(lost.end("body/make")).toEqual(["body/make"]);
});

test("what is an output of the run is awaited until the run ends", () => {
  const artifactSelectors = [{ producerSubtask: "first", outputArtifactKey: "a" }];
  const { run, end } = runOf({ slow: of("make") }, {}, { artifacts: { a: { artifactSelectors } } });
  expect(end("first")).toEqual(["first"]);
  expect([end("body/slow"), run.state]).toEqual([[], "SUCCEEDED"]);
});

test("what iterations will be given that have not begun is awaited with what those have that have", () => {
  const each = of("take", {
    inputs: { artifacts: { a: { componentInputArtifact: "a" } } },
    artifactIterator: { items: { inputArtifact: "a" }, itemInput: "a" },
    iteratorPolicy: { parallelismLimit: 1 },
  });
  const { run } = runOf({ each });
  const made = ["x", "y", "z"].map((uri) => RuntimeArtifact.create({ name: uri, uri }));
  run.report("first", { state: "SUCCEEDED", outputs: { artifacts: { a: { artifacts: made } } } });
  const awaited = () => [...new Set(run.awaited.map(({ uri }) => uri))].sort();
  expect(awaited()).toEqual(["x", "y", "z"]);
  run.report("body/each[0]", { state: "SUCCEEDED" });
  expect(awaited()).toEqual(["x", "y", "z"]);
  run.report("body/each[1]", { state: "SUCCEEDED" });
  expect(awaited()).toEqual(["z"]);
  run.report("body/each[2]", { state: "SUCCEEDED" });
  expect([awaited(), run.state]).toEqual([[], "SUCCEEDED"]);
});

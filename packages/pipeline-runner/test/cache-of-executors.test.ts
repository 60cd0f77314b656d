import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  dockerExecutor,
  type Executor,
  functionExecutor,
  runPipeline,
  subprocessExecutor,
} from "../src/node/index.js";
import { out, pipelineOf, says, string } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

test("a result is of what the image was here, and of who carried the task out", async () => {
  const pipeline = pipelineOf("images", {
    a: {
      component: { outputDefinitions: { parameters: { o: string } } },
      executor: { container: { image: "img", command: ["sh", "-c", 'printf "$X" > "$0"', out] } },
    },
  });
  const pipelineRoot = makeFolder();
  const [one, other] = [makeFolder(), makeFolder()];
  const local = (image: object) => subprocessExecutor({ images: { img: image } });
  const docker = join(makeFolder(), "docker");
  writeFileSync(docker, "#!/bin/sh\nexit 125\n", { mode: 0o755 });
  const stub = { a: () => ({ o: "stub" }) };
  const rounds: readonly (readonly [Executor, string | undefined, boolean])[] = [
    [local({ environment: { X: "1" }, path: [one] }), "1", false],
    [local({ environment: { X: "1" }, path: [one] }), "1", true],
    [local({ environment: { X: "2" }, path: [one] }), "2", false],
    [local({ environment: { X: "2" }, path: [other] }), "2", false],
    [local({ environment: { X: "2" }, path: [other], entrypoint: ["sh"] }), "2", false],
    [functionExecutor(stub), "stub", false],
    [functionExecutor(stub), "stub", true],
    [
      functionExecutor({ b: () => ({}) }, { otherwise: local({ environment: { X: "1" }, path: [one] }) }),
      "1",
      true,
    ],
    [local({ environment: { X: "3", Y: "" }, path: [one] }), "3", false],
    [local({ path: [one], environment: { Y: "", X: "3" } }), "3", true],
    [dockerExecutor({ program: docker }), undefined, false],
    [local({ environment: { X: "2" }, path: [one] }), "2", true],
  ];
  for (const [index, [executor, value, cached]] of rounds.entries()) {
    const { tasks } = await runPipeline(pipeline, { pipelineRoot, cache: true, executor });
    const [task] = tasks;
    expect([index, task?.outputs?.parameters.o, task?.cached ?? false]).toEqual([index, value, cached]);
  }
});

const own = subprocessExecutor();

test("what an executor writes to a task that it is asked about changes nothing", async () => {
  const cacheKey = (task: object) => {
    Object.assign(task, { id: "another" });
    return "key";
  };
  const pipeline = pipelineOf("written", { say: says(`printf hello > "$0"`) });
  const executor = { ...own, cacheKey };
  const { state, tasks } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), cache: true, executor });
  expect([state, tasks.map(({ id }) => id)]).toEqual(["SUCCEEDED", ["say"]]);
});

test.each<[string, (task: unknown) => unknown, string]>([
  [
    "throws",
    () => {
      throw new Error("nobody knows");
    },
    "nobody knows",
  ],
  ["gives what is no JSON", () => 1n, "BigInt"],
  ["gives a promise", async () => "later", "ask before the run"],
])("a task whose executor %s runs without the cache", async (_, cacheKey, reason) => {
  const pipelineRoot = makeFolder();
  const pipeline = pipelineOf("own", { say: says(`printf hello > "$0"`) });
  for (let time = 0; time < 2; time++) {
    const run = await runPipeline(pipeline, { pipelineRoot, cache: true, executor: { ...own, cacheKey } });
    expect(run.tasks.map(({ state, cached = false }) => [state, cached])).toEqual([["SUCCEEDED", false]]);
    expect(run.warnings.filter((one) => one.startsWith("the cache is not used for say"))).toEqual([
      expect.stringContaining(reason),
    ]);
  }
});

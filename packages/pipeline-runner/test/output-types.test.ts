import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type Executor, functionExecutor, runPipeline, subprocessExecutor } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

/** A pipeline whose task `a` has an output of a type, and may try once more; `b` takes it. */
function pipelineOf(parameterType: string, line: string) {
  const source = { taskOutputParameter: { producerTask: "a", outputParameterKey: "x" } };
  const parameters = { x: { parameterType } };
  const file = "{{$.outputs.parameters['x'].output_file}}";
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "types" },
      schemaVersion: "2.1.0",
      sdkVersion: "kfp-2.0.0",
      root: {
        dag: {
          tasks: {
            a: {
              taskInfo: { name: "a" },
              componentRef: { name: "comp-a" },
              retryPolicy: { maxRetryCount: 1, backoffDuration: "0.001s" },
            },
            b: {
              taskInfo: { name: "b" },
              componentRef: { name: "comp-b" },
              dependentTasks: ["a"],
              inputs: { parameters: { x: source } },
            },
          },
        },
      },
      components: {
        "comp-a": { executorLabel: "a", outputDefinitions: { parameters } },
        "comp-b": { executorLabel: "b", inputDefinitions: { parameters } },
      },
      deploymentSpec: {
        executors: {
          a: { container: { image: "alpine", command: ["sh", "-c", line, file] } },
          b: { container: { image: "alpine", command: ["true"] } },
        },
      },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

interface Way {
  readonly line: (value: unknown) => string;
  readonly executor: (value: unknown) => Executor;
}

const ways: Readonly<Record<string, Way>> = {
  "in the executor output": {
    line: (x) => `printf '%s' '${JSON.stringify({ parameterValues: { x } })}' > executor_output.json`,
    executor: () => subprocessExecutor(),
  },
  "from a function": {
    line: () => "true",
    executor: (x) => functionExecutor({ a: () => ({ x }), b: () => undefined }),
  },
  "from an executor": {
    line: () => "true",
    executor: (x) => ({
      execute: async ({ task: { id } }) => ({ ok: true, outputs: { parameters: id === "a" ? { x } : {} } }),
    }),
  },
};

const rows = [
  { type: "NUMBER_INTEGER", wrong: "one", right: 1 },
  { type: "NUMBER_INTEGER", wrong: [1], right: -3 },
  { type: "NUMBER_DOUBLE", wrong: null, right: 0.5 },
  { type: "BOOLEAN", wrong: 1, right: false },
  { type: "LIST", wrong: { a: 1 }, right: [{ a: 1 }] },
  { type: "STRUCT", wrong: [1], right: { a: [1] } },
];

describe.each(Object.entries(ways))("an output parameter %s", (_, { line, executor }) => {
  const outcome = (type: string, value: unknown) =>
    runPipeline(pipelineOf(type, line(value)), { pipelineRoot: makeFolder(), executor: executor(value) });

  test.each(rows)("fails its task, which tries again, when $wrong is no $type", async ({ type, wrong }) => {
    const { state, tasks, error } = await outcome(type, wrong);
    const message = expect.stringMatching(`^its output parameter x: .* for type ${type}`);
    expect([state, error?.message]).toEqual(["FAILED", message]);
    expect(tasks.map(({ state, attempts }) => [state, attempts])).toEqual([
      ["FAILED", 2],
      ["SKIPPED", 0],
    ]);
  });

  test.each(rows)("is $right for $type", async ({ type, right }) => {
    const { state, tasks } = await outcome(type, right);
    expect([state, tasks[1]?.inputs?.parameters]).toEqual(["SUCCEEDED", { x: right }]);
  });
});

test.each(["NUMBER_INTEGER", "STRING", "STRUCT"])(
  "a bigint for %s is refused for what it is",
  async (type) => {
    const { error } = await runPipeline(pipelineOf(type, "true"), {
      pipelineRoot: makeFolder(),
      executor: functionExecutor({ a: () => ({ x: 2n ** 60n }), b: () => undefined }),
    });
    expect(error?.message).toContain("bigint");
  },
);

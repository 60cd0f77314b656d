import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { runPipeline, subprocessExecutor } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

/** A task with one output of a type, which its command writes to `$0`, or into its executor output `$1`; `inputs` are those of the run. */
function pipelineOf(parameterType: string, line: string, inputs: object = {}) {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "numbers" },
      schemaVersion: "2.1.0",
      root: {
        inputDefinitions: { parameters: inputs },
        dag: { tasks: { count: { componentRef: { name: "comp-count" } } } },
      },
      components: {
        "comp-count": {
          executorLabel: "exec",
          outputDefinitions: {
            parameters: { n: { parameterType } },
            artifacts: { model: { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } } },
          },
        },
      },
      deploymentSpec: {
        executors: {
          exec: {
            container: {
              image: "alpine",
              command: ["sh", "-c", line],
              args: ["{{$.outputs.parameters['n'].output_file}}", "{{$.outputs.output_file}}"],
            },
          },
        },
      },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

const run = async (type: string, line: string) => {
  const { error, tasks } = await runPipeline(pipelineOf(type, line), { pipelineRoot: makeFolder() });
  return error?.message ?? tasks[0]?.outputs?.parameters.n;
};
const file = (text: string) => `printf '%s' '${text}' > "$0"`;
const executorOutput = (value: string) => `printf '%s' '{"parameterValues": {"n": ${value}}}' > "$1"`;

test.each([
  ["NUMBER_INTEGER", file("9007199254740993"), "9007199254740993, which would become 9007199254740992"],
  ["LIST", file('[["id", -9007199254740993]]'), "-9007199254740993, which would become -9007199254740992"],
  ["STRUCT", file('{"id": 18446744073709551615}'), "18446744073709551615, which would become"],
  ["NUMBER_INTEGER", executorOutput("9007199254740993"), "9007199254740993, which would become"],
  [
    "NUMBER_INTEGER",
    file("1152921504606846976"),
    "1152921504606846976, which would become 1152921504606847000",
  ],
  ["LIST", file("[4611686018427387904]"), "4611686018427387904, which would become 4611686018427388000"],
  ["LIST", executorOutput("[null, 9007199254740993]"), "9007199254740993, which would become"],
])("an output of type %s by %s fails the task", async (type, line, message) => {
  expect(await run(type, line)).toMatch(new RegExp(`its output parameter n holds the integer ${message}`));
});

test("an integer in the metadata of an artifact is told of, as the task itself has gone well", async () => {
  const made = `{"artifacts": {"model": {"artifacts": [{"metadata": {"ids": [1, 1152921504606846976]}}]}}}`;
  const pipeline = pipelineOf("NUMBER_DOUBLE", `printf 1 > "$0"; printf '%s' '${made}' > "$1"`);
  const executor = subprocessExecutor({ images: { alpine: {} } });
  const result = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  expect([result.error, result.warnings]).toEqual([
    undefined,
    [
      "count: the metadata of its output artifact model holds the integer 1152921504606846976, which becomes 1152921504606847000",
    ],
  ]);
});

test("an integer in the file of the pipeline is told of", async () => {
  const n = { parameterType: "NUMBER_INTEGER", defaultValue: 2 ** 60 };
  const pipeline = pipelineOf("NUMBER_INTEGER", file("1"), { n });
  const { warnings } = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
  expect(warnings.join()).toContain(
    "/root/inputDefinitions/parameters/n/defaultValue: 1152921504606847000 is not an integer between",
  );
});

test.each([
  ["NUMBER_INTEGER", file("9007199254740991"), 9007199254740991],
  ["STRING", file("9007199254740993"), "9007199254740993"],
  ["NUMBER_DOUBLE", file("9007199254740993"), 9007199254740992],
  ["LIST", file('["9007199254740993", 1e300]'), ["9007199254740993", 1e300]],
  ["STRING", executorOutput('"9007199254740993"'), "9007199254740993"],
])("an output of type %s by %s is taken", async (type, line, value) => {
  expect(await run(type, line)).toEqual(value);
});

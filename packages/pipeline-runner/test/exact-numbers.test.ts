import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { runPipeline, subprocessExecutor } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

/** A task with one output of a type, which its command writes to `$0`, or into its executor output `$1`. */
function pipelineOf(parameterType: string, line: string) {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "numbers" },
      schemaVersion: "2.1.0",
      root: {
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

const big = "9007199254740993";
const beyond = "9007199254740992 is beyond ±(2^53 − 1), where integers are not exact: use a STRING";

/** What a run says of a pipeline with one task, whose input `x` has this type; `text` is what else the task has. */
async function warningsOf(type: string, text: string, { job = "", metadata = "{}", defaultValue = "" } = {}) {
  const declared = `{"x": {"parameterType": "${type}", "isOptional": true${defaultValue && `, "defaultValue": ${defaultValue}`}}}`;
  const spec = `{"pipelineInfo": {"name": "numbers"}, "schemaVersion": "2.1.0",
    "root": {"inputDefinitions": {"parameters": ${declared}}, "dag": {"tasks": {"use": {"componentRef": {"name": "comp-use"}, ${text}}}}},
    "components": {"comp-use": {"executorLabel": "use", "inputDefinitions": {"parameters": ${declared}},
      "outputDefinitions": {"artifacts": {"made": {"artifactType": {"schemaTitle": "system.Artifact", "schemaVersion": "0.0.1"}, "metadata": ${metadata}}}}}},
    "deploymentSpec": {"executors": {"use": {"container": {"image": "alpine", "command": ["true"]}}}}}`;
  const parsed = parsePipeline(job === "" ? spec : `{"pipelineSpec": ${spec}, "runtimeConfig": ${job}}`);
  const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
  const executor = subprocessExecutor({ images: { alpine: {} } });
  const { warnings, error } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  expect(error).toBeUndefined();
  return warnings;
}
const given = (source: string) => `"inputs": {"parameters": {"x": ${source}}}`;
const constant = (value: string) => given(`{"runtimeValue": {"constant": ${value}}}`);
const ofRun = given(`{"componentInputParameter": "x"}`);

describe("an integer that is another one by the time that a task has it is told of", () => {
  const place = "/root/dag/tasks/use/inputs/parameters/x: input x:";
  test.each([
    ["a constant", "NUMBER_INTEGER", constant(big), {}, `${place} ${beyond}`],
    ["a constant of a list", "LIST", constant(`["a", [${big}]]`), {}, `${place} ${beyond}`],
    ["a constant of a struct", "STRUCT", constant(`{"a": {"b": ${big}}}`), {}, `${place} ${beyond}`],
    ["a number for a text", "STRING", constant(big), {}, `${place} ${beyond}`],
    ["a default", "LIST", `"inputs": {}`, { defaultValue: `[${big}]` }, `${place} ${beyond}`],
    [
      "a text that is parsed",
      "NUMBER_INTEGER",
      given(
        `{"runtimeValue": {"constant": "{\\"a\\": ${big}}"}, "parameterExpressionSelector": "parseJson(string_value)['a']"}`,
      ),
      {},
      `${place} ${beyond}`,
    ],
    [
      "a text of what is parsed",
      "STRING",
      given(
        `{"runtimeValue": {"constant": "{\\"a\\": ${big}}"}, "parameterExpressionSelector": "string(parseJson(string_value)['a'])"}`,
      ),
      {},
      `${place} it is ${big} in the text that is parsed, which becomes 9.007199254740992e+15`,
    ],
    [
      "what a placeholder takes",
      "STRING",
      `"inputs": {"parameters": {
        "pipelinechannel--n": {"runtimeValue": {"constant": ${big}}},
        "x": {"runtimeValue": {"constant": "n is {{$.inputs.parameters['pipelinechannel--n']}}"}}}}`,
      {},
      `/root/dag/tasks/use/inputs/parameters/pipelinechannel--n: input pipelinechannel--n: ${beyond}`,
    ],
    [
      "an item of a loop",
      "STRING",
      `"parameterIterator": {"itemInput": "x", "items": {"raw": "[1, ${big}, ${big}]"}}`,
      {},
      `/root/dag/tasks/use/parameterIterator/items: item 1 of the loop: ${beyond}`,
    ],
    [
      "metadata",
      "STRING",
      `"inputs": {}`,
      { metadata: `{"k": ${big}}` },
      `use: the metadata of its artifact made: ${beyond}`,
    ],
    [
      "a list of a job",
      "LIST",
      `"inputs": {}`,
      { job: `{"parameterValues": {"x": [${big}]}}` },
      `/parameterValues/x: parameter x: ${beyond}`,
    ],
  ])("%s", async (_, type, text, more, warning) => {
    expect(await warningsOf(type, text, more)).toEqual([warning]);
  });

  test("and so is one that is none", async () => {
    const job = `{"parameterValues": {"x": 5.5}}`;
    expect(await warningsOf("NUMBER_INTEGER", ofRun, { job })).toEqual([
      "/parameterValues/x: parameter x: expected an integer, got 5.5",
      `${place} expected an integer, got 5.5`,
    ]);
    const pipeline = pipelineOf("NUMBER_INTEGER", executorOutput("5.5"));
    const executor = subprocessExecutor({ images: { alpine: {} } });
    const { warnings } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
    expect(warnings).toEqual(["count: its output parameter n: expected an integer, got 5.5"]);
  });

  test.each([
    ["NUMBER_DOUBLE", big],
    ["LIST", "[9007199254740991, 1e300, 0.5]"],
    ["STRING", `"${big}"`],
    ["STRUCT", `{"a": "${big}"}`],
  ])("but not a %s of %s", async (type, value) => {
    expect(await warningsOf(type, constant(value))).toEqual([]);
  });

  test.each(["string_value", "parseJson(string_value)['b']"])("nor the text %s", async (selector) => {
    const text = JSON.stringify(selector === "string_value" ? big : `{"a": ${big}, "b": "${big}"}`);
    const source = `{"runtimeValue": {"constant": ${text}}, "parameterExpressionSelector": "${selector}"}`;
    expect(await warningsOf("STRING", given(source))).toEqual([]);
  });
});

test.each([
  ["NUMBER_INTEGER", "9007199254740991"],
  ["NUMBER_INTEGER", "-9007199254740991"],
  ["NUMBER_DOUBLE", big],
  ["NUMBER_DOUBLE", "1e300"],
  ["STRING", `"${big}"`],
])("a job that gives a %s of %s is run", async (type, value) => {
  expect(await warningsOf(type, ofRun, { job: `{"parameterValues": {"x": ${value}}}` })).toEqual([]);
});

test("a default that is such an integer is told of, and run with", async () => {
  const warnings = await warningsOf("NUMBER_INTEGER", ofRun, { defaultValue: big });
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.filter((warning) => !warning.endsWith(beyond))).toEqual([]);
});

test.each(["9007199254740992", big, "-1152921504606846976"])(
  "a job that gives the integer %s is refused",
  async (value) => {
    const job = `{"parameterValues": {"x": ${value}}}`;
    await expect(warningsOf("NUMBER_INTEGER", ofRun, { job })).rejects.toMatchObject({
      code: "parameters",
      problems: [
        { path: "/parameterValues/x", message: expect.stringContaining(`the integer ${Number(value)} may`) },
      ],
    });
  },
);

test.each([
  ["NUMBER_INTEGER", file("9007199254740991"), 9007199254740991],
  ["STRING", file("9007199254740993"), "9007199254740993"],
  ["NUMBER_DOUBLE", file("9007199254740993"), 9007199254740992],
  ["LIST", file('["9007199254740993", 1e300]'), ["9007199254740993", 1e300]],
  ["STRING", executorOutput('"9007199254740993"'), "9007199254740993"],
])("an output of type %s by %s is taken", async (type, line, value) => {
  expect(await run(type, line)).toEqual(value);
});

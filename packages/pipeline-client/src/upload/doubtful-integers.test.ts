import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { helloPipeline } from "../../test/recorded-world.js";
import { doubtfulIntegers } from "./doubtful-integers.js";

/** A pipeline whose root has parameters of these types. */
function declaring(types: Readonly<Record<string, object>>): Pipeline {
  const parsed = parsePipeline(`
pipelineInfo: {name: hello}
schemaVersion: 2.1.0
root:
  inputDefinitions: ${JSON.stringify({ parameters: types })}
  dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-greet}}}}
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec: {executors: {exec-greet: {container: {image: busybox, command: [date]}}}}
`);
  return parsed.ok ? parsed.pipeline : expect.unreachable("it is a pipeline");
}

const pipeline = declaring({
  ...{ "a/~b": { parameterType: "NUMBER_INTEGER" }, old: { type: "INT" } },
  ...{ double: { parameterType: "NUMBER_DOUBLE" }, text: { parameterType: "STRING" } },
});

describe("an integer may have been another one", () => {
  test("where it is declared as one and no number holds its neighbours", () => {
    const problem = (name: string, value: string) => ({
      ...{ code: "type", severity: "error", path: `/parameterValues/${name}` },
      message: `the integer ${value} may have been another one: larger ones than 2^53 - 1 are texts (STRING)`,
    });
    expect(doubtfulIntegers({ "a/~b": 2 ** 53, old: -(2 ** 60) }, pipeline)).toEqual([
      problem("a~1~0b", "9007199254740992"),
      problem("old", "-1152921504606847000"),
    ]);
  });

  test.each<Readonly<Record<string, unknown>>>([
    { "a/~b": 2 ** 53 - 1, old: 1 - 2 ** 53 },
    { "a/~b": 1.5, old: "9007199254740992" },
    { double: 2 ** 60, text: 2 ** 60, other: 2 ** 60, toString: 2 ** 60 },
    {},
  ])("and nowhere else: %j", (parameters) => expect(doubtfulIntegers(parameters, pipeline)).toEqual([]));

  test("nor in a pipeline without parameters", () => {
    const parsed = parsePipeline(helloPipeline);
    expect(parsed.ok && doubtfulIntegers({ a: 2 ** 60 }, parsed.pipeline)).toEqual([]);
  });
});

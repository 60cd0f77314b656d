import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { parametersOf } from "./parameters-of.js";

function pipelineWith(names: readonly string[]) {
  const parameters = Object.fromEntries(names.map((name) => [name, { parameterType: "STRING" }]));
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "names" },
      root: { inputDefinitions: { parameters }, dag: {} },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

test.each([
  [["a"], "a=b=c", { a: "b=c" }],
  [["a=b"], "a=b=c", { "a=b": "c" }],
  [["a", "a=b", "a=b=c=d"], "a=b=c", { "a=b": "c" }],
  [["a="], "a==", { "a=": "" }],
])("of the names %j the longest that %s begins with counts", (names, text, values) => {
  expect(parametersOf(pipelineWith(names), [text])).toEqual(values);
});

test("what no name begins is refused with the names that there are", () => {
  const message = 'the pipeline has no parameter "x"; it has a=b, c';
  expect(() => parametersOf(pipelineWith(["a=b", "c"]), ["x=b=1"])).toThrow(message);
});

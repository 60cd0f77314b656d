import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { parametersOf } from "./parameters-of.js";

function pipelineWith(names: readonly string[], parameterType = "STRING") {
  const parameters = Object.fromEntries(names.map((name) => [name, { parameterType }]));
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

test.each([
  [[], "it has none"],
  [["quite-another"], "it has quite-another"],
  [["lr"], "did you mean lr?"],
])("of the names %j it is said what there is", (names, help) => {
  expect(() => parametersOf(pipelineWith(names), ["lrr=1"])).toThrow(
    `the pipeline has no parameter "lrr"; ${help}`,
  );
});

test.each([
  ["STRING", "{", "{"],
  ["STRING", "", ""],
  ["NUMBER_INTEGER", "7", 7],
  ["NUMBER_INTEGER", "9007199254740991", 9_007_199_254_740_991],
  ["NUMBER_DOUBLE", "9007199254740993", 9_007_199_254_740_992],
  ["NUMBER_DOUBLE", "1e-3", 0.001],
  ["BOOLEAN", "true", true],
  ["LIST", '[{"a":1,"b":[{"a:":"b:c"}]},{"a":2},null]', [{ a: 1, b: [{ "a:": "b:c" }] }, { a: 2 }, null]],
  ["STRUCT", '{"a":{"a":{}},"b\\":":1}', { a: { a: {} }, 'b":': 1 }],
])("of the type %s the text %j is a value", (type, text, value) => {
  expect(parametersOf(pipelineWith(["x"], type), [`x=${text}`])).toEqual({ x: value });
});

test.each([
  ["NUMBER_INTEGER", "seven", "a value of type NUMBER_INTEGER is written as JSON"],
  ["NUMBER_INTEGER", "", "a value of type NUMBER_INTEGER is written as JSON"],
  ["NUMBER_INTEGER", "9007199254740993", "the integer 9007199254740993 would become 9007199254740992"],
  ["NUMBER_DOUBLE", "1e999", "it holds "],
  ["STRUCT", '{"a":1,"a":2}', "a name stands twice in an object of it"],
  ["LIST", '[{"b":{"a":1,"a":1}}]', "a name stands twice in an object of it"],
  ["LIST", "[9007199254740993]", "the integer 9007199254740993 would become 9007199254740992"],
])("of the type %s the text %j is none", (type, text, message) => {
  expect(() => parametersOf(pipelineWith(["x"], type), [`x=${text}`])).toThrow(
    `--parameter x=${text}: ${message}`,
  );
});

test("a parameter is given once", () => {
  expect(parametersOf(pipelineWith(["a", "b"]), ["a=1", "b=2"])).toEqual({ a: "1", b: "2" });
  expect(() => parametersOf(pipelineWith(["a", "b"]), ["a=1", "b=2", "a=1"])).toThrow(
    '--parameter a=1: "a" is given twice',
  );
});

test.each(["=1", "a", ""])("%j is no value of a name", (text) => {
  expect(() => parametersOf(pipelineWith(["a"]), [text])).toThrow(`--parameter ${text}: write name=value`);
});

test.each(["constructor", "__proto__", "toString"])(
  "a parameter %s is there only if the pipeline has it",
  (name) => {
    expect(() => parametersOf(pipelineWith(["quite-another"]), [`${name}=1`])).toThrow(
      `the pipeline has no parameter "${name}"; it has quite-another`,
    );
    expect(Object.entries(parametersOf(pipelineWith(["constructor"]), ["constructor=1"]))).toEqual([
      ["constructor", "1"],
    ]);
  },
);

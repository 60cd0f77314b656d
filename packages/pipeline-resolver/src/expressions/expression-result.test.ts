import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";

const span = (text: string) => ({ start: 0, end: text.length });
const notBoolean = (text: string, type: string) => ({
  code: "not-boolean",
  severity: "error",
  message: `a condition is true or false, this one is of type ${type}`,
  hint: "compare it with something",
  span: span(text),
});

describe("a condition that gives something else than true or false says of what type it is:", () => {
  test.each([
    ["1", "int"],
    ["1u", "uint"],
    ["1.5", "double"],
    ["'a'", "string"],
    ["b'a'", "bytes"],
    ["null", "null"],
    ["[1]", "list<int>"],
    ["{'a': 1}", "map<string, int>"],
    ["timestamp(0)", "google.protobuf.Timestamp"],
    ["duration('1s')", "google.protobuf.Duration"],
    ["type(1)", "type"],
  ])("%s before it runs", (text, type) => {
    const condition = compileExpression(text, "condition");
    const problem = notBoolean(text, type);
    expect([condition.problems, condition.evaluate({})]).toEqual([[problem], { ok: false, problem }]);
  });

  test.each([
    [1.5, "number"],
    ["a", "string"],
    [null, "null"],
    [[1], "list"],
    [[[1]], "list"],
    [{ a: 1 }, "struct"],
    [{ a: [1], constructor: {} }, "struct"],
  ])("a parameter of %j when it runs", (value, type) => {
    const text = "inputs.parameter_values['x']";
    const condition = compileExpression(text, "condition");
    expect(condition.problems).toEqual([]);
    expect(condition.evaluate({ inputs: { parameterValues: { x: value } } })).toEqual({
      ok: false,
      problem: notBoolean(text, type),
    });
  });

  test("an integer that it has made", () => {
    const condition = compileExpression("dyn(1)", "condition");
    expect([condition.problems, condition.evaluate({})]).toEqual([
      [],
      { ok: false, problem: notBoolean("dyn(1)", "int") },
    ]);
  });

  test.each([true, false])("and not %s", (x) => {
    const condition = compileExpression("inputs.parameter_values['x']", "condition");
    expect(condition.evaluate({ inputs: { parameterValues: { x } } })).toEqual({ ok: true, value: x });
  });
});

describe("a selector of a member that is not set says what is:", () => {
  test.each([
    ["string", "text", "number_value"],
    ["number", 0, "null_value"],
    ["bool", false, "number_value"],
    ["null", null, "bool_value"],
    ["null", undefined, "bool_value"],
    ["list", [], "struct_value"],
    ["struct", {}, "list_value"],
  ])("%s of %j", (type, value, member) => {
    expect(compileExpression(member, "selector").evaluate(value)).toEqual({
      ok: false,
      problem: {
        code: "not-set",
        severity: "error",
        message: `no such attribute: ${member}`,
        hint: `the value is of type ${type}`,
        span: span(member),
      },
    });
  });
});

describe("a selector gives what a parameter can have:", () => {
  const of = "a value of this type";
  const made = "a list or map that the expression itself made";
  test.each([
    ["[1]", made],
    ["{'a': 1}", made],
    ["list_value.map(x, x)", made],
    ["[list_value][0] + list_value", made],
    ["timestamp(0)", of],
    ["duration('1s')", of],
    ["b'a'", of],
    ["type(1)", of],
    ["1.0 / 0.0", "the number Infinity"],
    ["-1.0 / 0.0", "the number -Infinity"],
    ["0.0 / 0.0", "the number NaN"],
  ])("%s is none", (text, what) => {
    expect(compileExpression(text, "selector").evaluate([1])).toEqual({
      ok: false,
      problem: {
        code: "unsupported-result",
        severity: "error",
        message: `${what} cannot be a parameter`,
        span: span(text),
      },
    });
  });

  test.each<readonly [text: string, value: unknown, wanted: unknown]>([
    ["1u", [], 1],
    ["-1", [], -1],
    ["9007199254740993", [], 2 ** 53],
    ["1.5", [], 1.5],
    ["'a'", [], "a"],
    ["null", [], null],
    ["true", [], true],
    ["list_value", [], []],
    ["[list_value, [1.0]][0]", [{ a: [null] }], [{ a: [null] }]],
    ["{'a': list_value}.a[0]", [{ a: { b: 1 } }], { a: { b: 1 } }],
    ["struct_value", { a: {} }, { a: {} }],
    ["struct_value.a.b", { a: { b: { c: [{}] } } }, { c: [{}] }],
    ["parseJson('[[1]]')[0]", null, [1]],
  ])("%s of %j", (text, value, wanted) => {
    expect(compileExpression(text, "selector").evaluate(value)).toEqual({ ok: true, value: wanted });
  });
});

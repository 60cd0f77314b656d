import { readdirSync, readFileSync } from "node:fs";
import type { ExecutorInput, PartialMessage } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { compileExpression } from "../index.js";

const foo: PartialMessage<ExecutorInput> = {
  inputs: {
    parameterValues: { type: "foo", num: 1 },
    artifacts: { model: { artifacts: [{ metadata: { accuracy: 0.95 } }] } },
  },
};

describe("the condition tests of the back end's driver", () => {
  const cases = [
    { expression: "inputs.parameter_values['type']=='foo'", input: {}, error: "no such key" },
    { expression: "inputs.parameter_values['type']=='foo'", input: foo, value: true },
    { expression: "inputs.parameter_values['type']=='foo2'", input: foo, value: false },
    { expression: "inputs.parameter_values['num'] == 1", input: foo, value: true },
    {
      expression: "inputs.parameter_values['type']=='foo' && inputs.parameter_values['num'] == 1.0",
      input: foo,
      value: true,
    },
    {
      expression: "inputs.artifacts['model'].artifacts[0].metadata['accuracy']*100.0 > 90.0",
      input: foo,
      value: true,
    },
    {
      expression: "inputs.artifacts['model'].artifacts[0].metadata['accuracy']*100.0 <= 90.0",
      input: foo,
      value: false,
    },
  ];
  for (const { expression, input, value, error } of cases) {
    test(`${expression} ${error ?? value}`, () => {
      const result = compileExpression(expression, "condition").evaluate(input);
      expect(result).toMatchObject(
        error === undefined
          ? { ok: true, value }
          : { ok: false, problem: { message: expect.stringContaining(error) } },
      );
    });
  }
});

describe("the selector tests of the back end's driver", () => {
  const s1 = { a: "A", b: "B" };
  const list = [1, 2, { a: "A" }];
  const s2 = { nested: s1, bool: true, double: 1.3, int: 10, str: "abcdefg", list };
  const cases = [
    { value: "Hello,World!", expression: "string_value", result: "Hello,World!" },
    { value: "[1.1,1.2,1.3]", expression: "parseJson(string_value)[0]", result: 1.1 },
    { value: "invalidjson", expression: "parseJson(string_value)", error: "failed to unmarshal JSON" },
    { value: null, expression: "string_value", result: "" },
    { value: "Hello", expression: "struct_value", error: "no such attribute" },
    { value: s1, expression: "struct_value.a", result: "A" },
    { value: s1, expression: "struct_value.c", error: "no such key: c" },
    { value: s2, expression: "struct_value.list", result: list },
    { value: s2, expression: "struct_value.nested", result: s1 },
    { value: s2, expression: "struct_value.nested.b", result: "B" },
  ];
  for (const { value, expression, result, error } of cases) {
    test(`${expression} of ${JSON.stringify(value)}`, () => {
      expect(compileExpression(expression, "selector").evaluate(value)).toMatchObject(
        error === undefined
          ? { ok: true, value: result }
          : { ok: false, problem: { message: expect.stringContaining(error) } },
      );
    });
  }
});

describe("conditions", () => {
  const input: PartialMessage<ExecutorInput> = {
    inputs: {
      parameterValues: {
        n: 5,
        one: 1,
        s: "text",
        b: true,
        none: null,
        list: [1, [2]],
        struct: { k: { j: [] } },
      },
      parameters: { old: { value: { $case: "intValue", value: "5" } }, empty: {} },
      artifacts: {
        data: {
          artifacts: [
            {
              name: "12",
              uri: "gs://b/x",
              type: { kind: { $case: "schemaTitle", value: "system.Dataset" }, schemaVersion: "0.0.1" },
              metadata: { rows: 5 },
              customProperties: { p: { value: { $case: "stringValue", value: "q" } } },
            },
          ],
        },
      },
    },
    outputs: { outputFile: "/tmp/out.json", parameters: { o: { outputFile: "/tmp/o" } } },
  };
  const n = "inputs.parameter_values['n']";
  const s = "inputs.parameter_values['s']";
  const cases: readonly (readonly [expression: string, wanted: boolean | string])[] = [
    [`${n} == 5`, true],
    [`5.5 <= ${n}`, false],
    [`${n} > 4`, true],
    [`${n} * 2 == 10`, "evaluation: no such overload: double * int"],
    [`${n} * 2.0 == 10.0`, true],
    [`int(${n}) == 5`, true],
    [`int(5.9) == 5 && int(-5.9) == -5`, true],
    [`int(1e19) == 1`, "evaluation: type conversion error: int(10000000000000000000)"],
    ["int('5') == 5 && int('+5') == 5", true],
    ["int('5.0') == 5", 'evaluation: type conversion error: int("5.0")'],
    ["int('') == 0", 'evaluation: type conversion error: int("")'],
    ["int('0x10') == 16", 'evaluation: type conversion error: int("0x10")'],
    ["double('1.5') == 1.5 && double('-.5e1') == -5.0", true],
    ["double('0x10') == 16.0", 'evaluation: type conversion error: double("0x10")'],
    [
      "string(1.0) == '1' && string(2.5) == '2.5' && string(1e6) == '1e+06' && string(-1e-7) == '-1e-07'",
      true,
    ],
    ["uint('12') == 12u && uint(3.7) == 3u && int(7u) == 7", true],
    ["uint(-1) == 0u", "evaluation: type conversion error: uint(-1)"],
    ["bool('t') && !bool('False')", true],
    ["inputs.parameter_values['missing'] == 1", "no-such-key: no such key: missing"],
    ["'n' in inputs.parameter_values", true],
    ["'x' in inputs.parameter_values", false],
    ["has(inputs.parameter_values.n) && has(inputs.parameter_values.none)", true],
    ["has(inputs.parameter_values.x)", false],
    ["has(inputs.parameter_values['struct'].k) && !has(inputs.parameter_values['struct']['k'].i)", true],
    ["has({'a': 1}.a)", true],
    ["has(inputs.parameter_values['s'].x)", false],
    ["has(inputs.artifacts['data'].artifacts[0].uri)", true],
    ["has(inputs.artifacts['data'].artifacts[0].custom_path)", false],
    ["inputs.artifacts['data'].artifacts[0].custom_path == ''", true],
    ["inputs.artifacts['data'].artifacts[0].type.schema_title == 'system.Dataset'", true],
    ["inputs.artifacts['data'].artifacts[0].custom_properties['p'].string_value == 'q'", true],
    ["inputs.artifacts['data'].artifacts[0].metadata['rows'] == 5", true],
    ["size(inputs.artifacts['data'].artifacts) == 1", true],
    ["inputs.parameters['old'].int_value == 5 && inputs.parameters['old'].string_value == ''", true],
    ["inputs.parameters['empty'].double_value == 0.0", true],
    ["outputs.output_file == '/tmp/out.json' && outputs.parameters['o'].output_file == '/tmp/o'", true],
    [`${s} == 5`, false],
    [`${s} + 'x' == 'textx'`, true],
    [`${s} + 1 == 2`, "evaluation: no such overload: string + int"],
    [`false && inputs.parameter_values['missing'] == 1`, false],
    [`inputs.parameter_values['missing'] == 1 && false`, false],
    [`inputs.parameter_values['missing'] == 1 || true`, true],
    ["inputs.parameter_values['none'] == null", true],
    ["inputs.parameter_values['list'] == [1.0, [2.0]]", true],
    ["inputs.parameter_values['struct'].k.j == []", true],
    ["inputs.parameter_values.exists(k, k == 's') && size(inputs.parameter_values) == 7", true],
    ["inputs.parameter_values['list'].filter(x, type(x) == double) == [1.0]", true],
    [`inputs.parameter_values['b'] ? ${n} > 1 : ${n} > 100`, true],
    [`${s}.matches('^t[ex]+') && matches(${s}, '(?i)TEXT$')`, true],
    [
      `${s}.matches(inputs.parameter_values['list'])`,
      "^evaluation: found no matching overload for 'string.matches.list",
    ],
    [`${s}.matches('(' + ${s})`, "invalid-pattern: invalid pattern of matches(): missing closing ): `(text`"],
    ["timestamp('2026-01-01T00:00:00Z') < timestamp(timestamp('2026-01-02T00:00:00Z'))", true],
    ["string(timestamp('2026-01-01T00:00:00Z')) == '2026-01-01T00:00:00Z' && int(timestamp(1)) == 1", true],
    ["string(duration('90s')) == '90s' && duration(duration('1m')) == duration('60s')", true],
    // An hour that clocks in Berlin skip; the clock of the machine must not matter.
    ["timestamp('2024-03-31T01:30:00Z').getHours('Europe/Berlin') == 3", true],
    ["timestamp('2024-03-31T02:30:00Z').getHours('America/New_York') == 22", true],
    ["timestamp('2024-12-31T23:30:15.250Z').getFullYear('+02:00') == 2025", true],
    ["timestamp('2024-12-31T23:30:15.250Z').getDayOfYear('Asia/Tokyo') == 0", true],
    ["timestamp('2024-12-31T23:30:15.250Z').getDayOfYear() == 365", true],
    ["timestamp('2024-12-31T23:30:15.250Z').getMinutes('-02:45') == 45", true],
    ["timestamp('2024-12-31T23:30:15.250Z').getMilliseconds('02:00') == 250", true],
    ["timestamp('0001-01-01T00:00:00Z').getDayOfYear('UTC') == 0", true],
    ["duration('90m').getHours() == 1 && duration('90s').getMinutes() == 1", true],
    ["string(duration('9223372036854775807ns')) == '9223372036.854776s'", true],
    ["duration('-9223372036854775808ns') < duration('-9223372036854775807ns')", true],
    ["timestamp(0).getHours('Mars/Olympus') == 0", 'evaluation: unknown time zone "Mars/Olympus"'],
    ["b'a' < b'ab' && b'b' > b'ab' && b'a' <= b'a' && b'a' >= b'a' && string(b'ab') == 'ab'", true],
    [n, "not-boolean: a condition is true or false, this one is of type number"],
    [`parseJson('{"a": [1, {"b": 2}]}').a[1].b == 2.0`, true],
    [`parseJson('{') == 1`, "^invalid-json: failed to unmarshal JSON"],
    [
      `parseJson('{"a":1,"a":2}') == 1`,
      "^invalid-json: failed to unmarshal JSON: a name stands twice in an object of it",
    ],
    ["9223372036854775807 + 1 > 0", "evaluation: integer overflow: 9223372036854775808"],
    [`${n} == -9223372036854775808`, false],
    ["1 / 0 == 1", "evaluation: division by zero"],
  ];
  for (const [expression, wanted] of cases) {
    test(`${expression} → ${wanted}`, () => {
      const condition = compileExpression(expression, "condition");
      expect(condition.problems).toEqual([]);
      const result = condition.evaluate(input);
      expect(result.ok ? result.value : `${result.problem.code}: ${result.problem.message}`).toEqual(
        typeof wanted === "string" && wanted.startsWith("^") ? expect.stringMatching(wanted) : wanted,
      );
      expect(condition.evaluate(input)).toEqual(result);
    });
  }
});

describe("has() tells fields that are set from those that are empty:", () => {
  const typed = (value: string | number) => ({
    value:
      typeof value === "string"
        ? { $case: "stringValue" as const, value }
        : { $case: "doubleValue" as const, value },
  });
  const whole: PartialMessage<ExecutorInput> = {
    inputs: {
      parameters: { o: { value: { $case: "intValue", value: "1" } }, d: typed(1.5), s: typed("x") },
      artifacts: {
        a: {
          artifacts: [
            {
              name: "n",
              uri: "u",
              type: { kind: { $case: "schemaTitle", value: "t" }, schemaVersion: "1" },
              metadata: { m: 0 },
              properties: { p: {} },
              customProperties: { p: {} },
              customPath: "c",
            },
          ],
        },
      },
      parameterValues: { x: {} },
    },
    outputs: { outputFile: "f", parameters: { p: { outputFile: "f" } }, artifacts: { a: {} } },
  };
  const bare: PartialMessage<ExecutorInput> = {
    inputs: {
      parameters: { o: {}, d: typed(0), s: typed("") },
      artifacts: { a: { artifacts: [{}] } },
    },
    outputs: { parameters: { p: {} } },
  };
  const artifact = "inputs.artifacts['a'].artifacts[0]";
  const told = (text: string) =>
    [whole, bare, {}].map((one) => {
      const result = compileExpression(text, "condition").evaluate(one);
      return result.ok ? result.value : result.problem.message;
    });

  test.each(["inputs.parameters", "inputs.artifacts"])("%s", (field) => {
    expect(told(`has(${field})`)).toEqual([true, true, false]);
  });
  test.each(["inputs.parameter_values", "outputs.artifacts", "outputs.output_file"])("%s", (field) =>
    expect(told(`has(${field})`)).toEqual([true, false, false]),
  );
  test("outputs.parameters", () => expect(told("has(outputs.parameters)")).toEqual([true, true, false]));
  test.each([
    ["inputs.parameters['o'].int_value", "o"],
    ["inputs.parameters['d'].double_value", "d"],
    ["inputs.parameters['s'].string_value", "s"],
    ["outputs.parameters['p'].output_file", "p"],
    ...["name", "uri", "type", "type.schema_title", "type.schema_version"].map((key) => [
      `${artifact}.${key}`,
      "a",
    ]),
    ...["metadata", "properties", "custom_properties", "custom_path"].map((key) => [
      `${artifact}.${key}`,
      "a",
    ]),
  ])("%s", (field, name) => {
    expect(told(`has(${field})`)).toEqual([true, false, `no such key: ${name}`]);
  });
  test.each(["type.schema_uri", "type.instance_schema"])("another kind of %s", (field) => {
    expect(told(`has(${artifact}.${field})`)).toEqual([false, false, "no such key: a"]);
  });
  test.each([
    [{ k: null }, true],
    [{ k: { l: {} } }, true],
    [{ k: "" }, true],
    [{ k: 0 }, true],
    [{ constructor: 1, k: "" }, true],
    [{ constructor: 1 }, false],
    [{}, false],
    [1, false],
    ["k", false],
    [true, false],
    [null, false],
    [[1], "no such overload: has() of a list"],
    [[], "no such overload: has() of a list"],
  ])("a key of %j", (v, wanted) => {
    const result = compileExpression("has(inputs.parameter_values['v'].k)", "condition").evaluate({
      inputs: { parameterValues: { v } },
    });
    expect(result.ok ? result.value : result.problem.message).toEqual(wanted);
  });
});

describe("an element of a list is found by a whole number:", () => {
  test.each([
    ["0", "a"],
    ["1", "b"],
    ["1u", "b"],
    ["1.0", "b"],
    ["2", "no such key: index out of bounds, index 2 >= size 2"],
    ["2u", "no such key: 2"],
    ["-1", "no such key: index out of bounds, index -1 < 0"],
    ["0.5", "no such key: index out of bounds, index 0.5 >= size 2"],
    ["null", "no such key: null"],
    ["true", "no such key: true"],
    ["'0'", "no such key: 0"],
    ["[0]", "no such key: 0"],
  ])("%s", (key, wanted) => {
    const text = `list_value[dyn(${key})]`;
    const result = compileExpression(text, "selector").evaluate(["a", "b"]);
    expect(result.ok ? result.value : result.problem.message).toEqual(wanted);
  });
});

test("what an input throws while it is read is a problem of the evaluation", () => {
  const condition = compileExpression("inputs.parameter_values['x'] == 1", "condition");
  const problemsOf = (...thrown: readonly unknown[]) =>
    thrown.map((one) => {
      const parameterValues = Object.defineProperty({}, "x", {
        enumerable: true,
        get() {
          throw one;
        },
      });
      const result = condition.evaluate({ inputs: { parameterValues } });
      return result.ok ? undefined : result.problem;
    });
  const whole = { severity: "error", span: { start: 0, end: condition.text.length } };
  const message = "cannot be evaluated";
  const deep = { code: "limit", message: "nested too deep", ...whole };
  expect(
    problemsOf(
      "no",
      undefined,
      new Error("Not now"),
      new RangeError("Maximum call stack size exceeded"),
      new Error("too much recursion"),
    ),
  ).toEqual([
    { code: "evaluation", message, ...whole },
    { code: "evaluation", message, ...whole },
    { code: "evaluation", message: "not now", ...whole },
    deep,
    deep,
  ]);
});

describe("selectors give values of parameters", () => {
  const cases: readonly (readonly [expression: string, value: unknown, wanted: unknown])[] = [
    ["number_value", 2.5, 2.5],
    ["int(number_value)", 5, 5],
    ["uint(number_value)", 5, 5],
    ["bool_value", true, true],
    ["null_value", null, null],
    ["list_value[1]", [1, "two"], "two"],
    ["string_value", [1, { b: 2, a: 1.5 }], '[1,{"a":1.5,"b":2}]'],
    ["string_value", 3, "3"],
    ["string_value", true, "true"],
    ["parseJson(string_value)", '{"a":[1]}', { a: [1] }],
    ["parseJson(string_value)['a']", '{"a":[1]}', [1]],
    [
      "struct_value['constructor']",
      { constructor: { constructor: [{ x: 1 }] } },
      { constructor: [{ x: 1 }] },
    ],
    ["struct_value['__proto__']", JSON.parse('{"__proto__":{"x":1}}'), { x: 1 }],
    ["parseJson(string_value)['constructor']", '{"constructor":[1]}', [1]],
  ];
  for (const [expression, value, wanted] of cases) {
    test(`${expression} of ${JSON.stringify(value)}`, () => {
      expect(compileExpression(expression, "selector").evaluate(value)).toEqual({ ok: true, value: wanted });
    });
  }

  const refused = [
    ["[number_value]", 1],
    ["{'a': 1}", 1],
    ["list_value.map(x, x)", [1]],
    ["list_value + list_value", [1]],
    ["timestamp(0)", 1],
    ["b'bytes'", 1],
    ["type(1)", 1],
    ["number_value / 0.0", 1],
  ] as const;
  for (const [expression, value] of refused) {
    test(`${expression} cannot be a parameter`, () => {
      expect(compileExpression(expression, "selector").evaluate(value)).toMatchObject({
        ok: false,
        problem: { code: "unsupported-result", span: { start: 0, end: expression.length } },
      });
    });
  }

  test("a member that is not set says what is set instead", () => {
    expect(compileExpression("number_value > 1.0", "selector").evaluate("5")).toEqual({
      ok: false,
      problem: {
        code: "not-set",
        severity: "error",
        message: "no such attribute: number_value",
        hint: "the value is of type string",
        span: { start: 0, end: 12 },
      },
    });
  });
});

describe("the expressions of compiled pipelines", () => {
  const folder = new URL("../../../pipeline-spec/testdata/pipelines/valid/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".yaml"),
  );
  const found = { condition: new Set<string>(), selector: new Set<string>() };
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (key === "condition" && typeof one === "string") found.condition.add(one);
      else if (key === "parameterExpressionSelector" && typeof one === "string") found.selector.add(one);
      else collect(one);
    }
  };
  for (const file of files) {
    for (const document of parseAllDocuments(readFileSync(new URL(file, folder), "utf8")))
      collect(document.toJS());
  }

  test("there are expressions of both kinds", () => {
    expect(found.condition.size).toBeGreaterThan(10);
    expect(found.selector.size).toBeGreaterThan(0);
  });

  for (const kind of ["condition", "selector"] as const) {
    for (const text of found[kind]) {
      test(`${kind} ${text} compiles and names what it reads`, () => {
        const { problems, references } = compileExpression(text, kind);
        expect(problems).toEqual([]);
        expect(references.length).toBeGreaterThan(0);
      });
    }
  }
});

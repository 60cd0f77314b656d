import type { ExecutorInput, PartialMessage } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";

const parameters = (values: Readonly<Record<string, unknown>>): PartialMessage<ExecutorInput> => ({
  inputs: { parameterValues: values },
});

describe("problems are found before anything runs", () => {
  const p = "inputs.parameter_values['x']";
  const cases = [
    { text: "", code: "syntax", at: "" },
    { text: "a == ", code: "syntax", at: "" },
    { text: `${p.slice(0, -1)} == 'x'`, code: "syntax", at: "" },
    { text: `${p} == 'b`, code: "syntax", at: "'b" },
    { text: `${p} && && true`, code: "syntax", at: "&&" },
    { text: "1 @ + 2 == 3", code: "syntax", at: "@" },
    { text: `${p} == 1 and true`, code: "syntax", at: "and", hint: "&&" },
    { text: `${p} = 1`, code: "syntax", at: "=", hint: "==" },
    { text: `'int(${p})' == '5'`, code: "syntax", hint: `int(${p}) == 5` },
    { text: `'${p}' == 'true'`, code: "syntax", hint: `${p} == true` },
    { text: `${p} == 'it's'`, code: "syntax", hint: "\\'" },
    { text: `has(${p})`, code: "syntax", at: p },
    { text: "foo == 1", code: "unknown-name", at: "foo", hint: "inputs, outputs" },
    { text: "input.parameter_values['x'] == 1", code: "unknown-name", at: "input", hint: "inputs" },
    {
      text: "string_value == 'x'",
      code: "unknown-name",
      at: "string_value",
      hint: "inputs.parameter_values",
    },
    { text: "inputs.artifact['x'].uri == ''", code: "unknown-field", at: "artifact" },
    { text: "inputs.parameterValues['x'] == 'a'", code: "unknown-field", hint: "parameter_values" },
    { text: "inputs.artifacts['x'].uri == ''", code: "unknown-field", at: "uri", hint: "artifacts[0].uri" },
    { text: `${p} == True`, code: "unknown-name", at: "True", hint: "CEL writes true" },
    { text: `${p} == None`, code: "unknown-name", at: "None", hint: "CEL writes null" },
    { text: `${p} === 1`, code: "syntax", hint: "== and !=" },
    { text: `int(${p}) >= '5'`, code: "type", hint: "write 5 without quotes" },
    { text: `"5" == int(${p})`, code: "type", hint: "write 5 without quotes" },
    { text: `double(${p}) > '5'`, code: "type", hint: "write 5.0 without quotes" },
    { text: `double(${p}) > '0.5'`, code: "type", hint: "write 0.5 without quotes" },
    { text: `int(${p}) == 'five'`, code: "type", hint: "string(…) makes a text of a number" },
    { text: `int(${p}) > '0.5'`, code: "type", hint: "of the same type" },
    { text: `1 < int(${p}) < 3`, code: "type", hint: "a < b && b < c" },
    { text: `${p} <> 1`, code: "syntax", hint: "== and !=" },
    { text: `${p} is 1`, code: "syntax", hint: "== and !=" },
    {
      text: "{{$.inputs.parameters['s']}} == 'a'",
      code: "syntax",
      hint: "no placeholders: inputs.parameter_values['s']",
    },
    { text: "has(inputs.nope)", code: "unknown-field", at: "nope" },
    {
      text: "inputs.parameters['x'] == 'foo'",
      code: "type",
      at: "inputs.parameters['x'] == 'foo'",
      hint: "parameter_values",
    },
    { text: "inputs.artifacts['x'][0].uri == ''", code: "type", hint: "artifacts[0]" },
    { text: "'a' == 1", code: "type", at: "'a' == 1" },
    { text: `int(${p}) == '5'`, code: "type", at: `int(${p}) == '5'` },
    { text: "size(inputs.artifacts) > 1.5", code: "type", hint: "double(…)" },
    { text: "1.5 < size(inputs.artifacts)", code: "type", hint: "double(…)" },
    { text: `${p}.join(',') == ''`, code: "unknown-function", hint: "standard" },
    { text: `startWith(${p}, 'x')`, code: "unknown-function", hint: "startsWith" },
    { text: `${p}.existsOne(x, true)`, code: "unknown-function", hint: "exists_one" },
    { text: `wye_int(${p}) == 1`, code: "unknown-function" },
    { text: "hAs(inputs.parameter_values)", code: "unknown-function" },
    { text: "cel.bind(x, 1, x == 1)", code: "unknown-function" },
    { text: `'a'.matches('(')`, code: "invalid-pattern" },
    { text: `'a'.matches('${"a".repeat(1001)}')`, code: "invalid-pattern" },
    { text: "true == 1 < 2", code: "syntax", at: "true == 1 < 2", hint: "parentheses" },
    { text: "9223372036854775808 > 1", code: "invalid-number", at: "9223372036854775808" },
    { text: "{'a': 1, 'a': 2} == {}", code: "unsupported-key" },
    { text: "{1.5: 1} == {}", code: "unsupported-key", at: "1.5" },
    { text: "size(inputs.artifacts)", code: "not-boolean", hint: "compare" },
    { text: `${"(".repeat(300)}true${")".repeat(300)}`, code: "limit" },
    { text: `${"!".repeat(50_000)}true`, code: "limit" },
    { text: `${"1 + ".repeat(250)}1 == 251`, code: "limit", at: `${"1 + ".repeat(250)}1` },
    { text: `true${" == true".repeat(251)}`, code: "limit" },
    { text: "inputs.parameter_values.x.`size`()", code: "syntax", at: "`size`" },
    { text: "`inputs`.parameter_values.x == 1", code: "syntax" },
    { text: `'${"x".repeat(100_000)}' == ''`, code: "limit" },
  ];
  for (const { text, code, at, hint } of cases) {
    test(`${text.slice(0, 60)} → ${code}`, () => {
      const condition = compileExpression(text, "condition");
      const [problem] = condition.problems;
      expect(problem).toMatchObject({ code, severity: "error" });
      expect(problem?.hint ?? "").toContain(hint ?? "");
      expect(text.slice(problem?.span.start, problem?.span.end)).toBe(
        at ?? text.slice(problem?.span.start, problem?.span.end),
      );
      expect(condition.evaluate({})).toEqual({ ok: false, problem });
      expect(condition.explain({})).toMatchObject({ value: undefined, problem });
    });
  }

  test("all unknown names are reported at once", () => {
    const { problems } = compileExpression("a == b || c.exists(d, d == e)", "condition");
    expect(problems.map(({ span }) => span.start)).toEqual([0, 5, 10, 27]);
  });

  test("a selector knows the members of a value, and hints at them", () => {
    expect(compileExpression("int_value > 5", "selector").problems).toMatchObject([
      { code: "unknown-name", hint: "numbers of any kind are number_value" },
    ]);
    expect(compileExpression("inputs.parameter_values['x']", "selector").problems).toMatchObject([
      { code: "unknown-name", hint: "a selector sees the value itself, for example as string_value" },
    ]);
  });

  test("something else than a text is a mistake of the program", () => {
    // @ts-expect-error -- what JavaScript programs may pass
    expect(() => compileExpression(undefined, "condition")).toThrow(TypeError);
  });
});

describe("bounds", () => {
  const list = Array.from({ length: 2_000 }, (_, i) => i);
  const l = "inputs.parameter_values['l']";
  for (const macro of ["all", "exists", "exists_one", "filter", "map"]) {
    test(`nested ${macro} over a long list ends`, () => {
      const never = macro === "all" ? "z >= 0.0" : "z < 0.0";
      const innermost = `dyn(${l}.${macro}(z, ${never}))`;
      const inner = `dyn(${l}.${macro}(y, ${innermost} == ${macro === "all"}))`;
      const text = `${l}.all(x, ${inner} != 'never')`;
      expect(compileExpression(text, "condition").evaluate(parameters({ l: list }))).toMatchObject({
        ok: false,
        problem: { code: "budget" },
      });
    });
  }

  test("lists that are searched or made in each pass count by their length", () => {
    const wide = `[${"1, ".repeat(20_000)}1]`;
    for (const text of [
      `${wide}.all(x, !(x in ${l}))`,
      `${wide}.all(x, size(${wide.slice(0, 30_000)}1]) > x)`,
    ]) {
      const long = Array.from({ length: 20_000 }, (_, i) => i + 2);
      expect(compileExpression(text, "condition").evaluate(parameters({ l: long }))).toMatchObject({
        ok: false,
        problem: { code: "budget" },
      });
    }
  });

  test("a pass through a long loop counts as several", { timeout: 120_000 }, () => {
    const many = `[${"1, ".repeat(999)}1]`;
    const passes = (terms: number) =>
      compileExpression(`${many}.all(x, ${Array(terms).fill("x == 1").join(" && ")})`, "condition").evaluate(
        {},
      );
    expect(passes(1_000)).toEqual({ ok: true, value: true });
    expect(passes(9_000)).toMatchObject({ ok: false, problem: { code: "budget" } });
  });

  test("what fails in each pass is told with its place, and costs what a pass costs", () => {
    const many = `[${"1, ".repeat(20_000)}1]`;
    const absent = `${l} == x`;
    const text = `${many}.exists(x, ${absent})`;
    expect(compileExpression(text, "condition").evaluate(parameters({}))).toMatchObject({
      ok: false,
      problem: { code: "no-such-key", span: { start: text.indexOf(l), end: text.indexOf(l) + l.length } },
    });
  });

  test("other limits can be asked for", () => {
    const condition = compileExpression(`${l}.all(x, x >= 0.0)`, "condition", {
      limits: { maxSteps: 10, maxDepth: 20 },
    });
    expect(condition.evaluate(parameters({ l: list }))).toEqual({
      ok: false,
      problem: {
        code: "budget",
        severity: "error",
        message: "the evaluation takes more steps than are allowed",
        span: { start: 0, end: condition.text.length },
      },
    });
    expect(condition.evaluate(parameters({ l: [1, 2] }))).toEqual({ ok: true, value: true });
    const deep = compileExpression(`${"(".repeat(21)}true${")".repeat(21)}`, "condition", {
      limits: { maxDepth: 20 },
    });
    expect(deep.problems).toMatchObject([{ code: "limit" }]);
  });

  for (const pattern of ["^(a+)+$", "(a|a)*b", "(.*)(.*)(.*)(.*)[^a]", "(a?){30}a{30}$"]) {
    test(`the pattern ${pattern} takes linear time`, () => {
      const text = `inputs.parameter_values['s'].matches('${pattern}')`;
      expect(
        compileExpression(text, "condition").evaluate(parameters({ s: `${"a".repeat(20_000)}!` })),
      ).toEqual({
        ok: true,
        value: pattern.includes("[^a]"),
      });
    });
  }

  test("a large pattern over a long text is refused", () => {
    const text = "inputs.parameter_values['s'].matches('([ab]{0,900}c){1}')";
    expect(
      compileExpression(text, "condition").evaluate(parameters({ s: "ab".repeat(100_000) })),
    ).toMatchObject({
      ok: false,
      problem: { code: "budget" },
    });
  });

  test("JSON that is nested very deep is a problem, not a crash", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const result = compileExpression(
      "parseJson(string_value) == parseJson(string_value)",
      "selector",
    ).evaluate(deep);
    expect(result).toMatchObject({ ok: false, problem: { code: "invalid-json" } });
  });
});

import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";
import { ownPrefix } from "./cel-function.js";
import { celMessage, fieldHint, typeHint } from "./cel-message.js";

const p = "inputs.parameter_values['x']";
const notClosed = (what: string) => `expected ${what}, got the end`;
const sameType =
  "compare values of the same type: string(…) makes a text of a number, int(…) or double(…) a number of a text";
const inList = (field: string) =>
  `the artifacts of an input are a list: inputs.artifacts['name'].artifacts[0].${field}`;
const chained = "a comparison gives true or false: write a < b && b < c for a < b < c";
const underscores = (field: string) => `conditions write fields with underscores: ${field}`;
const unquoted = (text: string) => `the operand must not stand in quotes: ${text}`;
const equals = "CEL compares with == and !=";
const words = "CEL writes && for and, || for or, ! for not";

type Row = readonly [text: string, message: string, hint?: string];

/** What is said of a text that cannot be read: tokens are called by what people see. */
const unreadable: readonly Row[] = [
  ["1 +", "unexpected token: the end"],
  ...[
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "in",
    ")",
    "]",
    "}",
    ",",
    ":",
    "?",
    ".",
  ].map((sign): Row => [`1 + ${sign} `, `unexpected token: ${sign}`]),
  ["[1", notClosed("]")],
  ["(1", notClosed(")")],
  ["{1", notClosed(":")],
  ["{'a': 1", notClosed("}")],
  ["a.", notClosed("a name")],
  ["a ? b", notClosed(":")],
  ["a.'b'", "expected a name, got a text"],
  ["a.1", "expected a name, got a number"],
  ["a.+", "expected a name, got +"],
  ["a.-", "expected a name, got -"],
  ["a.!", "expected a name, got !"],
  ["a.(", "expected a name, got ("],
  ["a.[", "expected a name, got ["],
  ["a.{", "expected a name, got {"],
  ["[1 a]", "expected ], got a name"],
  ["[1 true]", "expected ], got true or false"],
  ["[1 null]", "expected ], got null"],
  ["(1, 2)", "expected ), got ,"],
  [`'${p}' == '12'`, "unexpected character: 'x'", unquoted(`${p} == 12`)],
  [`'${p}' == '-12.50'`, "unexpected character: 'x'", unquoted(`${p} == -12.50`)],
  [`'int(${p})' >= '100'`, "unexpected character: 'x'", unquoted(`int(${p}) >= 100`)],
  [`'double(${p})' <'0.25'`, "unexpected character: 'x'", unquoted(`double(${p}) <0.25`)],
  [`'string(${p})' == 'a1'`, "unexpected character: 'x'", unquoted(`string(${p}) == 'a1'`)],
  [`'${p}' != 'false'`, "unexpected character: 'x'", unquoted(`${p} != false`)],
  [
    "{{$.pipeline_root}}",
    "unexpected character: $",
    "expressions know no placeholders: inputs.parameter_values['name']",
  ],
  ["'it's'", "unexpected character: 's'", "a quote inside a text is written \\'"],
  ["a in (1, 2)", "expected ), got ,", "a list stands in brackets: in ['a', 'b']"],
  ["a AND b", "unexpected character: 'D'", words],
  ["a or b", "unexpected character: 'r'", words],
  ["not a", "unexpected character: 'a'", words],
  ["a = 1", "unexpected character: =", equals],
  ["a === 1", "unexpected character: =", equals],
  ["a !== 1", "unexpected character: =", equals],
  ["a <> 1", "unexpected token: >", equals],
  ["a is 1", "unexpected character: 's'", equals],
  ["a ~ 1", "unexpected character: ~"],
];

/** What is said of fields that are not there. */
const fields: readonly Row[] = [
  ...["uri", "name", "type", "metadata", "custom_path"].map(
    (field): Row => [`inputs.artifacts['x'].${field} == ''`, `no such key: ${field}`, inList(field)],
  ),
  ["inputs.artifacts['x'].uris == ''", "no such key: uris"],
  ["inputs.parameterValues == 1", "no such key: parameterValues", underscores("parameter_values")],
  ["outputs.outputFile == ''", "no such key: outputFile", underscores("output_file")],
  ["inputs.values == 1", "no such key: values"],
];

/** What is said of operands that do not fit, by the part of the text that has them. */
const types: readonly Row[] = [
  [
    "inputs.parameters['x'] > 1",
    "no such overload: TypedValue > int",
    "inputs.parameters holds old typed values: read inputs.parameter_values['name']",
  ],
  ["inputs.artifacts['x'] == 'a'", "no such overload: ArtifactList == string"],
  ["true < 1", "no such overload: bool < int", chained],
  ["true >= 'a'", "no such overload: bool >= string", chained],
  ["(1 < 2) > 2.5", "no such overload: bool > double", chained],
  ["1 > '2'", "no such overload: int > string", "write 2 without quotes"],
  ['"-2" == 1', "no such overload: string == int", "write -2 without quotes"],
  ["1.0 == '1'", "no such overload: double == string", "write 1.0 without quotes"],
  ["'-3' == 1.5", "no such overload: string == double", "write -3.0 without quotes"],
  ["1.5 == '2.50'", "no such overload: double == string", "write 2.50 without quotes"],
  ["1 == '1.5'", "no such overload: int == string", sameType],
  ["1 == 'a' || '5' == 'b'", "no such overload: int == string", sameType],
  ["'5' == '6' || 1 == '7'", "no such overload: int == string", "write 7 without quotes"],
  ["[1] == {}", "no such overload: list<int> == map<dyn, dyn>"],
];

describe.each([
  ["syntax", unreadable],
  ["unknown-field", fields],
  ["type", types],
] as const)("%s:", (code, rows) => {
  for (const [text, message, hint] of rows) {
    test(text, () => {
      const { problems } = compileExpression(text, "condition");
      expect(problems.map((one) => [one.code, one.message, one.hint])).toEqual([[code, message, hint]]);
    });
  }
});

describe("an operator stands between so many operands in a row, and no more:", () => {
  const row = (operand: string, operator: string, operands: number) =>
    Array(operands).fill(operand).join(` ${operator} `);
  test.each([
    ...["+", "-", "*", "/"].map((operator) => ["1", operator, 250] as const),
    ...["==", "!="].map((operator) => ["true", operator, 251] as const),
  ])("%s %s, %i", (operand, operator, most) => {
    for (const around of [
      (text: string) => `dyn(${text}) == ${operand}`,
      (text: string) => `[1].all(y, dyn(${text}) == ${operand})`,
    ]) {
      expect(compileExpression(around(row(operand, operator, most)), "condition").problems).toEqual([]);
      const text = around(row(operand, operator, most + 1));
      expect(compileExpression(text, "condition").problems).toMatchObject([
        { code: "limit", message: `more than ${most} operands in a row` },
      ]);
    }
  });
});

describe("what a value has to say while it is looked at:", () => {
  const missing = (what: string) => `no such attribute: ${what}`;
  const isOf = (type: string) => `the value is of type ${type}`;
  const made = "a list or map that the expression itself made cannot be a parameter";
  const ofThisType = "a value of this type cannot be a parameter";
  const rows: readonly (readonly [
    expression: string,
    value: unknown,
    code: string,
    message: string,
    hint?: string,
  ])[] = [
    ["number_value", "5", "not-set", missing("number_value"), isOf("string")],
    ["number_value", [1], "not-set", missing("number_value"), isOf("list")],
    ["number_value", { a: 1 }, "not-set", missing("number_value"), isOf("struct")],
    ["number_value", null, "not-set", missing("number_value"), isOf("null")],
    ["null_value", 1, "not-set", missing("null_value"), isOf("number")],
    ["list_value", true, "not-set", missing("list_value"), isOf("bool")],
    ["1 / 0", 1, "evaluation", "division by zero"],
    ["int(string_value)", "x", "evaluation", 'type conversion error: int("x")'],
    ["struct_value.x", {}, "no-such-key", "no such key: x"],
    ["list_value[1]", [1], "no-such-key", "no such key: index out of bounds, index 1 >= size 1"],
    [
      "'a'.matches('(' + string_value)",
      "b",
      "invalid-pattern",
      "invalid pattern of matches(): missing closing ): `(b`",
    ],
    [
      "matches(string_value, '(' + string_value)",
      "b",
      "invalid-pattern",
      "invalid pattern of matches(): missing closing ): `(b`",
    ],
    ["[struct_value]", {}, "unsupported-result", made],
    ["{'a': struct_value}", {}, "unsupported-result", made],
    ["list_value.filter(x, true)", [1], "unsupported-result", made],
    ["number_value / 0.0", 1, "unsupported-result", "the number Infinity cannot be a parameter"],
    ["timestamp(0)", 1, "unsupported-result", ofThisType],
    ["b'a'", 1, "unsupported-result", ofThisType],
    ["type(1)", 1, "unsupported-result", ofThisType],
  ];
  for (const [expression, value, code, message, hint] of rows) {
    test(`${expression} of ${JSON.stringify(value)}`, () => {
      const result = compileExpression(expression, "selector").evaluate(value);
      const problem = result.ok ? expect.unreachable("it is a problem") : result.problem;
      expect([problem.code, problem.message, problem.hint]).toEqual([code, message, hint]);
    });
  }
});

test("keys are sought by their kind, and a byte order mark is a character of a text", () => {
  const keys = "{true: 1, 1: 2, 'a': 3}";
  const all = (operands: readonly string[]) =>
    operands.map((one) => compileExpression(`dyn(${one}) in ${keys}`, "condition").evaluate({}));
  const found = { ok: true, value: true };
  const absent = { ok: true, value: false };
  expect(all(["true", "1", "1u", "1.0", "'a'"])).toEqual([found, found, found, found, found]);
  expect(all(["false", "2", "2u", "1.5", "'b'", "null", "[1]", "b'a'"])).toEqual(Array(8).fill(absent));
  const marked = compileExpression(String.raw`string(b'\xef\xbb\xbfa') == '\ufeffa'`, "condition");
  expect(marked.evaluate({})).toEqual(found);
});

test("names and types of the engine are in no message, however often they stand there", () => {
  expect(celMessage("No such overload: dyn<double> + dyn<string>")).toBe("no such overload: double + string");
  expect(celMessage(`No such overload: ${ownPrefix}int(${ownPrefix}uint)`)).toBe(
    "no such overload: int(uint)",
  );
  expect(celMessage("Expected RBRACKET, got EOF")).toBe("expected ], got the end");
  expect(celMessage("Expected SOMETHING, got ELSE")).toBe("expected SOMETHING, got ELSE");
});

test.each([
  ["no such overload: int + double", "numbers of inputs and of JSON are doubles"],
  ["no such overload: double == int", "numbers of inputs and of JSON are doubles"],
  ["no such overload: int + double.x", undefined],
  ["no such overload: bool >= string", chained],
  ["no such overload: bool < int", chained],
  ["no such overload: bool + int", undefined],
])("%s: %s", (message, hint) => {
  expect(typeHint(message, "")?.slice(0, hint?.length)).toBe(hint);
});

test.each<[message: string, written: string, hint: string]>([
  ["int == string", "x == '-5'", "write -5 without quotes"],
  ["string == int", "'5.5' == x", sameType],
  ["double == string", 'x == "-5"', "write -5.0 without quotes"],
  ["string < double", "'5.5' < x", "write 5.5 without quotes"],
  ["string < double", "'5.5\" < x", sameType],
  ["string < double", "a'5.5' < x", sameType],
])("no such overload: %s in %s: %s", (overload, written, hint) => {
  expect(typeHint(`no such overload: ${overload}`, written)).toBe(hint);
});

test.each([
  ["no such key: uri", inList("uri")],
  ["no such key: custom_path", inList("custom_path")],
  ["no such key: parameterValues", underscores("parameter_values")],
  ["no such key: rows", undefined],
  ["no such key: a b", undefined],
])("%s as a field: %s", (message, hint) => {
  expect(fieldHint(message)).toBe(hint);
});

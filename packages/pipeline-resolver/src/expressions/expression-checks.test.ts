import { describe, expect, test } from "vitest";
import { compileExpression, type ExpressionKind } from "../index.js";

type Said = readonly [message: string, at: string, hint?: string];
type Row = readonly [text: string, ...problems: readonly Said[]];

const unknown = (name: string, hint: string): Said => [`unknown variable: ${name}`, name, hint];
const known = "known here: inputs, outputs; a text needs quotes";
const inputs = "a condition reads inputs: inputs.parameter_values['name']";
const constant = (name: string, written: string): Row => [
  `${name} == 1`,
  unknown(name, `CEL writes ${written}`),
];

/** What is said of a name that stands for nothing. */
const names: readonly Row[] = [
  ["foo == 1", unknown("foo", known)],
  ["[1].all(x, foo == x) || x == 1", unknown("foo", known), unknown("x", known)],
  ["int_value == 1", unknown("int_value", known)],
  ["double_value == 1", unknown("double_value", known)],
  ["input == 1", unknown("input", "did you mean inputs?")],
  ["Output == 1", unknown("Output", "did you mean outputs?")],
  constant("True", "true"),
  constant("TRUE", "true"),
  constant("False", "false"),
  constant("FALSE", "false"),
  constant("None", "null"),
  constant("Null", "null"),
  constant("NULL", "null"),
  ...["null", "number", "string", "bool", "struct", "list"].map(
    (kind): Row => [`${kind}_value == 1`, unknown(`${kind}_value`, inputs)],
  ),
];

const members =
  "known here: null_value, number_value, string_value, bool_value, struct_value, list_value; a text needs quotes";

/** The same of a selector. */
const namesOfSelectors: readonly Row[] = [
  ["int_value", unknown("int_value", "numbers of any kind are number_value")],
  ["double_value", unknown("double_value", "numbers of any kind are number_value")],
  ["inputs.x", unknown("inputs", "a selector sees the value itself, for example as string_value")],
  ["outputs.x", unknown("outputs", members)],
  ["zzz", unknown("zzz", members)],
  ["strng_value", unknown("strng_value", "did you mean string_value?")],
  ["True", unknown("True", "CEL writes true")],
];

const noFunction = (call: string, name: string, hint: string): Row => [
  `${call} == 1`,
  [`unknown function: ${name}`, call, hint],
];
const letters = "CEL leaves the case of texts as it is: compare with each spelling";
const standard = "only the standard functions of CEL and parseJson are there";

const functions: readonly Row[] = [
  noFunction("existsOne([1])", "existsOne", "write exists_one"),
  noFunction("float(1)", "float", "write double(…)"),
  noFunction("len([])", "len", "write size(…)"),
  noFunction("'a'.length()", "length", "write size(…)"),
  noFunction("lower('a')", "lower", letters),
  noFunction("'a'.upper()", "upper", letters),
  noFunction("not(true)", "not", "CEL writes ! for not"),
  noFunction("str(1)", "str", "write string(…)"),
  noFunction("startWith('a', 'b')", "startWith", "did you mean startsWith?"),
  noFunction("'a'.endWith('b')", "endWith", "did you mean endsWith?"),
  noFunction("nothing(1)", "nothing", standard),
  noFunction("constructor(1)", "constructor", standard),
];

const fieldOnly = "has() takes a field";
const grouped = (operator: string, at: string): Said => [
  `${operator} is not read after the comparison on its right`,
  at,
  "put parentheses around the part that belongs together",
];

/** What can be read and is not meant so, or not taken by the back end. */
const syntax: readonly Row[] = [
  ["has()", [`${fieldOnly}: has(target.field)`, "has()", "ask 'name' in target for names in quotes"]],
  ["has(true)", [fieldOnly, "true"]],
  ["has(inputs)", [fieldOnly, "inputs"]],
  ...["<", "<=", ">", ">=", "in"].flatMap((sign) =>
    ["==", "!="].map((operator): Row => {
      const text = `true ${operator} 1 ${sign} [2]`;
      return [text, grouped(operator, text)];
    }),
  ),
  ["1 == 1 || true == 1 < 2", grouped("==", "true == 1 < 2")],
];

const not64 = (shown: string, at = shown): Said => [`${shown} is not a 64-bit integer`, at];

const numbers: readonly Row[] = [
  ["9223372036854775808 > 1", not64("9223372036854775808")],
  ["-9223372036854775809 < 1", not64("-9223372036854775809", "9223372036854775809")],
  [
    "[9223372036854775808, 9223372036854775809] == []",
    not64("9223372036854775808"),
    not64("9223372036854775809"),
  ],
];

const twice = (key: string): Said => [`the key ${key} stands in the map twice`, key];
const noKey = (key: string): Said => [`a key of a map is a text, a whole number or a bool, not ${key}`, key];

const keys: readonly Row[] = [
  ["{'a': 1, 'a': 2} == {}", twice("'a'")],
  ["{'a': 1, 'b': 1, 'a': 2, 'b': 3} == {}", twice("'a'"), twice("'b'")],
  ["{1: 1, 1: 2, true: 1, true: 2} == {}", twice("1"), twice("true")],
  ["{1: 1, 1u: 2} == {}", twice("1u")],
  ["{1.5: 1} == {}", noKey("1.5")],
  ["{null: 1} == {}", noKey("null")],
  ["{b'a': 1} == {}", noKey("b'a'")],
  ["{1.5: 1, 1.5: 2} == {}", noKey("1.5"), twice("1.5"), noKey("1.5")],
];

const pattern = (reason: string, at: string): Said => [`invalid pattern of matches(): ${reason}`, at];
const long = `'a'.matches('${"a".repeat(1_001)}')`;

const patterns: readonly Row[] = [
  ["'a'.matches('(')", pattern("missing closing ): `(`", "'a'.matches('(')")],
  ["true || matches('a', '[')", pattern("missing closing ]: `[`", "matches('a', '[')")],
  [long, pattern("the pattern is 1001 characters long, at most 1000 are allowed", long)],
];

describe.each<readonly [code: string, kind: ExpressionKind, rows: readonly Row[]]>([
  ["unknown-name", "condition", names],
  ["unknown-name", "selector", namesOfSelectors],
  ["unknown-function", "condition", functions],
  ["syntax", "condition", syntax],
  ["invalid-number", "condition", numbers],
  ["unsupported-key", "condition", keys],
  ["invalid-pattern", "condition", patterns],
])("%s, said of a %s:", (code, kind, rows) => {
  test.each(rows.map(([text, ...said]) => ({ text, said })))("$text", ({ text, said }) => {
    const { problems } = compileExpression(text, kind);
    expect(
      problems.map(({ span, ...problem }) => ({ ...problem, at: text.slice(span.start, span.end) })),
    ).toStrictEqual(
      said.map(([message, at, hint]) => ({
        code,
        severity: "error",
        message,
        at,
        ...(hint === undefined ? {} : { hint }),
      })),
    );
  });
});

describe("nothing is said of", () => {
  test.each([
    "[1].all(foo, foo == 1)",
    ...["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"].map(
      (name) => `type(1) == ${name}`,
    ),
    "type(1) == google.protobuf.Timestamp",
    "true == (1 < 2)",
    "1 < 2 == true",
    "true == false != true",
    "true && 1 < 2",
    "9223372036854775807 > 1",
    "-9223372036854775808 < 1",
    "18446744073709551615u > 1u",
    "{1: 1, true: 2, 'a': 3, 'b': 4} == {}",
    "{1: 1, '1': 2} == {}",
    "{dyn(1): 1, dyn(1): 2} == {}",
    `'a'.matches('${"a".repeat(1_000)}')`,
    "'a'.matches(string(1))",
  ])("%s", (text) => expect(compileExpression(text, "condition").problems).toEqual([]));
});

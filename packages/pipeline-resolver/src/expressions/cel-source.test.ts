import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";

const literal = "a literal cannot stand here";
const field = "a name in backticks is that of a field";

describe("what stands where it may not is refused at its place:", () => {
  test.each([
    ["''.5'' == ''", ".5", literal],
    [".5'x'.5 == ''", ".5", literal],
    ["inputs.`a b`(1)", "`a b`", field],
    ["[1].`b`(x, true)", "`b`", field],
    ["{'a': 1}.`a`()", "`a`", field],
    ["true || {'b': 1}.`b`.`c d`(1)", "`c d`", field],
  ])("%s", (text, at, message) => {
    const { problems } = compileExpression(text, "condition");
    expect(problems).toMatchObject([{ code: "syntax", severity: "error", message }]);
    expect(problems.map(({ span }) => text.slice(span.start, span.end))).toEqual([at]);
  });

  test.each([
    "`a` == 1",
    ".`a` == 1",
    "inputs.`` == 1",
    "inputs.`a$` == 1",
    "inputs.`a\nb` == 1",
    "inputs`a`",
  ])("%s", (text) => {
    expect(compileExpression(text, "condition").problems).toMatchObject([{ code: "syntax" }]);
  });
});

test.each([
  [".5e999 > 1.0", "unexpected token: ."],
  ["b'\\477' == b''", "octal escape out of range: \\477"],
  ["{'a': 1}.has('a')", "has() takes a field: has(target.field)"],
])("what the back end cannot read is told as it was written: %s", (text, message) => {
  expect(compileExpression(text, "condition").problems).toMatchObject([{ code: "syntax", message }]);
});

describe("numbers, texts, bytes and names are read as the back end reads them:", () => {
  test.each([
    [".5 == 0.5"],
    ["1.5e0 == .15e1 && .5E-1 == 0.05 && [.25][0] == .25 && -.5 < .0"],
    ["r'a\\' == 'a\\\\' && R\"\\n\" == '\\\\n' && r'''a'b\\''' == \"a'b\\\\\""],
    ['r"""a"b\n""" == "a\\"b\\n" && r\'\' == "" && r\'\'\'\'\'\' == ""'],
    ["b'a' == b'\\x61' && b'\\141' == b'a' && b'\\X61' == B\"a\""],
    ["b'\\a\\b\\f\\n\\r\\t\\v' == b'\\x07\\x08\\x0c\\x0a\\x0d\\x09\\x0b'"],
    ["b'\\\\\\?\\\"\\'\\`' == b'\\x5c\\x3f\\x22\\x27\\x60'"],
    ["size(b'é') == 2 && size(b'\\xe9') == 1 && b'é' == b'\\303\\251' && size(b'😀') == 4"],
    ["br'\\n' == b'\\\\n' && bR\"é\" == b'é' && size(br'''a'b''') == 3"],
    ["size(B'é') == 2"],
    ["R'\\' == '\\\\'"],
    ["b'\\XFf\\377\\x00' == b'\\xff\\xFF\\000'"],
    ["has ({'a': 1}.a)"],
    ["{'has': {'x': 1}} . has.x == 1 && has({'has': 1}.has)"],
    ["{'a b': {'c': 1}}.`a b`.`c` == 1 && {'x-y.z/1': true} . \n `x-y.z/1`"],
    ["has({'a b': 1}.`a b`) && !has({'a': 1}.`a b`) && has ({'a': 1}.a)"],
    ["'.5' == '.' + '5' && 'r\"a\"' == \"r\\\"a\\\"\" && 'has(x)' != '`a`' // .5 r'a' has(x).`b`"],
  ])("%s", (text) => {
    const condition = compileExpression(text, "condition");
    expect([condition.problems, condition.evaluate({})]).toEqual([[], { ok: true, value: true }]);
  });
});

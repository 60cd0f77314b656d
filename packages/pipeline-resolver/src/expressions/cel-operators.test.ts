import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

const longest = "duration('9223372036854775807ns')";
const shortest = "duration('-9223372036854775808ns')";
const least = "(-9223372036854775807 - 1)";

test.each([
  "duration('3s') - duration('1s') == duration('2s')",
  "duration('3s') + duration('1s') == duration('4s')",
  "timestamp(10) - timestamp(4) == duration('6s')",
  "timestamp(10) - duration('4s') == timestamp(6)",
  "timestamp(10) + duration('4s') == timestamp(14)",
  "duration('4s') + timestamp(10) == timestamp(14)",
  "int(duration('4s') + timestamp(10)) == 14",
  `${longest} - duration('1ns') < ${longest}`,
  `${shortest} + duration('1ns') > ${shortest}`,
  "6 / -1 == -6 && 6 % -1 == 0 && 7 / -2 == -3 && -7 % 2 == -1",
  `${least} / 1 == ${least} && ${least} % 2 == 0 && -(${least} + 1) == 9223372036854775807`,
  "[1.0, 2.0].all(x, !(double('NaN') < x) && !(double('NaN') >= x) && double('NaN') != x)",
  "double('NaN') != double('NaN') && !(double('NaN') in [double('NaN')])",
  "1.0 <= 1.0 && 1.0 >= 1.0 && !(1.0 < 1.0) && !(1.0 > 1.0)",
  "'a' in {'a': false} && 0 in {0: 0} && !('b' in {'a': true})",
  "dyn(1.0) in {1: ''} && dyn(1u) in [1] && !(dyn(2u) in [1])",
  "{'a': 1}['a'] == 1 && {1: 'x'}[dyn(1.0)] == 'x' && {true: 0}[true] == 0",
])("%s", (text) => {
  const { evaluate, problems } = compileExpression(text, "condition");
  expect(problems).toEqual([]);
  expect(evaluate({})).toEqual({ ok: true, value: true });
});

test.each<[text: string, message: string]>([
  [`${longest} + duration('1ns') == ${longest}`, "integer overflow"],
  [`${shortest} - duration('1ns') == ${longest}`, "integer overflow"],
  [
    "timestamp('9999-01-01T00:00:00Z') - timestamp('0001-01-01T00:00:00Z') > duration('0s')",
    "integer overflow",
  ],
  [`timestamp('9999-12-31T23:59:59Z') + duration('1s') > timestamp(0)`, "timestamp overflow"],
  [`duration('1s') + timestamp('9999-12-31T23:59:59Z') > timestamp(0)`, "timestamp overflow"],
  [`timestamp('0001-01-01T00:00:00Z') - duration('1ns') < timestamp(0)`, "timestamp overflow"],
  [`${least} / -1 > 0`, "integer overflow: -9223372036854775808 by -1"],
  [`${least} % -1 == 0`, "integer overflow: -9223372036854775808 by -1"],
  [`-${least} > 0`, "integer overflow: -(-9223372036854775808)"],
  ["{'a': 1}['b'] == 1", "no such key: b"],
  ["{1: 1}[dyn(2.5)] == 1", "no such key: 2.5"],
])("%s fails: %s", (text, message) => {
  const { evaluate, problems } = compileExpression(text, "condition");
  expect(problems).toEqual([]);
  expect(evaluate({})).toMatchObject({ ok: false, problem: { severity: "error", message } });
});

import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

test.each([
  "bool(true) && bool('T') && !bool('0')",
  "double(5u) / 2.0 == 2.5 && double(5) / 2.0 == 2.5 && double(2.5) == 2.5 && double('1e3') == 1000.0",
  "int(7u) / 2 == 3 && int(7) / 2 == 3 && int('-7') == -7 && int(-7.9) == -7",
  "int(timestamp('1969-12-31T23:59:59.5Z')) == -1 && int(duration('1.5s')) == 1500000000",
  "uint(7) / 2u == 3u && uint(7u) == 7u && uint(7.9) == 7u && uint('7') == 7u",
  "string(true) == 'true' && string(-3) == '-3' && string(3u) == '3' && string(0.5) == '0.5' && string('a') == 'a'",
  "string(b'a\\xc3\\xa9') == 'aé' && string(timestamp(1)) == '1970-01-01T00:00:01Z' && string(duration('90s')) == '90s'",
  "timestamp(timestamp(1)) == timestamp('1970-01-01T00:00:01Z') && duration(duration('1m')) == duration('60s')",
  "[{'a': string(1e6)}][0].a == '1e+06' && {string(1e6): 1}['1e+06'] == 1 && (true ? string(1e6) : '') == '1e+06'",
  "'ab'.matches('^a') && matches('ab', 'b$') && !matches('ab', '^b')",
])("%s", (text) => {
  const { evaluate, problems } = compileExpression(text, "condition");
  expect(problems).toEqual([]);
  expect(evaluate({})).toEqual({ ok: true, value: true });
});

test.each([
  ["bool('yes')", 'bool("yes")'],
  ["double('x') > 0.0", 'double("x")'],
  ["int(9223372036854775808u) > 0", "int(9223372036854775808)"],
  ["int(1e30) > 0", "int(1e+30)"],
  ["uint(-1) > 0u", "uint(-1)"],
  ["uint('-1') > 0u", 'uint("-1")'],
  ["uint(-0.5) > 0u", "uint(-0.5)"],
  ["string(b'\\xff') == ''", "string(255)"],
  ["timestamp('now') > timestamp(0)", 'timestamp("now")'],
  ["timestamp(253402300800) > timestamp(0)", "timestamp(253402300800)"],
  ["duration('1d') > duration('0s')", 'duration("1d")'],
])("%s is no conversion", (text, shown) => {
  const { evaluate, problems } = compileExpression(text, "condition");
  expect(problems).toEqual([]);
  const message = `type conversion error: ${shown}`;
  expect(evaluate({})).toMatchObject({ ok: false, problem: { code: "evaluation", message } });
});

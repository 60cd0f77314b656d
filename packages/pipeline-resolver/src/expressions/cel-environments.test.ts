import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

const outcomeOf = (text: string, limits = {}): unknown => {
  const result = compileExpression(text, "condition", { limits }).evaluate({});
  return result.ok ? result.value : result.problem;
};
const many = (count: number, one: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => one(i)).join(",");

test("the length of an expression alone bounds how much stands in it", () => {
  expect(outcomeOf(`size([${many(2_000, String)}]) == 2000`)).toBe(true);
  expect(outcomeOf(`size({${many(2_000, (i) => `${i}:0`)}}) == 2000`)).toBe(true);
});

test("249 parentheses may stand around a value, and no more unless that is asked for", () => {
  const nested = (depth: number): string => `${"(".repeat(depth)}true${")".repeat(depth)}`;
  expect(outcomeOf(nested(249))).toBe(true);
  expect(outcomeOf(nested(250))).toMatchObject({ code: "limit" });
  expect(outcomeOf(nested(250), { maxDepth: 251 })).toBe(true);
});

test("the depth of one expression is not that of the next", () => {
  const text = `${"(".repeat(20)}true${")".repeat(20)}`;
  const depths = [{}, { maxDepth: 9 }, {}, { maxDepth: 30 }, { maxDepth: 9 }];
  expect(depths.map((limits) => outcomeOf(text, limits))).toMatchObject([
    true,
    { code: "limit" },
    true,
    true,
    { code: "limit" },
  ]);
});

test("has() of a list fails at the field", () => {
  const input = { inputs: { parameterValues: { v: [1] } } };
  const text = "true && has(inputs.parameter_values['v'].k)";
  const start = text.indexOf("k)");
  expect(compileExpression(text, "condition").evaluate(input)).toMatchObject({
    ok: false,
    problem: { message: "no such overload: has() of a list", span: { start, end: start + 1 } },
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

const texts = [
  "",
  "a",
  "\ud7ff",
  "\ue000",
  "\uff21",
  "\ufffd",
  "\uffff",
  "😀",
  "\u{10000}",
  "\u{10ffff}",
  "a😀",
  "a\uffff",
  "\ud7ff\ue000",
  "\ud7ff😀",
];
const bytes = (text: string) => Buffer.from(text);

const compare = (a: string, operator: string, b: string): unknown => {
  const at = (name: string) => `inputs.parameter_values['${name}']`;
  const condition = compileExpression(`${at("a")} ${operator} ${at("b")}`, "condition");
  const result = condition.evaluate({ inputs: { parameterValues: { a, b } } });
  return result.ok ? result.value : result.problem;
};

test.each([
  ["<", (order: number) => order < 0],
  ["<=", (order: number) => order <= 0],
  [">", (order: number) => order > 0],
  [">=", (order: number) => order >= 0],
  ["==", (order: number) => order === 0],
] as const)("texts are compared by their bytes in UTF-8: %s", (operator, holds) => {
  for (const a of texts) {
    for (const b of texts) {
      expect([a, operator, b, compare(a, operator, b)]).toEqual([
        a,
        operator,
        b,
        holds(Buffer.compare(bytes(a), bytes(b))),
      ]);
    }
  }
});

test("random texts, too", () => {
  const text = fc.string({ unit: "binary", maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(compare(a, "<", b)).toBe(Buffer.compare(bytes(a), bytes(b)) < 0);
    }),
    { seed: 21, numRuns: 300 },
  );
});

test("literals, in loops, too, and the values themselves stay as they are", () => {
  const evaluate = (text: string) => compileExpression(text, "condition").evaluate({});
  expect(evaluate("['😀', '😀'].all(x, x > '\\uFFFD')")).toEqual({ ok: true, value: true });
  expect(evaluate("['😀'].exists(x, x < '\\uFFFD' || x == '😀')")).toEqual({ ok: true, value: true });
  expect(evaluate("('😀' > 'a') == true && '😀'.size() == 1")).toEqual({ ok: true, value: true });
  expect(evaluate("timestamp('2026-01-01T00:00:00Z') < timestamp('2026-01-02T00:00:00Z')").ok).toBe(true);
});

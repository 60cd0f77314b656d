import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";
import { areEqual, compare, entryAt } from "./cel-equality.js";

const unsigned = (value: bigint): UnsignedInt => new UnsignedInt(value);

// The two next to each other that are one double.
const [below, above] = [2n ** 53n, 2n ** 53n + 1n];

describe("whole numbers are compared exactly, however large", () => {
  test.each<readonly [less: bigint | UnsignedInt, more: bigint | UnsignedInt]>([
    [below, above],
    [unsigned(below), unsigned(above)],
    [below, unsigned(above)],
    [unsigned(below), above],
    [-above, -below],
    [-above, unsigned(below)],
    [2n ** 63n - 2n, 2n ** 63n - 1n],
    [-(2n ** 63n), -(2n ** 63n) + 1n],
    [2n ** 63n - 1n, unsigned(2n ** 63n)],
    [unsigned(2n ** 64n - 2n), unsigned(2n ** 64n - 1n)],
  ])("%s is less than %s", (less, more) => {
    expect([compare(less, more), compare(more, less), compare(less, less)]).toEqual([-1, 1, 0]);
    expect([areEqual(less, more), areEqual(more, less), areEqual(more, more)]).toEqual([false, false, true]);
    expect([areEqual([less], [more]), areEqual({ a: less }, { a: more })]).toEqual([false, false]);
    expect(areEqual(new Map([[less, 1]]), new Map([[more, 1]]))).toBe(false);
    expect([entryAt(new Map([[less, "a"]]), more), entryAt(new Map([[less, "a"]]), less)]).toEqual([
      undefined,
      "a",
    ]);
  });

  test("those of both kinds are equal where they are", () => {
    for (const value of [0n, 1n, below, above, 2n ** 63n - 1n]) {
      expect([areEqual(value, unsigned(value)), compare(unsigned(value), value)]).toEqual([true, 0]);
      expect(entryAt(new Map([[value, "a"]]), unsigned(value))).toBe("a");
      expect(areEqual(new Map([[value, [value]]]), new Map([[unsigned(value), [unsigned(value)]]]))).toBe(
        true,
      );
    }
  });
});

describe("with doubles they are compared as doubles", () => {
  test.each<readonly [whole: bigint | UnsignedInt, double: number, order: number]>([
    [below, 2 ** 53, 0],
    [above, 2 ** 53, 0],
    [unsigned(above), 2 ** 53, 0],
    [above + 1n, 2 ** 53, 1],
    [1n, 1.5, -1],
    [unsigned(2n), 1.5, 1],
    [-1n, -1.5, 1],
    [0n, Number.POSITIVE_INFINITY, -1],
    [0n, Number.NEGATIVE_INFINITY, 1],
  ])("%s and %d", (whole, double, order) => {
    expect([compare(whole, double), areEqual(whole, double)]).toEqual([order, order === 0]);
    expect([compare(double, whole) === 0, areEqual(double, whole)]).toEqual([order === 0, order === 0]);
  });

  test("nothing is equal to what is no number, and comes before or after it", () => {
    for (const value of [1n, unsigned(1n), 1, Number.NaN]) {
      expect([compare(value, Number.NaN), areEqual(value, Number.NaN)]).toEqual(["NaN", false]);
      expect([compare(Number.NaN, value), areEqual(Number.NaN, value)]).toEqual(["NaN", false]);
    }
  });
});

test.each([
  [`${below} == ${above}`, false],
  [`${below} != ${above}`, true],
  [`${below} < ${above}`, true],
  [`${below} >= ${above}`, false],
  [`${above} <= ${below}`, false],
  [`${below}u == ${above}u`, false],
  [`int(inputs.parameter_values['above']) == ${below}`, false],
  [`int(inputs.parameter_values['above']) > ${below}`, true],
  [`[${below}] == [${above}]`, false],
  [`{${below}: 1} == {${above}: 1}`, false],
  [`${above} in [${below}]`, false],
  [`${above} in [${below}, ${above}]`, true],
  [`${above} in {${below}: 1}`, false],
  [`[${below}].exists(n, n == ${above})`, false],
])("a condition has them as they are: %s is %s", (condition, value) => {
  const given = { inputs: { parameterValues: { above: `${above}` } } };
  expect(compileExpression(condition, "condition").evaluate(given)).toMatchObject({ ok: true, value });
});

import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";
import { areEqual, compare, entryAt } from "./cel-equality.js";
import { durationOf } from "./cel-time.js";

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

test("values of other kinds are in order among their own, and equal only there", () => {
  const bytes = (...list: readonly number[]) => Uint8Array.from(list);
  const inOrder: readonly (readonly unknown[])[] = [
    [false, true],
    ["", "a", "b", "\uffee", "\u{1f600}"],
    [bytes(), bytes(1), bytes(1, 0), bytes(1, 2), bytes(2)],
    [new Date(0), new Date(1)],
    [durationOf(-1n), durationOf(0n), durationOf(10n ** 12n)],
  ];
  for (const row of inOrder) {
    expect(row.flatMap((a, i) => row.map((b, j) => [Math.sign(Number(compare(a, b))), i - j]))).toEqual(
      row.flatMap((_, i) => row.map((_b, j) => [Math.sign(i - j), i - j])),
    );
    expect(row.map((a) => row.filter((b) => areEqual(a, b)))).toEqual(row.map((a) => [a]));
  }
  const firsts: readonly unknown[] = [...inOrder.map(([first]) => first), null, [], {}, 0];
  expect(firsts.map((a) => firsts.filter((b) => areEqual(a, b)))).toEqual(firsts.map((a) => [a]));
  const numbers: readonly unknown[] = [1, 1n, unsigned(1n)];
  const others: readonly unknown[] = [false, "a", bytes(1), new Date(1), durationOf(1n), null, [], {}];
  const strangers = [
    ...numbers.flatMap((a) => others.map((b) => [a, b] as const)),
    ...others.flatMap((a, i) => others.slice(i + 1).map((b) => [a, b] as const)),
  ];
  expect(strangers.filter(([a, b]) => compare(a, b) !== undefined || compare(b, a) !== undefined)).toEqual(
    [],
  );
  expect([compare([], []), compare(null, null)]).toEqual([undefined, undefined]);
});

test("lists and maps are equal when all of them is", () => {
  const lists = [[], [1], [1, 2], [2, 1], [[1], 2], [1, [2]]];
  expect(lists.map((a) => lists.filter((b) => areEqual(a, b)))).toEqual(lists.map((a) => [a]));
  const maps = [{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: { b: 1 } }, { a: null }];
  expect(maps.map((a) => maps.filter((b) => areEqual(a, b)))).toEqual(maps.map((a) => [a]));
  expect(maps.map((a) => areEqual(a, new Map(Object.entries(a))))).toEqual(maps.map(() => true));
});

test("a map has its own keys, not those of every object", () => {
  for (const map of [{ a: false }, new Map([["a", false]])]) {
    const found = ["a", "toString", "constructor", 1, null].map((key) => entryAt(map, key));
    expect(found).toEqual([false, undefined, undefined, undefined, undefined]);
  }
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

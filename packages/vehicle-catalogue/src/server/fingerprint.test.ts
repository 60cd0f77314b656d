import { expect, test } from "vitest";
import { digitsOf, Fingerprint } from "./fingerprint.js";

const named = (name: (fingerprint: Fingerprint) => Fingerprint): string => name(new Fingerprint()).toString();
const valued = (value: unknown): string => named((fingerprint) => fingerprint.value(value));

/** Pairs of what is written otherwise and has one name, apart. */
function repeated<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const names = items.map(nameOf);
  return items.filter((_, at) => names.indexOf(names[at] ?? "") !== at);
}

test("values that differ have different names", () => {
  const values = [
    ...["", "1", "a", "b", "ab", "ba", "abc", "abc\0", "\u0100\0", "\0\u0001", "\0", "\0\0", "🚗", "🚙"],
    ...[0, 1, -1, 2, 0.5, 0.25, -0.5, 2 ** 31, 2 ** 32, 2 ** 33, 2 ** 53, 1e300, 1e-300, 1 / 3],
    ...[true, false, null],
    ...[[], [1], ["1"], [[1]], [1, 2], [2, 1], [[1], 2], [[1, 2]], [[], []], [[[]]], [null], [true], [""]],
    ...[{}, { a: 1 }, { b: 1 }, { a: "1" }, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: { b: 2 } }, { a: [1] }],
    ...[{ a: {}, b: 1 }, { a: { b: 1 } }, [{ a: 1 }], [{ a: 1 }, { a: 2 }], [{ a: 1, b: 2 }], [{}]],
  ];
  expect(repeated(values, valued)).toEqual([]);
});

test("a value has the name of its like, in every process", () => {
  expect(valued({ a: [1, "x", null], b: 0.5 })).toBe(valued(JSON.parse('{"a":[1,"x",null],"b":0.5}')));
  expect(valued(["Northwind", 1, 0.5, true])).toBe("0DDK2gXH603B");
});

test("sequences that differ have different names", () => {
  const halves = new Fingerprint().text("a").halves();
  const [low, high] = halves;
  const sequences: ((fingerprint: Fingerprint) => Fingerprint)[] = [
    (one) => one,
    (one) => one.text("ab"),
    (one) => one.text("a").text("b"),
    (one) => one.text("").text("ab"),
    (one) => one.text("ab").text(""),
    (one) => one.value("ab"),
    (one) => one.member("a", "b"),
    (one) => one.member("b", "a"),
    (one) => one.value("a").value("b"),
    (one) => one.text("a"),
    (one) => one.part(halves),
    (one) => one.part([high, low]),
    (one) => one.part([low, low]),
    (one) => one.part([high, high]),
    (one) => one.value(low).value(high),
  ];
  expect(repeated(sequences, named)).toEqual([]);
});

test("both halves tell apart, and names have both", () => {
  const all = Array.from({ length: 2000 }, (_, at) => new Fingerprint().value(at));
  for (const half of [0, 1] as const) {
    const halves = all.map((one) => one.halves()[half]);
    expect(halves.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 32)).toBe(true);
    expect(new Set(halves).size).toBe(2000);
  }
  for (const one of all) expect(one.toString()).toBe(one.halves().map(digitsOf).join(""));
});

test("names of members are told apart, and stay what they are, also when there are very many", () => {
  const names = Array.from({ length: 1500 }, (_, at) => `name ${at}`);
  const first = names.map((name) => valued({ [name]: 1 }));
  expect(new Set(first).size).toBe(1500);
  expect(names.map((name) => valued({ [name]: 1 }))).toEqual(first);
});

test.each([
  [0, "000000"],
  [255, "00003."],
  [256, "000100"],
  [2 ** 20, "010000"],
  [2 ** 32 - 1, "....3."],
])("%d in six digits is %s", (number, digits) => {
  expect(digitsOf(number)).toBe(digits);
});

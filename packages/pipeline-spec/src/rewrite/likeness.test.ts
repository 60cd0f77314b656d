import { expect, test } from "vitest";
import { alikeItems } from "./likeness.js";

const long = (middle: string) => `${"a".repeat(50)}${middle.repeat(900)}${"z".repeat(50)}`;

test.each<
  [what: string, before: readonly unknown[], after: readonly unknown[], ...pairs: [number, number][]]
>([
  ["items that have nothing in common are none", ["x", "ab"], ["q", "ab"], [1, 1]],
  ["of items that changed places, the one that was behind is found", ["x", "ab"], ["ab", "x"], [1, 0]],
  [
    "long texts are as alike as their ends",
    [long("b"), "abcdefghij", "klmnopqrst"],
    ["abcXXXXXXX", "klmYYYYYYY", long("c")],
    [0, 2],
  ],
  ["characters that repeat are counted once", ["aa", "bcd"], ["bce", "aaaa", "f"], [1, 0]],
  ["a text is like no map", ["[object Map]", { a: 1 }], [{ a: 1 }, "q"], [1, 0]],
  [
    "what a map begins with counts twice",
    [{ a: 1, b: 2 }],
    [
      { b: 2, c: 1 },
      { a: 1, c: 1 },
    ],
    [0, 1],
  ],
  ["numbers are like nothing", [1, "ab"], [1, 2, "ab"], [1, 2]],
  [
    "more members make maps less alike",
    [{ a: 1 }],
    [
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
    ],
    [0, 1],
  ],
  ["one item of each is not looked at", ["a"], ["a"]],
])("%s", (_what, before, after, ...pairs) => {
  expect([...alikeItems(before, after)]).toEqual(pairs);
});

test("of more than 2,500 pairs nothing is found", () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`);
  expect([...alikeItems(items(50), items(50))]).toHaveLength(50);
  expect([...alikeItems(items(50), items(51))]).toEqual([]);
});

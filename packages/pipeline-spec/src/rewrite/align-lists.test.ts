import { describe, expect, test } from "vitest";
import { alignLists } from "./align-lists.js";
import { alikeItems, isAnother } from "./likeness.js";

const none = undefined;

describe("items of a list are found in another:", () => {
  const rows: readonly (readonly [
    before: readonly unknown[],
    after: readonly unknown[],
    ...pairs: readonly (readonly [number | undefined, number | undefined])[],
  ])[] = [
    [[], []],
    [["a"], [], [0, none]],
    [[], ["a"], [none, 0]],
    [
      ["a", "b"],
      ["a", "b"],
      [0, 0],
      [1, 1],
    ],
    [
      ["a", "c"],
      ["a", "b", "c"],
      [0, 0],
      [none, 1],
      [1, 2],
    ],
    [
      ["a", "b", "c"],
      ["a", "c"],
      [0, 0],
      [1, none],
      [2, 1],
    ],
    [["a", "b"], ["b"], [0, none], [1, 0]],
    [
      [1, 2],
      [3, 1],
      [none, 0],
      [0, 1],
      [1, none],
    ],
    [["a", "b"], ["a"], [0, 0], [1, none]],
    [["a", "a"], ["a"], [0, 0], [1, none]],
    [["a"], ["a", "a"], [0, 0], [none, 1]],
    [
      ["a", "b", "c"],
      ["c", "a", "b"],
      [0, none],
      [1, none],
      [2, 0],
      [none, 1],
      [none, 2],
    ],
    [
      ["a", "b", "a", "c"],
      ["b", "a", "d", "c"],
      [0, none],
      [1, 0],
      [2, 1],
      [none, 2],
      [3, 3],
    ],
    [
      ["a", "x", "b"],
      ["a", "y", "b"],
      [0, 0],
      [1, 1],
      [2, 2],
    ],
    // Between what is the same at either end, too.
    [
      ["p", "x", "a", "q"],
      ["p", "a", "b", "q"],
      [0, 0],
      [1, none],
      [2, 1],
      [none, 2],
      [3, 3],
    ],
    [
      ["p", "r", "a", "b", "q"],
      ["p", "r", "x", "y", "a", "c", "q"],
      [0, 0],
      [1, 1],
      [none, 2],
      [none, 3],
      [2, 4],
      [3, 5],
      [4, 6],
    ],
    // What is most alike stays together.
    [["--rate=1", "--size=2"], ["--size=3"], [0, none], [1, 0]],
    [["--size=2"], ["--rate=1", "--size=3"], [none, 0], [0, 1]],
    [
      [
        { name: "a", value: 1 },
        { name: "b", value: 2 },
      ],
      [
        { name: "b", value: 3 },
        { name: "c", value: 4 },
      ],
      [0, none],
      [1, 0],
      [none, 1],
    ],
    // What is called otherwise and has nothing in common is another, where something else stays.
    [
      [{ name: "a", value: 1 }, "x"],
      [{ name: "b", value: 2 }, "x"],
      [0, none],
      [none, 0],
      [1, 1],
    ],
    [[{ name: "a", value: 1 }], [{ name: "b", value: 2 }], [0, 0]],
    [
      [{ name: "a", value: 1 }, "x"],
      [{ name: "b", value: 1 }, "x"],
      [0, 0],
      [1, 1],
    ],
  ];
  test.each(
    rows.map(
      ([before, after, ...pairs]) =>
        [JSON.stringify(before), JSON.stringify(after), before, after, pairs] as const,
    ),
  )("%s in %s", (_before, _after, before, after, pairs) => {
    expect(alignLists(before, after)).toEqual(pairs);
  });

  test("each of both once, in its order, wherever they are", () => {
    const items = ["a", "b", "ab", "abc", { a: 1 }, { a: 1, b: 2 }, { a: 2, b: 2 }, ["a"], 1];
    for (let seed = 0; seed < 300; seed++) {
      const pick = (from: number, count: number) =>
        Array.from(
          { length: count },
          (_, i) => items[(seed * 7 + i * (1 + (seed % 4)) + from) % items.length],
        );
      const [before, after] = [pick(0, seed % 6), pick(seed % 5, (seed >> 2) % 6)];
      const pairs = alignLists(before, after);
      const indices = (count: number) => Array.from({ length: count }, (_, i) => i);
      expect(pairs.flatMap(([old]) => old ?? [])).toEqual(indices(before.length));
      expect(pairs.flatMap(([, now]) => now ?? [])).toEqual(indices(after.length));
      expect(pairs.filter(([old, now]) => old === undefined && now === undefined)).toEqual([]);
    }
  });
});

describe("items that are most alike", () => {
  const found = (before: readonly unknown[], after: readonly unknown[]) => [...alikeItems(before, after)];
  const numbered = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => text(index));

  test("are not looked for where there is one of each, or too many", () => {
    expect(found(["ab"], ["ac"])).toEqual([]);
    expect(found(["ab"], ["xy", "ac"])).toEqual([[0, 1]]);
    expect(found(["xy", "ab"], ["ac"])).toEqual([[1, 0]]);
    expect(found([], ["a", "b"])).toEqual([]);
    const olds = numbered(50, (index) => `${index}-`.repeat(20));
    const nows = ["", ...numbered(49, (index) => `${index}-`.repeat(20).concat("!"))];
    expect(found(olds, nows)).toEqual(numbered(49, String).map((_, index) => [index, index + 1]));
    expect(found([...olds, "x"], nows)).toEqual([]);
  });

  test.each<[before: readonly unknown[], after: readonly unknown[], ...(readonly [number, number])[]]>([
    // By what texts begin and end with.
    [["abcdef", "uvwxyz"], ["uvwx--"], [1, 0]],
    [["abcdef", "uvwxyz"], ["--wxyz"], [1, 0]],
    [
      ["abcdef", "uvwxyz"],
      ["a-----", "-----z"],
      [0, 0],
      [1, 1],
    ],
    [["abc", "abcd"], ["abcde"], [1, 0]],
    [["b", "c"], ["a"]],
    [
      ["", "x"],
      ["", "y"],
    ],
    // By the members of maps and lists: what they begin with counts twice.
    [
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
      [{ a: 2, b: 2 }],
      [1, 0],
    ],
    [[{ a: 1 }, { b: 1 }], [{ c: 1, b: 1 }], [1, 0]],
    [
      [
        { a: 1, b: 2, c: 3 },
        { a: 0, b: 2, c: 3 },
      ],
      [{ a: 1, b: 0, c: 0 }],
      [0, 0],
    ],
    [[{ a: 1 }, { a: 1, b: 2, c: 3 }], [{ a: 1, b: 2, d: 4 }], [1, 0]],
    [
      [
        ["a", "b"],
        ["c", "d"],
      ],
      [["c"]],
      [1, 0],
    ],
    [[{ a: [1] }, { a: [2] }], [{ a: [2], b: 1 }], [1, 0]],
    // Not by what is of another kind, or neither text nor made of members.
    [["a", { a: 1 }], [{ a: 1, b: 2 }], [1, 0]],
    [[{ a: 1 }, "ab"], ["a"], [1, 0]],
    [
      [1, 2],
      [2, 3],
    ],
    [
      [null, true],
      [null, false],
    ],
    [
      ["1", "2"],
      [1, 2],
    ],
  ])("%j in %j", (before, after, ...pairs) => {
    expect(found(before, after)).toEqual(pairs);
  });

  test("look at no more than a hundred characters of a text", () => {
    const at = (front: number, back: number) => `${"f".repeat(front)}${"-".repeat(300)}${"b".repeat(back)}`;
    // More of the same at either end makes two texts no more alike: the first of them is taken.
    expect(found([at(50, 50), at(60, 60)], [at(70, 70)])).toEqual([[0, 0]]);
    expect(found([at(49, 50), at(60, 60)], [at(70, 70)])).toEqual([[1, 0]]);
    expect(found([at(50, 49), at(60, 60)], [at(70, 70)])).toEqual([[1, 0]]);
  });
});

test.each<[before: unknown, after: unknown, isAnother: boolean]>([
  [{ name: "a", value: 1 }, { name: "b", value: 2 }, true],
  [{ name: "a", value: 1 }, { name: "b" }, true],
  [{ name: "a", value: 1 }, { name: "a", value: 2 }, false],
  [{ name: "a", value: 1 }, { name: "b", value: 1 }, false],
  [{ name: "a" }, { name: "b", value: 1 }, false],
  [{ name: "a", value: 1 }, { key: "b", value: 2 }, false],
  [{ name: 1, value: 1 }, { name: "b", value: 2 }, false],
  [{ name: "a", value: 1 }, { name: 2, value: 2 }, false],
  [{}, {}, false],
  [["a", 1], ["b", 2], false],
  [{ name: "a", value: 1 }, ["b"], false],
  ["a", "b", false],
])("%j became another one as %j: %j", (before, after, expected) => {
  expect(isAnother(before, after)).toBe(expected);
});

test("of equal items the first that comes next is found", () => {
  expect(alignLists(["x", "a", "y", "a"], ["q", "a", "w", "r"])).toContainEqual([1, 1]);
  expect(alignLists(["a", "b", "a", "c", "a"], ["d", "a", "c", "a", "e"])).toContainEqual([3, 2]);
});

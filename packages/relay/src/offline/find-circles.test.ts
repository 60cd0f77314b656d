import { expect, test } from "vitest";
import { findCircles } from "./find-circles.js";

const rows: Readonly<Record<string, [references: Record<string, string[]>, circles: string[][]]>> = {
  none: [{ a: ["b", "c"], b: ["c"], c: [] }, []],
  itself: [{ a: ["a"] }, [["a", "a"]]],
  two: [{ a: ["b"], b: ["a"] }, [["a", "b", "a"]]],
  "behind a way that leads to it": [{ a: ["b"], b: ["c"], c: ["d"], d: ["b"] }, [["b", "c", "d", "b"]]],
  "two that share a name": [
    { a: ["b", "c"], b: ["a"], c: ["a"] },
    [
      ["a", "b", "a"],
      ["a", "c", "a"],
    ],
  ],
  "one to which several ways lead": [{ a: ["b", "c"], b: ["c"], c: ["c"], d: ["c"] }, [["c", "c"]]],
  "what is not there": [{ a: ["x"] }, []],
};
for (const [name, [references, circles]] of Object.entries(rows))
  test(`circles: ${name}`, () => {
    expect(findCircles(new Map(Object.entries(references)))).toEqual(circles);
  });

test("names that are reached in a thousand million ways are looked at once", () => {
  const levels = Array.from({ length: 30 }, (_, n) => {
    const next = [`a${n + 1}`, `b${n + 1}`];
    return [
      [`a${n}`, next],
      [`b${n}`, next],
    ] as const;
  });
  expect(findCircles(new Map(levels.flat()))).toEqual([]);
});

test("a way of 100,000 names is no matter, and of very many circles some are enough", () => {
  const way = Array.from({ length: 100_000 }, (_, n) => [`${n}`, [`${n + 1}`, "0"]] as const);
  expect(findCircles(new Map(way))).toHaveLength(50);
});

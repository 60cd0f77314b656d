import { expect, test } from "vitest";
import { labelledPoints } from "./point-labels.js";

test("the highest point has its value, and so have the ends and all others that there is room for", () => {
  const points = [
    { x: 0, y: 100 },
    { x: 20, y: 95 },
    { x: 100, y: 10 },
    { x: 120, y: 12 },
    { x: 300, y: 60 },
    { x: 340, y: 200 },
  ];
  expect([...labelledPoints(points)].sort()).toEqual([0, 2, 4, 5]);
});

test("no two labels overlap, however many points there are, and one point has one", () => {
  const points = Array.from({ length: 101 }, (_, at) => ({ x: at * 5, y: 200 - at }));
  const labelled = [...labelledPoints(points)].sort((a, b) => a - b);
  for (const [at, place] of labelled.slice(1).entries()) {
    const [before, here] = [points[labelled[at]!]!, points[place]!];
    expect(Math.abs(here.x - before.x) >= 58 || Math.abs(here.y - before.y) >= 30).toBe(true);
  }
  expect(labelled.length).toBeGreaterThan(4);
  expect([...labelledPoints([{ x: 1, y: 1 }])]).toEqual([0]);
  expect([...labelledPoints([])]).toEqual([]);
});

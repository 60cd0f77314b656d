import { expect, test } from "vitest";
import { axisMarks } from "./plot-scale.js";

const rows = [
  { maximum: 250, marks: [0, 50, 100, 150, 200, 250] },
  { maximum: 50, marks: [0, 10, 20, 30, 40, 50] },
  { maximum: 77.7, marks: [0, 20, 40, 60, 80] },
  { maximum: 6.6, marks: [0, 2, 4, 6, 8] },
  { maximum: 0.3, marks: [0, 0.1, 0.2, 0.3] },
  { maximum: 0, marks: [0, 2e-7] },
];
for (const { maximum, marks } of rows) {
  test(`an axis to ${maximum} is marked at ${marks}`, () => expect(axisMarks(maximum)).toEqual(marks));
}

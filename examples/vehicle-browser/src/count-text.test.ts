import { expect, test } from "vitest";
import { countText, type ShownList } from "./count-text.js";

const rows: readonly (readonly [list: ShownList, text: string])[] = [
  [{ shown: 293, overall: 293, brand: undefined, match: "none" }, "293 vehicles"],
  [{ shown: 1, overall: 1, brand: undefined, match: "none" }, "1 vehicle"],
  [{ shown: 0, overall: 0, brand: undefined, match: "none" }, "0 vehicles"],
  [{ shown: 100, overall: 293, brand: undefined, match: "none" }, "100 of 293 vehicles"],
  [{ shown: 29, overall: 29, brand: "Hyundai", match: "none" }, "29 vehicles of Hyundai"],
  [{ shown: 1, overall: 293, brand: undefined, match: "whole" }, "1 match"],
  [{ shown: 25, overall: 293, brand: undefined, match: "cut" }, "the 25 best matches"],
  [{ shown: 4, overall: 29, brand: "Hyundai", match: "whole" }, "4 matches among 29 vehicles of Hyundai"],
  [{ shown: 25, overall: 40, brand: "BMW", match: "cut" }, "the 25 best matches among 40 vehicles of BMW"],
];
for (const [list, text] of rows) test(text, () => expect(countText(list)).toBe(text));

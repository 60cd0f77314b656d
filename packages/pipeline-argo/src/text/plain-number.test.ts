import { expect, test } from "vitest";
import { plainNumber } from "./plain-number.js";

test.each([
  [0, "0"],
  [-0, "-0"],
  [1.5, "1.5"],
  [-12, "-12"],
  [1e21, "1000000000000000000000"],
  [-1.25e22, "-12500000000000000000000"],
  [1e-7, "0.0000001"],
  [-1.5e-9, "-0.0000000015"],
  [123456789012345680000, "123456789012345680000"],
])("%j is written %s", (value, text) => expect(plainNumber(value)).toBe(text));

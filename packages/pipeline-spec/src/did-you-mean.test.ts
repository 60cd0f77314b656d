import { describe, expect, test } from "vitest";
import { didYouMean } from "./index.js";

const names = ["componentRef", "dependentTasks", "inputs", "name", "taskInfo", "env", "cpuLimit"];

describe("didYouMean", () => {
  const rows: readonly [name: string, meant: string | undefined][] = [
    ["componentref", "componentRef"],
    ["component_ref", "componentRef"],
    ["componetRef", "componentRef"],
    ["componentReff", "componentRef"],
    ["dependantTasks", "dependentTasks"],
    ["nmae", "name"],
    ["naem", "name"],
    ["input", "inputs"],
    ["evn", "env"],
    ["taskinfo", "taskInfo"],
    ["cpu-limit", "cpuLimit"],
    ["name", "name"],
    ["x", undefined],
    ["something", undefined],
    ["", undefined],
    ["a".repeat(10_000), undefined],
  ];
  for (const [name, meant] of rows) {
    test(`takes ${name.slice(0, 20) || "nothing"} for ${meant}`, () =>
      expect(didYouMean(name, names)).toBe(meant));
  }

  test("takes the nearest, and of equally near ones the first", () => {
    expect(didYouMean("abce", ["abcd", "abc", "abcf"])).toBe("abcd");
    expect(didYouMean("abc", ["abd", "abc"])).toBe("abc");
    expect(didYouMean("abc", [])).toBeUndefined();
  });
});

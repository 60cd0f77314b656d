import { expect, expectTypeOf, test } from "vitest";
import { enumName } from "./enum-name.js";
import { ParameterType, TriggerStrategy } from "./messages.js";
import { writeJson } from "./write-json.js";

test("every value has its name, which is the one that JSON has", () => {
  for (const [name, value] of Object.entries(ParameterType)) {
    expect(enumName(ParameterType, value)).toBe(name);
  }
  const { strategy } = writeJson("TriggerPolicy", { condition: "", strategy: 2 });
  expect(strategy).toBe(enumName(TriggerStrategy, 2));
});

test("a number that is none of them has no name", () => {
  expect(enumName(ParameterType, 99)).toBeUndefined();
  expect(enumName(ParameterType, Number.NaN)).toBeUndefined();
});

test("names are known to the compiler", () => {
  expectTypeOf(enumName(TriggerStrategy, 1)).toEqualTypeOf<keyof typeof TriggerStrategy | undefined>();
});

import { expect, test } from "vitest";
import { attributeParameters } from "./attribute-parameters.js";

test.each([
  [0, "0"],
  [-0.1, "-0.1"],
  [-57.5, "-57.5"],
  [1e-6, "0.000001"],
  [9e-7, "0.0000009"],
  [-9e-7, "-0.0000009"],
  [2.5e-13, "0.00000000000025"],
  [1e20, "100000000000000000000"],
  [1e21, "1000000000000000000000"],
  [-1e21, "-1000000000000000000000"],
])("the number %d is written without an exponent, as a bound and in a list", (number, text) => {
  const wanted = (usable_battery_size: { readonly gt: number } | readonly number[]) =>
    attributeParameters({ filter: { attributes: { usable_battery_size } } });
  expect(Object.values(wanted({ gt: number }))).toEqual([text]);
  expect(Object.values(wanted([number]))).toEqual([text]);
});

test.each([
  [new Date("2026-01-02T03:04:05.678Z"), "2026-01-02T03:04:05.678Z"],
  ["Fri, 02 Jan 2026 03:04:05 GMT", "Fri, 02 Jan 2026 03:04:05 GMT"],
])("the time %s is asked for as %s", (updatedSince, text) => {
  expect(attributeParameters({ filter: { updatedSince } })).toEqual({ "filter[updated_since]": text });
});

test.each<[wanted: unknown, says: string]>([
  [["a", null], "filter[model] must be a list of texts, numbers or booleans"],
  [[null, "a"], "filter[model] must be a list of texts, numbers or booleans"],
  [[Number.NaN], "filter[model] must be a list of texts, numbers or booleans"],
  [null, "filter[model] must be a list, or bounds"],
  ["a", "filter[model] must be a list, or bounds"],
  [{ gt: 1, lt: Number.NaN }, "the bounds of filter[model] must be numbers"],
  [{ above: 1 }, 'filter[model] has no "above"'],
])("what is wanted of an attribute is not %j", (wanted, says) => {
  const attributes: Record<string, unknown> = { model: wanted };
  expect(() => attributeParameters({ filter: { attributes } })).toThrow(new TypeError(says));
});

test("in a list what would end a text is escaped wherever it stands, and a text without characters is one", () => {
  const attributes = { model: ["a,b,c", "\\x\\", ""] };
  expect(attributeParameters({ filter: { attributes } })).toEqual({
    "filter[model]": "a\\,b\\,c,\\\\x\\\\,\\e",
  });
});

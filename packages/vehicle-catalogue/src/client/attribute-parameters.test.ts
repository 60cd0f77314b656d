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

test("in a list what would end a text is escaped wherever it stands, and a text without characters is one", () => {
  const attributes = { model: ["a,b,c", "\\x\\", ""] };
  expect(attributeParameters({ filter: { attributes } })).toEqual({
    "filter[model]": "a\\,b\\,c,\\\\x\\\\,\\e",
  });
});

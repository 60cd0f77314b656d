import { expect, test } from "vitest";
import { defaultChargingCurve } from "./index.js";

test.each([
  [100, 11, [95, 100, 11]],
  [77.7, 7.36, [73.8, 77.7, 7.4]],
  [0.26, 0.04, [0.2, 0.3, 0]],
])("the default curve of %d kW DC and %d kW AC has one decimal", (dc, ac, powers) => {
  expect(defaultChargingCurve(dc, ac)).toEqual(
    [0, 75, 100].map((percentage, at) => ({ percentage, power: powers[at] })),
  );
});

test.each([
  [undefined, 11],
  [100, undefined],
  ["100", 11],
  [100, "11"],
])("there is none of %j and %j", (dc, ac) => {
  const call = () => defaultChargingCurve(dc as number, ac as number);
  expect(call).toThrow(new TypeError("dcMaxPower and acMaxPower must be numbers"));
});

import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

const moment = "timestamp('2024-12-31T23:30:15.250Z')";

test.each<[call: string, wanted: number]>([
  ["getFullYear()", 2024],
  ["getMonth()", 11],
  ["getDate()", 31],
  ["getDayOfMonth()", 30],
  ["getDayOfWeek()", 2],
  ["getDayOfYear()", 365],
  ["getHours()", 23],
  ["getMinutes()", 30],
  ["getSeconds()", 15],
  ["getMilliseconds()", 250],
  ["getHours('')", 23],
  ["getHours('1:5')", 0],
  ["getMinutes('+1:5')", 35],
  ["getMinutes('-1:5')", 25],
  ["getDate('Asia/Tokyo')", 1],
  ["getDayOfMonth('Asia/Tokyo')", 0],
  ["getMonth('Asia/Tokyo')", 0],
  ["getSeconds('Asia/Tokyo')", 15],
  ["getMilliseconds('Asia/Tokyo')", 250],
])("%s of the last half hour of a year is %i", (call, wanted) => {
  const condition = compileExpression(`${moment}.${call} == ${wanted}`, "condition");
  expect(condition.evaluate({})).toEqual({ ok: true, value: true });
});

test.each(["x02:00", "02:00x", "+123:00", "02:000", "02", "Mars"])("%j is no time zone", (zone) => {
  const { evaluate } = compileExpression(`${moment}.getHours('${zone}') == 1`, "condition");
  expect(evaluate({})).toMatchObject({
    ok: false,
    problem: { code: "evaluation", message: `unknown time zone "${zone}"` },
  });
});

test.each<[call: string, wanted: number]>([
  ["getHours()", 1],
  ["getMinutes()", 90],
  ["getSeconds()", 5400],
  ["getMilliseconds()", 5_400_025],
])("%s of a duration is the whole of it: %i", (call, wanted) => {
  const { evaluate } = compileExpression(`duration('90m0.025s').${call} == ${wanted}`, "condition");
  expect(evaluate({})).toEqual({ ok: true, value: true });
});

test("more zones than are remembered are all known", () => {
  const zones = Intl.supportedValuesOf("timeZone").slice(0, 70);
  expect(zones).toHaveLength(70);
  const list = zones.map((zone) => `'${zone}'`).join(", ");
  const { evaluate } = compileExpression(
    `[${list}].all(zone, timestamp('0099-06-15T12:00:00Z').getFullYear(zone) == 99)`,
    "condition",
  );
  expect([evaluate({}), evaluate({})]).toEqual(Array(2).fill({ ok: true, value: true }));
});

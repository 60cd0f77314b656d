import { describe, expect, test } from "vitest";
import { cronReason } from "./cron-reason.js";

describe("a cron is taken", () => {
  test.each([
    ...["* * * * * *", "0 0 0 1 1 0", "59 59 23 31 12 6", "0 0 0 1 1", "  0  0 0\t1 1 ", "? ? ? ? ? ?"],
    ...[
      "0 0 0 1 JAN SUN",
      "0 0 0 1 jan-dec sun-sat",
      "0 0 0 1 1,2,,3 0,",
      "*/5 0/15 1-3/2 1 1 *",
      "+5 0 0 1 1 *",
    ],
    ...["*-9 0 0 1 1 *", "59/1 0 0 1 1 *"],
    ...["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"],
    ...[
      "@every 0",
      "@every 1h",
      "@every 1h30m1.5s",
      "@every .5s",
      "@every 1.s",
      "@every -1ms",
      "@every +1us",
    ],
    ...["@every 5ns", "@every 5µs", "@every 5μs"],
  ])("%s", (cron) => expect(cronReason(cron)).toBeUndefined());
});

const none = (text: string) =>
  `Failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
const duration = (text: string) =>
  `Failed to parse duration @every ${text}: time: invalid duration ${JSON.stringify(text)}`;

describe("a cron is not taken, in the words of the scheduler:", () => {
  test.each<readonly [cron: string, reason: string]>([
    ["", "Empty spec string"],
    ["* * * *", "Expected 5 to 6 fields, found 4: * * * *"],
    ["* * * * * * *", "Expected 5 to 6 fields, found 7: * * * * * * *"],
    [" ", "Expected 5 to 6 fields, found 0:  "],
    ["@noon", "Unrecognized descriptor: @noon"],
    ["@every", "Unrecognized descriptor: @every"],
    ["@every ", duration("")],
    ["@every 5", duration("5")],
    ["@every 1d", duration("1d")],
    ["@every 1h ", duration("1h ")],
    ["@every x1h", duration("x1h")],
    ["@every .s", duration(".s")],
    ["60 * * * * *", "End of range (60) above maximum (59): 60"],
    ["* 60 * * * *", "End of range (60) above maximum (59): 60"],
    ["* * 24 * * *", "End of range (24) above maximum (23): 24"],
    ["* * * 0 * *", "Beginning of range (0) below minimum (1): 0"],
    ["* * * 32 * *", "End of range (32) above maximum (31): 32"],
    ["* * * * 0 *", "Beginning of range (0) below minimum (1): 0"],
    ["* * * * 13 *", "End of range (13) above maximum (12): 13"],
    ["* * * * * 7", "End of range (7) above maximum (6): 7"],
    ["1,60 * * * * *", "End of range (60) above maximum (59): 60"],
    ["5-3 * * * * *", "Beginning of range (5) beyond end of range (3): 5-3"],
    ["1-2-3 * * * * *", "Too many hyphens: 1-2-3"],
    ["1/2/3 * * * * *", "Too many slashes: 1/2/3"],
    ["*/0 * * * * *", "Step of range should be a positive number: */0"],
    ["*/x * * * * *", none("x")],
    ["*/ * * * * *", none("")],
    ["/5 * * * * *", none("")],
    ["5- * * * * *", none("")],
    ["5-x * * * * *", none("x")],
    ["x * * * * *", none("x")],
    ["5x * * * * *", none("5x")],
    ["x5 * * * * *", none("x5")],
    ["jan * * * * *", none("jan")],
    ["*/jan * * * * *", none("jan")],
    ["-5 * * * * *", none("")],
    ["*/-5 * * * * *", "Negative number (-5) not allowed: -5"],
    ["*/-5x * * * * *", none("-5x")],
    ["*/x-5 * * * * *", none("x-5")],
    ["* * * * @daily *", none("@daily")],
    ["* * * * foo *", none("foo")],
  ])("%s", (cron, reason) => expect(cronReason(cron)).toBe(reason));
});

import { describe, expect, test } from "vitest";
import { formatGo, formatStrftime } from "./format-time.js";

const strftime = "%A|%a|%B|%b|%h|%C|%D|%d|%e|%F|%H|%I|%j|%k|%l|%M|%m|%p|%R|%r|%S|%T|%u|%w|%Y|%y|%Z|%z|%%";
const go =
  "January|Jan|Monday|Mon|MST|2006|002|01|02|03|04|05|06|_2|15|PM|pm|Z07:00|Z0700|-07:00|-0700|-07|1|2|3|4|5";

/** A time, and what it is in each of the parts above. */
const times: readonly (readonly [time: string, strftime: string, go: string])[] = [
  [
    "2026-01-04T00:00:00Z",
    "Sunday|Sun|January|Jan|Jan|20|01/04/26|04| 4|2026-01-04|00|12|004| 0|12|00|01|AM|00:00|12:00:00 AM|00|00:00:00|7|0|2026|26|UTC|+0000|%",
    "January|Jan|Sunday|Sun|UTC|2026|004|01|04|12|00|00|26| 4|00|AM|am|Z|Z|+00:00|+0000|+00|1|4|12|0|0",
  ],
  [
    "2024-12-31T11:59:09Z",
    "Tuesday|Tue|December|Dec|Dec|20|12/31/24|31|31|2024-12-31|11|11|366|11|11|59|12|AM|11:59|11:59:09 AM|09|11:59:09|2|2|2024|24|UTC|+0000|%",
    "December|Dec|Tuesday|Tue|UTC|2024|366|12|31|11|59|09|24|31|11|AM|am|Z|Z|+00:00|+0000|+00|12|31|11|59|9",
  ],
  [
    "1999-05-01T12:00:10Z",
    "Saturday|Sat|May|May|May|19|05/01/99|01| 1|1999-05-01|12|12|121|12|12|00|05|PM|12:00|12:00:10 PM|10|12:00:10|6|6|1999|99|UTC|+0000|%",
    "May|May|Saturday|Sat|UTC|1999|121|05|01|12|00|10|99| 1|12|PM|pm|Z|Z|+00:00|+0000|+00|5|1|12|0|10",
  ],
  [
    "2000-02-29T23:07:08Z",
    "Tuesday|Tue|February|Feb|Feb|20|02/29/00|29|29|2000-02-29|23|11|060|23|11|07|02|PM|23:07|11:07:08 PM|08|23:07:08|2|2|2000|00|UTC|+0000|%",
    "February|Feb|Tuesday|Tue|UTC|2000|060|02|29|11|07|08|00|29|23|PM|pm|Z|Z|+00:00|+0000|+00|2|29|11|7|8",
  ],
];

describe.each(times)("%s", (time, byStrftime, byGo) => {
  test("by a format of strftime", () => expect(formatStrftime(new Date(time), strftime)).toBe(byStrftime));
  test("by a layout of Go", () => expect(formatGo(new Date(time), go)).toBe(byGo));
});

test("months and days have their names", () => {
  const dates = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, month + 1)));
  expect(dates.map((date) => formatStrftime(date, "%B %b"))).toEqual([
    ...["January Jan", "February Feb", "March Mar", "April Apr", "May May", "June Jun", "July Jul"],
    ...["August Aug", "September Sep", "October Oct", "November Nov", "December Dec"],
  ]);
  const days = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, 4 + day)));
  expect(days.map((date) => formatGo(date, "Monday Mon"))).toEqual([
    ...[
      "Sunday Sun",
      "Monday Mon",
      "Tuesday Tue",
      "Wednesday Wed",
      "Thursday Thu",
      "Friday Fri",
      "Saturday Sat",
    ],
  ]);
});

describe("what is no part stays:", () => {
  const date = new Date("2026-01-04T00:00:00Z");
  test.each([
    ["%Q %f % %", "%Q %f % %"],
    ["%%Y %Y%", "%Y 2026%"],
    ["%constructor %\n", "%constructor %\n"],
    ["%n%t", "\n\t"],
  ])("%j of strftime", (format, text) => expect(formatStrftime(date, format)).toBe(text));

  test.each([
    ["Janus Jan", "Janus Jan"],
    ["Months Mon", "Months Sun"],
    ["_2006 2006", "_2026 2026"],
    ["07 08 9 am AM", "07 08 9 am AM"],
    ["", ""],
  ])("%j of Go", (layout, text) => expect(formatGo(date, layout)).toBe(text));
});

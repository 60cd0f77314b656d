import { expect, test } from "vitest";
import { Nested, printRequest, printTime } from "./write-message.js";

test.each<readonly [message: object, text: string]>([
  [{}, "{}"],
  [{ a: undefined }, "{}"],
  [
    { displayName: "x", a: 1, isOn: false, none: null },
    '{"display_name":"x","a":1,"is_on":false,"none":null}',
  ],
  [{ aBC: 1, 'a"b': 2 }, '{"a_b_c":1,"a\\"b":2}'],
  [{ parameters: { aName: { bName: [1] } } }, '{"parameters":{"aName":{"bName":[1]}}}'],
  [
    { aTrigger: new Nested({ startTime: new Date(1500), none: undefined, inside: new Nested({}) }) },
    '{"a_trigger":{"start_time":"1970-01-01T00:00:01Z","inside":{}}}',
  ],
])("%j is sent as %s", (message, text) => expect(printRequest({ ...message })).toBe(text));

test.each<readonly [value: unknown, problem: RegExp]>([
  [1n, /^`parameters` has no JSON: /],
  [new Map(), /^`parameters` has no JSON: /],
  [{ a: () => {} }, /^`parameters` has no JSON: /],
  [new Date(Number.NaN), /^a time is a valid Date$/],
])("%o is refused by name", (parameters, problem) => {
  expect(() => printRequest({ parameters })).toThrow(TypeError);
  expect(() => printRequest({ parameters })).toThrow(problem);
});

test.each<readonly [date: Date, text: string]>([
  [new Date(0), "1970-01-01T00:00:00Z"],
  [new Date(999), "1970-01-01T00:00:00Z"],
  [new Date(1000), "1970-01-01T00:00:01Z"],
  [new Date(Date.UTC(2026, 10, 29, 23, 59, 59, 999)), "2026-11-29T23:59:59Z"],
])("the moment %j is %s", (date, text) => expect(printTime(date)).toBe(text));

test.each<unknown>([new Date("soon"), "2026-01-02T03:04:05Z", 5, undefined, null, { getTime: () => 1 }])(
  "%o is no moment",
  (date) => expect(() => printTime(date as Date)).toThrow(new TypeError("a time is a valid Date")),
);

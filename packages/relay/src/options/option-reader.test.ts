import { describe, expect, test } from "vitest";
import { OptionReader } from "./option-reader.js";

const day = 24 * 3_600_000;
const limit = 'must be a time span from "1ms" to 24 days: milliseconds, or text like "30s", "1m30s"';
const span = 'must be a time span up to 100 years: milliseconds, or text like "30s", "1m30s", "250ms"';
const whole = "must be a whole number above zero";
const orZero = "must be zero or a whole number above it";
const above = "must be a number above zero";
const moment = 'must be Unix milliseconds, a Date, or text with a zone like "2027-01-31T18:00:00Z"';
const seconds = (ms: number) => `is ${ms}, which is Unix seconds: milliseconds are meant`;
const texts = "must be a list of strings, none of them empty";
const header = "must not be empty, and have no blanks or characters that a header cannot carry";
const address = 'must be an absolute address like "https://stream.example.com"';
const query = "must not have a query or a fragment";
const methods = (missing: string) => `must be an object with the methods run, stop; missing: ${missing}`;
const listed = 'must be a list of keys, each as text or as { key: "…", expires: "…" }';
const at = Date.UTC(2027, 0, 31, 18);
const both = { run() {}, stop() {} };
const runs = Object.assign(() => {}, both);

type Row = readonly [given: unknown, read: unknown, problem?: string];

/** What each way of reading makes of the option `x`, and what it says. A fallback stands for what was not set, or is wrong. */
const rows: Readonly<
  Record<string, readonly [read: (reader: OptionReader) => unknown, rows: readonly Row[]]>
> = {
  string: [
    (reader) => reader.string("x"),
    [
      ["", ""],
      ["a", "a"],
      [undefined, undefined],
      [null, undefined, "must be a string"],
    ],
  ],
  credential: [
    (reader) => reader.credential("x"),
    [
      ["!key~", "!key~"],
      [undefined, undefined],
      [5, undefined, "must be a string"],
      ["", "", header],
      ["a b", "a b", header],
      ["a\n", "a\n", header],
      ["a\x7f", "a\x7f", header],
    ],
  ],
  "a credential that must be there": [
    (reader) => reader.credential("x", "has to be there"),
    [
      ["a", "a"],
      [undefined, undefined, "has to be there"],
      [5, undefined, "must be a string"],
    ],
  ],
  boolean: [
    (reader) => reader.boolean("x", true),
    [
      [undefined, true],
      [false, false],
      [0, true, "must be true or false"],
      ["", true, "must be true or false"],
      [null, true, "must be true or false"],
    ],
  ],
  strings: [
    (reader) => reader.strings("x", ["f"], (text) => (text === "bad" ? "it is bad" : undefined)),
    [
      [undefined, ["f"]],
      [[], []],
      [
        ["a", "b"],
        ["a", "b"],
      ],
      [["a", ""], [], texts],
      [["a", 5], [], texts],
      ["a", [], texts],
      [["a", "bad"], ["a", "bad"], 'has "bad"; it is bad'],
    ],
  ],
  duration: [
    (reader) => reader.duration("x", 7),
    [
      [undefined, 7],
      [0, 0],
      ["1m", 60_000],
      [-1, 7, span],
      ["", 7, span],
      [false, 7, span],
      [null, 7, span],
    ],
  ],
  "time limit": [
    (reader) => reader.timeLimit("x", 7),
    [
      [undefined, 7],
      [1, 1],
      ["576h", 24 * day],
      [24 * day, 24 * day],
      [24 * day + 1, 7, limit],
      [0, 7, limit],
      ["x", 7, limit],
      ["", 7, limit],
      [null, 7, limit],
    ],
  ],
  count: [
    (reader) => reader.count("x", 7),
    [
      [undefined, 7],
      [1, 1],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      [Number.MAX_SAFE_INTEGER + 1, 7, whole],
      [0, 7, whole],
      [1.5, 7, whole],
      ["1", 7, whole],
      ["", 7, whole],
      [null, 7, whole],
    ],
  ],
  "count or none": [
    (reader) => reader.countOrNone("x", 7),
    [
      [undefined, 7],
      [0, 0],
      [1, 1],
      [-1, 7, orZero],
      ["", 7, orZero],
      [false, 7, orZero],
      [null, 7, orZero],
    ],
  ],
  positive: [
    (reader) => reader.positive("x", 7),
    [
      [undefined, 7],
      [0.1, 0.1],
      [0, 7, above],
      [-1, 7, above],
      [Number.POSITIVE_INFINITY, 7, above],
      [Number.NaN, 7, above],
      ["1", 7, above],
      ["", 7, above],
      [null, 7, above],
    ],
  ],
  "one of several": [
    (reader) => reader.oneOf("x", ["a", "b"]),
    [
      [undefined, "a"],
      ["b", "b"],
      ["c", "a", 'must be one of "a", "b"'],
      ["", "a", 'must be one of "a", "b"'],
      [null, "a", 'must be one of "a", "b"'],
    ],
  ],
  "one of several, another one as long as nothing is set": [
    (reader) => reader.oneOf("x", ["a", "b"], "b"),
    [
      [undefined, "b"],
      ["a", "a"],
      ["c", "b", 'must be one of "a", "b"'],
    ],
  ],
  address: [
    (reader) => reader.url("x", "http://fallback"),
    [
      [undefined, "http://fallback"],
      ["https://a.example", "https://a.example"],
      ["http://a.example:1/b//", "http://a.example:1/b"],
      ["ftp://a.example", "http://fallback", address],
      ["a.example", "http://fallback", address],
      ["", "http://fallback", address],
      ["https://a.example/?b", "http://fallback", query],
      ["https://a.example/#b", "http://fallback", query],
    ],
  ],
  function: [
    (reader) => reader.function("x", "fallback"),
    [
      [undefined, "fallback"],
      [runs, runs],
      [both, "fallback", "must be a function"],
      [null, "fallback", "must be a function"],
      [{ x: 1 }, "fallback", "must be a function"],
      [{ x: runs }, "fallback", "must be a function, such as the member x of what is given"],
    ],
  ],
  object: [
    (reader) => reader.object<typeof both>("x", ["run", "stop"]),
    [
      [undefined, undefined],
      [both, both],
      [runs, runs],
      [{ run() {}, stop: true }, undefined, methods("stop")],
      [{}, undefined, methods("run, stop")],
      [null, undefined, methods("run, stop")],
      ["text", undefined, methods("run, stop")],
    ],
  ],
  moment: [
    (reader) => reader.moment("x"),
    [
      [undefined, undefined],
      [at, at],
      [new Date(at), at],
      ["2027-01-31T18:00Z", at],
      ["2027-01-31T18:00:00Z", at],
      ["2027-01-31T18:00:00.25Z", at + 250],
      ["2027-01-31T16:30:00-01:30", at],
      ["2027-01-31T19:30:00+01:30", at],
      [0, 0],
      [999_999_999, 999_999_999],
      [1e9, 1e9, seconds(1e9)],
      [1e11 - 1, 1e11 - 1, seconds(1e11 - 1)],
      [1e11, 1e11],
      [new Date(1e9), 1e9],
      ["2027-01-31T18:00:00", undefined, moment],
      ["2027-01-31", undefined, moment],
      ["at 2027-01-31T18:00:00Z", undefined, moment],
      ["2027-01-31T18:00:00Z at", undefined, moment],
      ["2027-13-31T18:00:00Z", undefined, moment],
      [new Date(Number.NaN), undefined, moment],
      [Number.POSITIVE_INFINITY, undefined, moment],
      [null, undefined, moment],
    ],
  ],
  keys: [
    (reader) => reader.keys("x"),
    [
      [undefined, undefined],
      [[], []],
      [
        ["a", { key: "b", expires: 5 }],
        [{ value: "a" }, { value: "b", expires: 5 }],
      ],
      [{ key: "a" }, [], listed],
    ],
  ],
};

describe.each(Object.entries(rows))("%s", (_, [read, table]) => {
  test.each(table)("%j", (given, expected, problem) => {
    const reader = new OptionReader(given === undefined ? {} : { x: given }, "place");
    expect(read(reader)).toStrictEqual(expected);
    expect(reader.problems).toEqual(problem === undefined ? [] : [`place: x ${problem}`]);
  });
});

test("entries of keys are told by their number", () => {
  const reader = new OptionReader({ x: ["a", 5, { kee: "b" }, ""] }, "place");
  expect(reader.keys("x")).toEqual([{ value: "a" }, { value: "" }, { value: "" }, { value: "" }]);
  expect(reader.problems).toEqual([
    "place.x[1] must be an object",
    "place.x[2]: kee is not an option; there are key, expires",
    "place.x[2]: key is required",
    `place.x[3]: key ${header}`,
  ]);
});

test("what is no object is told once, and what is not there where it must be", () => {
  for (const given of [5, null, [], new Map(), "text"]) {
    const reader = new OptionReader(given, "place");
    reader.demandObject();
    reader.onlyThese([]);
    expect([reader.names(), reader.credential("x", "is required")]).toEqual([[], undefined]);
    expect(reader.problems).toEqual(["place must be an object"]);
  }
  const reader = new OptionReader(undefined, "place");
  expect(reader.credential("x", "is required")).toBeUndefined();
  expect(reader.problems).toEqual([]);
  reader.demandObject();
  expect(reader.problems).toEqual(["place must be an object"]);
});

test("unknown options are told, in sections with the way to them, but for those that are passed over", () => {
  const values = { a: 1, b: 2, c: { d: 3 }, e: { any: 4 } };
  const reader = new OptionReader(values, "options");
  reader.onlyThese(["a", "c", "e"], ["b"]);
  expect(reader.problems).toEqual([]);
  reader.onlyThese(["a", "b"]);
  reader.section("c", ["f", "g"]).section("d", []);
  reader.section("e", undefined);
  new OptionReader(values, "place").section("c", ["d"], { problems: reader.problems }).section("d", ["h"]);
  expect(reader.problems).toEqual([
    "options: c is not an option; there are a, b",
    "options: e is not an option; there are a, b",
    "c: d is not an option; there are f, g",
    "c.d must be an object",
    "place.c.d must be an object",
  ]);
});

test("what stands there is seen without being read", () => {
  const reader = new OptionReader(
    { list: ["a"], none: [], nil: null, no: false, word: "w", zero: 0 },
    "place",
  );
  const names = [...reader.names(), "absent"];
  const seen = (see: (name: string) => boolean) => names.filter(see);
  expect(seen((name) => reader.isList(name))).toEqual(["list", "none"]);
  expect(seen((name) => reader.isEmptyList(name))).toEqual(["none"]);
  expect(seen((name) => reader.isNull(name))).toEqual(["nil"]);
  expect(seen((name) => reader.isFalse(name))).toEqual(["no"]);
  expect(seen((name) => reader.isWord(name, "w"))).toEqual(["word"]);
});

test("a list is empty as long as nothing is set, and copied when it is given", () => {
  expect(new OptionReader({}, "place").strings("list")).toEqual([]);
  const list = ["a"];
  const read = new OptionReader({ list }, "place").strings("list");
  list.push("b");
  expect(read).toEqual(["a"]);
});

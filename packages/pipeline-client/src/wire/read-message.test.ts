import { describe, expect, test } from "vitest";
import {
  type FieldReader,
  flag,
  idText,
  int64,
  json,
  listOf,
  mapOf,
  memberFinder,
  number,
  readMessage,
  readMessageWith,
  text,
  texts,
  time,
  wordOf,
} from "./read-message.js";

const word = wordOf(["ONE", "", "THREE"]);
const cases: Readonly<Record<string, readonly [FieldReader<unknown>, ...(readonly [unknown, unknown])[]]>> = {
  text: [text, ["", ""], ["a", "a"], [5, undefined], [null, undefined], [undefined, undefined]],
  "an id": [idText, ["a", "a"], [0, "0"], [7, "7"], [true, undefined], [null, undefined], [{}, undefined]],
  "a flag": [flag, [true, true], [false, false], ["true", undefined], [1, undefined], [null, undefined]],
  "a number": [
    number,
    ...[0, -1.5, 2 ** 60].map((one) => [one, one] as const),
    ...[
      ["12", 12],
      ["-12", -12],
      ["9007199254740993", undefined],
      ["1.5", undefined],
      ["", undefined],
      [true, undefined],
    ].map(([one, read]) => [one, read] as const),
  ],
  "an amount": [
    int64,
    ...[
      [1.5, 1.5],
      ["0", 0],
      ["-7", -7],
      ["9007199254740991", 9007199254740991],
      ["9007199254740992", "9007199254740992"],
      ["-9007199254740992", "-9007199254740992"],
      ["99999999999999999999", "99999999999999999999"],
      ["999999999999999999999", undefined],
      ["--1", undefined],
      ["+1", undefined],
      ["1 ", undefined],
      ["a1", undefined],
      ["", undefined],
      [null, undefined],
    ].map(([one, read]) => [one, read] as const),
  ],
  "a word": [
    word,
    ...[
      ["ONE", "ONE"],
      ["NEW_ONE", "NEW_ONE"],
      [0, undefined],
      [1, "ONE"],
      [2, "2"],
      [3, "THREE"],
      [4, "4"],
      [-1, "-1"],
      ["UNSPECIFIED", undefined],
      ["STATE_UNSPECIFIED", undefined],
      ["unspecified", undefined],
      ["X-UNSPECIFIED", "X-UNSPECIFIED"],
      ["UNSPECIFIED_STATE", "UNSPECIFIED_STATE"],
      [null, undefined],
      [true, undefined],
    ].map(([one, read]) => [one, read] as const),
  ],
  "a time": [
    time,
    ...[
      ["2026-01-02T03:04:05Z", new Date(Date.UTC(2026, 0, 2, 3, 4, 5))],
      ["1970-01-01T00:00:00Z", undefined],
      ["0001-01-01T00:00:00Z", undefined],
      ["1970-01-01T00:00:01Z", new Date(1000)],
      ["1970-01-01T00:00:00.5Z", new Date(500)],
      ["11970-01-01T00:00:00Z", undefined],
      ["soon", undefined],
      ["", undefined],
      [5, undefined],
      [null, undefined],
    ].map(([one, read]) => [one, read] as const),
  ],
  "an object": [json, [{ a: 1 }, { a: 1 }], [[], undefined], [null, undefined], ["{}", undefined]],
  texts: [
    texts,
    [
      { a: "x", b: 5, c: null, d: "" },
      { a: "x", d: "" },
    ],
    [[], undefined],
    ["x", undefined],
  ],
  "a list": [
    listOf(number),
    [
      [1, "2", "x", null],
      [1, 2],
    ],
    [[], []],
    [{}, undefined],
    ["x", undefined],
  ],
  "a map": [
    mapOf(number),
    [
      { a: 1, b: "x", c: "3" },
      { a: 1, c: 3 },
    ],
    [{}, {}],
    [[1], undefined],
    [null, undefined],
  ],
};

describe.each(Object.entries(cases))("%s", (_, [read, ...values]) => {
  test.each(values)("%j is read as %j", (value, found) => expect(read(value)).toEqual(found));
});

describe("a message", () => {
  const table = { runId: text, aLongName: number, list: listOf(text) };
  const read = readMessage<{ runId: string; aLongName: number; list: readonly string[] }>(table);

  test.each<readonly [value: unknown, message: unknown]>([
    [{}, {}],
    [
      { run_id: "r", a_long_name: 1, list: [] },
      { runId: "r", aLongName: 1, list: [] },
    ],
    [
      { runId: "r", aLongName: "1" },
      { runId: "r", aLongName: 1 },
    ],
    [{ run_id: "snake", runId: "camel" }, { runId: "snake" }],
    [{ run_id: undefined, runId: "camel" }, {}],
    [{ run_id: 5, newer: "x", aLongName: null }, {}],
    [null, undefined],
    [[], undefined],
    ["x", undefined],
  ])("%j is read as %j", (value, message) => {
    const found = read(value);
    expect(found).toEqual(message);
    expect(Object.keys(found ?? {})).toEqual(Object.keys(Object(message)));
  });

  test("has what it must have, or is none", () => {
    const must = readMessageWith<{ runId: string; list: readonly string[] }, "runId" | "list">(
      { runId: text, list: listOf(text) },
      "runId",
      "list",
    );
    expect(must({ run_id: "r", list: [] })).toEqual({ runId: "r", list: [] });
    for (const lacking of [{ run_id: "r" }, { list: [] }, { run_id: 5, list: [] }, {}, undefined, null])
      expect(must(lacking)).toBeUndefined();
  });

  test("has no members of what every object inherits", () => {
    const inherited = Object.create({ runId: "r", run_id: "r" });
    expect(memberFinder("runId")(inherited)).toBeUndefined();
    expect(memberFinder("constructor")({})).toBeUndefined();
    expect(memberFinder("toString")({ to_string: 1 })).toBe(1);
  });
});

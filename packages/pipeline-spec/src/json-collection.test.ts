import { expect, test } from "vitest";
import { listReader, mapCreator, mapReader } from "./json-collection.js";
import { scalarReaders } from "./json-scalar.js";
import { Reading } from "./reading.js";

/** What a reader makes of a value, and where it finds what wrong. */
function read(reader: (json: unknown, reading: Reading) => unknown, json: unknown, maxDepth = 100) {
  const reading = new Reading({ maxDepth });
  const value = reader(json, reading);
  expect(reading.path).toEqual([]);
  return [value, ...reading.list().map(({ code, path }) => `${code} ${path}`)];
}

test("an entry is left out whose key or value is wrong, and the others are read", () => {
  const json = { "1": "a", x: "b", "2": null, "3": 5, "4": "c" };
  expect(read(mapReader("i", scalarReaders.s, false), json)).toEqual([
    { 1: "a", 4: "c" },
    ...["unexpected-null /2", "wrong-type /3", "invalid-map-key /x"],
  ]);
  const flags = mapReader("b", scalarReaders.s, false);
  expect(read(flags, { true: "a", yes: "b", false: "c" })).toEqual([
    new Map([
      [true, "a"],
      [false, "c"],
    ]),
    "invalid-map-key /yes",
  ]);
  expect(read(flags, { no: 5 })).toEqual([new Map(), "invalid-map-key /no", "wrong-type /no"]);
});

test("null is read where it may stand", () => {
  const orNull = (json: unknown) => (json === null ? "none" : json);
  expect(read(mapReader("s", orNull, true), { a: null, b: 1 })).toEqual([{ a: "none", b: 1 }]);
  expect(read(listReader(orNull, true), [null, 1])).toEqual([["none", 1]]);
  expect(read(listReader(orNull, false), [null, 1])).toEqual([[1], "unexpected-null /0"]);
});

test("what stands under a name that is too long is not looked at, and what comes next is", () => {
  const reader = mapReader("s", scalarReaders.s, false, 3);
  expect(read(reader, { abcd: 5, abc: "a", b: 5 })).toEqual([
    { abc: "a" },
    "too-large /abcd",
    "wrong-type /b",
  ]);
});

test("lists and maps are read as deep as they may be", () => {
  const lists = listReader(listReader(scalarReaders.s, false), false);
  const maps = mapReader("s", mapReader("s", scalarReaders.s, false), false);
  expect(read(lists, [["a"]], 2)).toEqual([[["a"]]]);
  expect(read(lists, [["a"]], 1)).toEqual([[], "too-deep /0"]);
  expect(read(maps, { a: { b: "c" } }, 2)).toEqual([{ a: { b: "c" } }]);
  expect(read(maps, { a: { b: "c" } }, 1)).toEqual([{}, "too-deep /a"]);
});

test("a map whose keys are true and false is one of the language", () => {
  expect([mapCreator("b")(), mapCreator("s")(), mapCreator("i")()]).toEqual([new Map(), {}, {}]);
  const create = mapCreator("s");
  expect(create()).not.toBe(create());
});

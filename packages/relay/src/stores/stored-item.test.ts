import { parseItem, tombstone } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { itemFromStored, storedText } from "./stored-item.js";

test.each([
  ["", undefined],
  ["no JSON", undefined],
  ["null", undefined],
  ["5", undefined],
  ["[]", undefined],
  ["{}", undefined],
  ['{"version":"1"}', undefined],
  ['{"version":null}', undefined],
  ['{"version":1e999}', undefined],
  ['{"key":"b"}', undefined],
  ['{"key":"a","version":"1"}', undefined],
  ['{"key":"a"}', { version: 0, deleted: false }],
  ['{"key":"a","version":null,"deleted":true}', { version: 0, deleted: true }],
  ['{"version":1e999,"deleted":true}', undefined],
  ['{"version":2}', { version: 2, deleted: false }],
  ['{"version":2,"deleted":false}', { version: 2, deleted: false }],
  ['{"version":2,"deleted":"true"}', { version: 2, deleted: false }],
  ['{"version":2,"deleted":1}', { version: 2, deleted: false }],
  ['{"version":2,"deleted":true}', { version: 2, deleted: true }],
  ['{"version":2.9,"deleted":true}', { version: 2, deleted: true }],
])("what a database has, %j, is %j", (text, expected) => {
  const item = itemFromStored("flags", "a", text);
  expect(item && { version: item.version, deleted: item.deleted }).toEqual(expected);
  expect(item?.key ?? "a").toBe("a");
});

test("an item is stored as its text, and one that was deleted as SDKs write it", () => {
  expect(storedText(parseItem("flags", "a", '{ "version" : 1 }'))).toBe('{ "version" : 1 }');
  expect(storedText(tombstone("segments", "s", 7))).toBe('{"key":"$deleted","version":7,"deleted":true}');
});

test("a deletion is passed on with the version that it counts as", () => {
  const item = itemFromStored("flags", "a", '{"version":2.9,"deleted":true}');
  expect(item?.json).toBe('{"key":"a","version":2,"deleted":true}');
});

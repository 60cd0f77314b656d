import { expect, test } from "vitest";
import { isAny, namesStrongTag, namesTag } from "./conditional.js";

test.each([
  ["*", true],
  [" * ", true],
  ['"*"', false],
  ["*, *", false],
  ["", false],
])("the header %j is about any document: %s", (header, is) => {
  expect(isAny(header)).toBe(is);
});

test.each([
  ['"a"', true, true],
  ['"b", "a"', true, true],
  ['"b","a"', true, true],
  ['W/"a"', true, false],
  ['W/"a", "a"', true, true],
  ['"A"', false, false],
  ["a", false, false],
  ['"ba", "ab"', false, false],
  ["", false, false],
])("the header %j names a tag: %s, and strongly: %s", (header, names, strongly) => {
  expect([namesTag(header, '"a"'), namesStrongTag(header, '"a"')]).toEqual([names, strongly]);
});

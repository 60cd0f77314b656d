import { describe, expect, test } from "vitest";
import { namesTag } from "./names-tag.js";

describe("If-None-Match", () => {
  test.each([
    ['"a"', '"a"', true],
    [' "a" ', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['"b", W/"a"', '"a"', true],
    ["*", '"a"', true],
    ['"b"', '"a"', false],
    ['"b", "c"', '"a"', false],
    ["a", '"a"', false],
    ["", '"a"', false],
    [undefined, '"a"', false],
  ])("%s names %s: %s", (header, tag, isNamed) => expect(namesTag(header, tag)).toBe(isNamed));
});

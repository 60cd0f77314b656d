import { expect, test } from "vitest";
import { pathFromPointer, pointer } from "./json-pointer.js";

// The examples of RFC 6901.
const cases: readonly [path: (string | number)[], text: string][] = [
  [[], ""],
  [["foo"], "/foo"],
  [["foo", 0], "/foo/0"],
  [[""], "/"],
  [["a/b"], "/a~1b"],
  [["m~n"], "/m~0n"],
  [["~1"], "/~01"],
];

for (const [path, text] of cases) {
  test(`${JSON.stringify(path)} is ${JSON.stringify(text)}`, () => {
    expect(pointer("", ...path)).toBe(text);
    expect(pathFromPointer(text)).toEqual(path.map(String));
  });
}

test("a pointer starts with a slash", () => {
  expect(() => pathFromPointer("a")).toThrow(TypeError);
});

import { expect, test } from "vitest";
import { pathFromPointer, pointerFromPath } from "./json-pointer.js";

// The examples of RFC 6901.
const cases: readonly [path: (string | number)[], pointer: string][] = [
  [[], ""],
  [["foo"], "/foo"],
  [["foo", 0], "/foo/0"],
  [[""], "/"],
  [["a/b"], "/a~1b"],
  [["m~n"], "/m~0n"],
  [["~1"], "/~01"],
];

for (const [path, pointer] of cases) {
  test(`${JSON.stringify(path)} is ${JSON.stringify(pointer)}`, () => {
    expect(pointerFromPath(path)).toBe(pointer);
    expect(pathFromPointer(pointer)).toEqual(path.map(String));
  });
}

test("a pointer starts with a slash", () => {
  expect(() => pathFromPointer("a")).toThrow(TypeError);
});

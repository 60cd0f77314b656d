import { expect, test } from "vitest";
import { pathFromPointer, pointer, shownPointer } from "./json-pointer.js";

// The examples of RFC 6901.
const cases: readonly [path: (string | number)[], text: string][] = [
  [[], ""],
  [["foo"], "/foo"],
  [["foo", 0], "/foo/0"],
  [[""], "/"],
  [["a/b"], "/a~1b"],
  [["m~n"], "/m~0n"],
  [["~1"], "/~01"],
  [["a/b/c", "m~n~o", "~/"], "/a~1b~1c/m~0n~0o/~0~1"],
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

test("a pointer for people ends before a name of more than 1,024 characters, unless that is the last", () => {
  const [most, long] = ["k".repeat(1024), "k".repeat(1025)];
  expect(shownPointer(["a", most, "b", 0])).toBe(`/a/${most}/b/0`);
  expect(shownPointer(["a", long, "b", 0])).toBe("/a");
  expect(shownPointer(["a", 0, long])).toBe(`/a/0/${long}`);
  expect(shownPointer(["a", long, long])).toBe("/a");
});

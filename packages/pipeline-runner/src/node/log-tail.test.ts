import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { logTail } from "./log-tail.js";

test.each([
  ["", 3, 100, ""],
  ["a", 3, 100, "a"],
  ["a\nb\nc\nd", 3, 100, "b\nc\nd"],
  ["a\nb\nc", 3, 100, "a\nb\nc"],
  ["a\nb\n \n\n", 1, 100, "b"],
  ["a\r\nb\rc\nd", 4, 100, "a\nb\nc\nd"],
  ["  a\n  b", 2, 100, "  a\n  b"],
  ["abcdef", 1, 3, "def"],
  ["abcdef", 1, 6, "abcdef"],
  ["abcdef", 1, 7, "abcdef"],
])("of %j the last %i lines in %i bytes are %j", (said, lines, bytes, shown) => {
  const path = join(makeFolder(), "log.txt");
  writeFileSync(path, said);
  expect(logTail(path, { lines, bytes })).toBe(shown);
});

test("of what cannot be read there is nothing", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "log.txt"));
  for (const path of [undefined, join(folder, "none"), join(folder, "log.txt")])
    expect(logTail(path, { lines: 1, bytes: 9 })).toBe("");
});

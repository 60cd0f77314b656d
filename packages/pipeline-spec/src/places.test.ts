import { describe, expect, test } from "vitest";
import { DocumentProblems } from "./document-problems.js";
import { parseYaml } from "./parse-yaml.js";
import type { Places } from "./places.js";

const limits = { maxDepth: 100, maxTokens: 1_000, maxSlowBytes: 1_000, maxAliasedValues: 1_000 };

function placesOf(text: string): Places {
  const [document] = parseYaml(text, limits, new DocumentProblems(text, 10));
  return document?.places() ?? expect.fail();
}

describe("the path of what stands at a place", () => {
  const text = "- a: b\n  'c d':\n  - e\n  - [f, {g: h}]\n- i\n";
  test.each([
    ["a: b", [0, "a"]],
    [": b", [0, "a"]],
    ["b\n", [0, "a"]],
    ["\n  'c", [0]],
    ["'c d'", [0, "c d"]],
    ["e\n", [0, "c d", 0]],
    ["[f", [0, "c d", 1]],
    ["f,", [0, "c d", 1, 0]],
    [", {", [0, "c d", 1]],
    ["{g", [0, "c d", 1, 1]],
    ["g: h", [0, "c d", 1, 1, "g"]],
    ["}]", [0, "c d", 1, 1]],
    ["]\n", [0, "c d", 1]],
    ["i\n", [1]],
    ["- a", []],
  ])("begins at %j", (mark, path) => {
    expect(placesOf(text).pathAt(text.indexOf(mark))).toEqual(path);
  });

  test("is none behind all of the text", () => {
    expect(placesOf(text).pathAt(text.length)).toEqual([]);
  });
});

describe("there is something", () => {
  const text = "a: [b, c]\nd_e: &x {f: 1}\ng: *x\nh: {<<: *x, i: 2}\nj:\n";
  test.each([
    ["a/0", true],
    ["a/1", true],
    ["a/2", false],
    ["a/ 1", false],
    ["a/1.0", false],
    ["a/1e0", false],
    ["a/", false],
    ["a/length", false],
    ["a/0/0", false],
    ["de/f", true],
    ["dE/F", true],
    ["g/f", true],
    ["h/f", true],
    ["h/i", true],
    ["h/g", false],
    ["j", true],
    ["j/0", false],
  ])("at %s: %s", (path, expected) => {
    expect(placesOf(text).has(path.split("/"))).toBe(expected);
  });
});

test("of two names that are one field the first is found, but for the one that is asked for", () => {
  const text = "{a_b: 1, aB: 2, AB: 3}";
  const places = placesOf(text);
  const at = (name: string) => text.slice(...places.spanOf([name], "value"));
  expect(["a_b", "aB", "AB", "a__b"].map(at)).toEqual(["1", "2", "3", "1"]);
});

test("the digits of an integer are told for what stands there, also behind an alias, and not for what is around", () => {
  const places = placesOf(
    "a: &x 9007199254740993\nb: *x\nc: {<<: {d: 18446744073709551615}}\ne: 5x\nf: [1]\n",
  );
  const found = ["a", "b", "c/d", "e", "f/0", "f/1", "a/b"].map((path) =>
    places.exactInteger(path.split("/")),
  );
  expect(found).toEqual([
    9007199254740993n,
    9007199254740993n,
    18446744073709551615n,
    undefined,
    1n,
    undefined,
    undefined,
  ]);
});

test("entries are those of a map itself, under the names that they read as", () => {
  const text = 'a: &x {b: 1, "c\\u0020d": 2}\ne: *x\nf: {<<: *x, g: 3}\nh: [i, j]\n';
  const places = placesOf(text);
  const namesAt = (row: number) => [...places.entriesOf(row).keys()];
  const top = places.entriesOf(0);
  expect([...top.keys()]).toEqual(["a", "e", "f", "h"]);
  expect(["a", "e", "f", "h"].map((name) => namesAt(top.get(name) ?? -1))).toEqual([
    ["b", "c d"],
    [],
    ["<<", "g"],
    [],
  ]);
});

test("of several maps that are merged the first has a name, and the map itself before all", () => {
  const text = "- &a {x: 1, y: 2}\n- &b {x: 3, y: 4, z: 5}\n- &c {<<: *b, w: 6}\n- {<<: [*a, *c], y: 7}\n";
  const places = placesOf(text);
  const values = ["x", "y", "z", "w"].map((name) => text.slice(...places.spanOf(["3", name], "value")));
  expect(values).toEqual(["1", "7", "5", "6"]);
});

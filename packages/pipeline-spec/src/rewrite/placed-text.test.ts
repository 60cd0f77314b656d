import { describe, expect, test } from "vitest";
import { DocumentProblems } from "../document-problems.js";
import { parseDocuments } from "../source-text.js";
import { PlacedText } from "./placed-text.js";
import { TextLayout } from "./text-layout.js";

const limits = { maxDepth: 100, maxTokens: 10_000, maxSlowBytes: 10_000, maxAliasedValues: 1000 };

function placed(text: string): PlacedText {
  const problems = new DocumentProblems(text, 10);
  const [document] = parseDocuments(text, limits, problems);
  expect(problems.list()).toEqual([]);
  return new PlacedText(
    new TextLayout(text),
    document?.places() ?? expect.unreachable("there is a document"),
  );
}

/** A document, and the row of what stands at a path in it. */
function rowAt(text: string, ...path: readonly (string | number)[]): readonly [PlacedText, number] {
  const all = placed(text);
  let row = 0;
  for (const name of path) {
    const next =
      typeof name === "number" ? all.rows.childrenOf(row)[name] : all.places.entriesOf(row).get(name);
    row = next ?? expect.unreachable(`${name} is there`);
  }
  return [all, row];
}

describe("a value stands with the empty lines that belong to it:", () => {
  test.each<[text: string, span: string]>([
    ["a: b # c\n", "b"],
    ["a: [b, c]  \n", "[b, c]"],
    ["a:\n  b: c\n\n\nd: e\n", "b: c"],
    ["a: |\n  b\n\n\nd: e\n", "|\n  b"],
    ["a: |-\n  b\n\nd: e\n", "|-\n  b"],
    ["a: |+\n  b\n\n\nd: e\n", "|+\n  b\n\n"],
    ["a: >+\n  b\n\nd: e\n", ">+\n  b\n"],
    ["a: |2+\n  b\n\nd: e\n", "|2+\n  b\n"],
    ["a: |+\n  b\n \n  \nd: e\n", "|+\n  b\n \n  "],
    ["a: |+\n  b\n\n# c\n\nd: e\n", "|+\n  b\n"],
    ["a: |+\n  b\n\n", "|+\n  b\n"],
    ["a: |+\n  b\n\n\n", "|+\n  b\n\n"],
    ["a: |+\n  b\n\n  ", "|+\n  b\n\n  "],
    ["a: |+\n  b\n", "|+\n  b"],
    ["a: |+\n  b", "|+\n  b"],
    ["a: |+\r\n  b\r\n\r\n\r\nd: e\r\n", "|+\r\n  b\r\n\r\n"],
    ["a: |+\r\n  b\r\n\r\n  ", "|+\r\n  b\r\n\r\n  "],
    // Also where the text is the last of what is in a map or list.
    ["a:\n  b: |+\n    c\n\nd: e\n", "b: |+\n    c\n"],
    ["a:\n- b: [c]\n- |+\n  d\n\ne: f\n", "- b: [c]\n- |+\n  d\n"],
    ["a:\n- |+\n  d\n- e\n\nf: g\n", "- |+\n  d\n- e"],
  ])("%j: %j", (text, span) => {
    const [all, row] = rowAt(text, "a");
    const [start, end] = all.spanOf(row);
    expect(text.slice(start, end)).toBe(span);
    expect(all.endOf(row)).toBe(end);
  });

  test.each<[text: string, path: (string | number)[], at: number]>([
    ["a:\nb: c\n", ["a"], 2],
    ["a: # b\nc: d\n", ["a"], 2],
    ["a :  \nb: c\n", ["a"], 3],
    ["? a\n: # b\n", ["a"], 5],
    ["{a: , b: c}", ["a"], 3],
    ["{a, b: c}", ["a"], 2],
    ["{'a' , b: c}", ["a"], 4],
    ["a:\n-\n- b\n", ["a", 0], 4],
  ])("where nothing is, behind its colon or key: %j", (text, path, at) => {
    const [all, row] = rowAt(text, ...path);
    expect(all.spanOf(row)).toEqual([at, at]);
  });
});

test.each<[text: string, path: (string | number)[], start: string, colon: number | undefined]>([
  ["x: y\na: b\n", ["a"], "a: b\n", 6],
  ["x: y\na  : b\n", ["a"], "a  : b\n", 8],
  ["x: y\n? a\n: b\n", ["a"], "? a\n: b\n", 9],
  ["x: y\n?   a\n: b\n", ["a"], "?   a\n: b\n", 11],
  ["{x: y, ? a : b}", ["a"], "? a : b}", 11],
  ["{x: y, a}", ["a"], "a}", undefined],
  ["'?a': b", ["?a"], "'?a': b", 4],
  ["[x, a]", [1], "a]", undefined],
  ["- x\n- a: b\n", [1, "a"], "a: b\n", 7],
])("in %j what stands at %j begins with %j", (text, path, start, colon) => {
  const [all, row] = rowAt(text, ...path);
  expect(text.slice(all.startOf(row))).toBe(start);
  expect(all.colonOf(row)).toBe(colon);
});

test.each<[text: string, path: (string | number)[], kind: string | undefined, isFlow: boolean]>([
  ["a: b", ["a"], undefined, false],
  ["a: {}", ["a"], "map", true],
  ["a: []", ["a"], "list", true],
  ["a: {b: c}", ["a"], "map", true],
  ["a: [b]", ["a"], "list", true],
  ["a:\n  b: c", ["a"], "map", false],
  ["a:\n- b", ["a"], "list", false],
  ["a:", ["a"], undefined, false],
  ["a: '[]'", ["a"], undefined, false],
  ["a: |\n  {}", ["a"], undefined, false],
])("%j holds at %j a %s", (text, path, kind, isFlow) => {
  const [all, row] = rowAt(text, ...path);
  expect([all.kindOf(row), all.isFlow(row), all.isBlock(row)]).toEqual([
    kind,
    isFlow,
    kind !== undefined && !isFlow,
  ]);
});

test.each<[text: string, path: (string | number)[], endsWithLines: boolean, keepsEmptyLines: boolean]>([
  ["a: b", ["a"], false, false],
  ["a: |\n  b", ["a"], true, false],
  ["a: >-\n  b", ["a"], true, false],
  ["a: |+\n  b", ["a"], true, true],
  ["a: >1+\n  b", ["a"], true, true],
  ["a: |+1\n  b", ["a"], true, true],
  ["a: '|+'", ["a"], false, false],
  ["a:\n- |+\n  b", ["a"], true, true],
  ["a:\n- |+\n  b\n- c", ["a"], false, false],
  ["a:\n  b:\n    c: >\n      d\ne: f", ["a"], true, false],
  ["a:", ["a"], false, false],
  ["a: ''", ["a"], false, false],
])("%j ends at %j with lines of a text: %j", (text, path, endsWithLines, keepsEmptyLines) => {
  const [all, row] = rowAt(text, ...path);
  expect([all.endsWithLines(row), all.keepsEmptyLines(row)]).toEqual([endsWithLines, keepsEmptyLines]);
});

test("an alias is told from what is none", () => {
  const [all, row] = rowAt("a: &x b\nc: *x\nd: '*x'\n");
  const { childrenOf } = all.rows;
  expect(childrenOf.call(all.rows, row).map((child) => all.isAlias(child))).toEqual([false, true, false]);
});

test("the dash of an item stands behind the one before it, and its comments", () => {
  const text = "a:\n- b # c\n# - d\n- - e\n  - f\n-\n- g\n";
  const [all, list] = rowAt(text, "a");
  const items = all.rows.childrenOf(list);
  const dashes = items.map((_, index) => all.dashOf(list, items[index - 1]));
  expect(dashes).toEqual([3, 17, 29, 31]);
  const flow = "a: [b, c]\n";
  const [other, brackets] = rowAt(flow, "a");
  const members = other.rows.childrenOf(brackets);
  expect(members.map((_, index) => other.dashOf(brackets, members[index - 1]))).toEqual([
    undefined,
    undefined,
  ]);
});

test("what is around a value is found however deep it is", () => {
  const text = "a: {b: c}\nd:\n- e\n- f:\n    g: h\n    i: j\n";
  const [all, root] = rowAt(text);
  const [, d] = rowAt(text, "d");
  const [, e] = rowAt(text, "d", 0);
  const [, item] = rowAt(text, "d", 1);
  const [, f] = rowAt(text, "d", 1, "f");
  const [, g] = rowAt(text, "d", 1, "f", "g");
  const [, i] = rowAt(text, "d", 1, "f", "i");
  const [, a] = rowAt(text, "a");
  const surroundings = [root, a, d, e, item, f, g, i].map((row) => all.surroundingsOf(row));
  expect(surroundings).toEqual([
    { parent: undefined, previous: undefined },
    { parent: root, previous: undefined },
    { parent: root, previous: a },
    { parent: d, previous: undefined },
    { parent: d, previous: e },
    { parent: item, previous: undefined },
    { parent: f, previous: undefined },
    { parent: f, previous: g },
  ]);
});

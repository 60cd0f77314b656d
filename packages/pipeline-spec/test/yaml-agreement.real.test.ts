import { expect, test } from "vitest";
import { compareAll } from "./yaml-agreement.js";
import { mutatedCorpus, yamlSoup } from "./yaml-samples.js";

const rounds = 200_000;

for (const [name, texts] of Object.entries({
  "mutated parts of the corpus": mutatedCorpus,
  "pieces of YAML in no good order": yamlSoup,
})) {
  test(`our reader and the YAML library agree on ${rounds} ${name}, or ours hands over`, () => {
    const { same, differences } = compareAll(texts(rounds));
    expect(differences).toEqual([]);
    expect(same).toBeGreaterThan(rounds / 10);
  });
}

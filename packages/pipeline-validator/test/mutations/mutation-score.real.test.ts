import { expect, test } from "vitest";
import { corpusDocuments } from "./corpus.js";
import { knownSurvivors } from "./known-survivors.js";
import { mutationKinds } from "./mutation-kinds.js";
import { allMutants, scoreOf } from "./score.js";

test("of every mistake made everywhere in the corpus, at least 99 % are reported as errors at their place", {
  timeout: 600_000,
}, () => {
  const { all, survived, unexpected, elsewhere, noisy, kinds, outdated } = scoreOf(
    allMutants(corpusDocuments()),
  );
  expect(unexpected).toEqual([]);
  expect(elsewhere).toEqual([]);
  expect(noisy).toEqual([]);
  expect([...outdated]).toEqual([]);
  expect(all).toBeGreaterThan(20_000);
  expect(1 - survived.length / all).toBeGreaterThanOrEqual(0.99);
  expect(kinds).toEqual(new Set(Object.keys(mutationKinds)));
  expect(Object.keys(knownSurvivors).filter((kind) => !kinds.has(kind))).toEqual([]);
  console.log(
    `${all} mutants of ${kinds.size} kinds: ${all - survived.length} found, ${survived.length} known survivors`,
  );
});

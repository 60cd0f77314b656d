import { expect, test } from "vitest";
import { corpusDocuments } from "./corpus.js";
import { mutationKinds } from "./mutation-kinds.js";
import { allMutants, scoreOf } from "./score.js";
import { warnedKinds } from "./warned-kinds.js";

test("of every mistake made everywhere in the corpus, 99.95 % are reported at their place, as what the back ends make of them", {
  timeout: 600_000,
}, () => {
  const { all, survived, elsewhere, noisy, kinds } = scoreOf(allMutants(corpusDocuments()));
  expect(elsewhere).toEqual([]);
  expect(noisy).toEqual([]);
  expect(all).toBeGreaterThan(20_000);
  expect(1 - survived.length / all).toBeGreaterThanOrEqual(0.9995);
  expect(kinds).toEqual(new Set(Object.keys(mutationKinds)));
  expect(Object.keys(warnedKinds).filter((kind) => !kinds.has(kind))).toEqual([]);
  console.log(
    `${all} mutants of ${kinds.size} kinds: ${all - survived.length} found, ${survived.length} survived`,
  );
});

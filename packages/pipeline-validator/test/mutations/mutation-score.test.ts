import { expect, test } from "vitest";
import { corpusDocuments } from "./corpus.js";
import { mutationKinds } from "./mutation-kinds.js";
import { allMutants, sample, scoreOf } from "./score.js";

/** The whole score is in the real suite; this is a selection of it that everybody can wait for. */
const perKind = 4;
const seed = 20_250_811;

let known: ReturnType<typeof readMutants> | undefined;
const readMutants = () => [...allMutants(corpusDocuments())];
/** Found once for both tests. */
const mutants = () => (known ??= readMutants());

test("there are at least 40 kinds of mistakes, and each can be made in the corpus", () => {
  const kinds = new Set(mutants().map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(Object.keys(mutationKinds)));
  expect(kinds.size).toBeGreaterThanOrEqual(40);
});

test("mistakes in the corpus are reported at their place, as what the back ends make of them, without many others", {
  timeout: 300_000,
}, () => {
  const score = scoreOf(sample(mutants(), perKind, seed));
  expect(score.survived).toEqual([]);
  expect(score.elsewhere).toEqual([]);
  expect(score.noisy).toEqual([]);
  expect(score.all).toBeGreaterThan(400);
});

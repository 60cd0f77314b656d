import fc from "fast-check";
import { expect, test } from "vitest";
import { createSearchIndex } from "../index.js";
import { ranking } from "./ranking.js";
import type { SearchExplanation } from "./search-explanation.js";

const word = fc.constantFrom("alpha", "alfa", "beta", "gamma ray", "g", "id.3", "long range", "electric", "");
const entries = fc.array(fc.record({ brand: word, model: word, variant: word }), {
  minLength: 1,
  maxLength: 12,
});
const texts = fc
  .array(
    fc.constantFrom("alpha", "alph", "beta", "ray", "gamma", "g", "id3", "long", "xyz", "electric", "vw"),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((words) => words.join(" "));
const aliases = new Map([["vw", "alfa beta"]]);
const parts = { brand: 1, model: 1, brandModel: 2, variant: 0 };

/** Whether it is a result where so much of brand and model has to be named, unless enough is found. */
function isResult({ pieces, coverage, wholeFields }: SearchExplanation, namedAtLeast: number): boolean {
  const found = pieces.filter(({ score }) => score > 0);
  const isEnough =
    found.reduce((sum, { score }) => sum + score, 0) >= ranking.leastScore &&
    coverage.share >= ranking.leastCoverage &&
    found.length >= Math.min(ranking.leastPieces, pieces.length);
  return isEnough || wholeFields.reduce((sum, { field }) => sum + parts[field], 0) >= namedAtLeast;
}

test("results are those that their explanations make the best, with the scores that these add up to", () => {
  fc.assert(
    fc.property(entries, texts, fc.integer({ min: 1, max: 6 }), (list, text, limit) => {
      const index = createSearchIndex(list, aliases);
      const explained = list.map((_, position) => index.explain(text, position)!);
      const results = [2, 1].map((named) => explained.filter((one) => isResult(one, named)));
      const scores = (results.find(({ length }) => length > 0) ?? [])
        .map(({ score }) => score)
        .sort((a, b) => b - a)
        .slice(0, limit);
      const wanted = scores.filter((score) => score >= (scores[0] ?? 0) * ranking.leastOfBest);
      const hits = index.search(text, limit);
      expect(hits.map(({ score }) => score.toFixed(9))).toEqual(wanted.map((score) => score.toFixed(9)));
      for (const { position, score } of hits) expect(explained[position]?.score).toBeCloseTo(score, 9);
    }),
    { seed: 27, numRuns: 200 },
  );
});

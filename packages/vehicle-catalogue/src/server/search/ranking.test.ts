import { expect, test } from "vitest";
import { ranking } from "./ranking.js";

test("the ranking has the figures that it was tuned to", () => {
  expect(ranking).toEqual({
    strength: { model: 2, brand: 1.2, variant: 1 },
    whole: { model: 0.5, brand: 0.5, brandModel: 0.3, variant: 0.2 },
    coverage: 0.5,
    surplusPiece: 0.002,
    filler: 0.25,
    unknownPiece: 0.5,
    leastScore: 0.3,
    leastCoverage: 0.2,
    leastPieces: 2,
    leastOfBest: 0.45,
    longestRun: 6,
  });
});

import { expect, test } from "vitest";
import { ranking } from "./ranking.js";
import { explainScore } from "./search-explanation.js";

const [found, missing] = [
  { piece: "mod", weight: 3, strength: 0.5 },
  { piece: "ode", weight: 1, strength: 0 },
];

test("a score is made of the strengths of what was found, its share of the query, whole fields, and what is left over", () => {
  const explained = explainScore({ pieces: [found, missing], wholeFields: ["model"], pieceCount: 3 });
  expect(explained.pieces).toEqual([
    { piece: "mod", weight: 0.75, score: 0.375 },
    { piece: "ode", weight: 0.25, score: 0 },
  ]);
  expect(explained.coverage).toEqual({ share: 0.75, score: 0.75 * ranking.coverage });
  expect(explained.wholeFields).toEqual([{ field: "model", score: ranking.whole.model }]);
  expect(explained.surplus).toEqual({ pieces: 2, score: -2 * ranking.surplusPiece });
  expect(explained.score).toBeCloseTo(
    0.375 + 0.75 * ranking.coverage + ranking.whole.model - 2 * ranking.surplusPiece,
  );
});

test("where nothing is left over, that takes off nothing, and no nothing below zero", () => {
  const { surplus } = explainScore({ pieces: [found], wholeFields: [], pieceCount: 1 });
  expect(surplus).toStrictEqual({ pieces: 0, score: 0 });
});

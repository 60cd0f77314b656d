import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSearchIndex } from "../index.js";
import { wordsOf } from "./fold-text.js";
import type { SearchedTexts } from "./postings.js";
import { ranking } from "./ranking.js";
import type { SearchExplanation } from "./search-explanation.js";
import { prepareQuery } from "./search-query.js";
import { eachTrigram } from "./trigrams.js";

const word = fc.constantFrom(
  "alpha",
  "alfa",
  "beta",
  "gamma ray",
  "g",
  "id.3",
  "long range",
  "sr srx",
  "electric",
  "",
);
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

const joined = (text: string): string => wordsOf(text).join("").replaceAll(".", "");
const piecesOf = (...words: readonly string[]): readonly string[] => {
  const pieces: string[] = [];
  for (const one of words) eachTrigram(one, (piece) => pieces.push(piece));
  return pieces;
};

/** The strength of each piece of a vehicle. */
function strengthsOf({ brand, model, variant }: SearchedTexts): ReadonlyMap<string, number> {
  const strengths = new Map<string, number>();
  for (const [pieces, strength] of [
    [piecesOf(...wordsOf(model), joined(model)), ranking.strength.model],
    [piecesOf(...wordsOf(brand), joined(brand)), ranking.strength.brand],
    [piecesOf(...wordsOf(variant)), ranking.strength.variant],
  ] as const) {
    for (const piece of pieces) if (!strengths.has(piece)) strengths.set(piece, strength);
  }
  return strengths;
}

test("a vehicle is explained by the pieces that its fields have, by how many others have these, and by whole fields", () => {
  fc.assert(
    fc.property(entries, texts, (list, text) => {
      const index = createSearchIndex(list, aliases);
      const strengths = list.map(strengthsOf);
      const { pieces = new Map<string, number>(), runs } = prepareQuery(text, aliases) ?? {};
      const weighed = [...pieces].map(([piece, share]) => {
        const owners = strengths.filter((one) => one.has(piece)).length || ranking.unknownPiece;
        return { piece, weight: share * Math.log(1 + list.length / owners) };
      });
      const asked = weighed.reduce((sum, { weight }) => sum + weight, 0);
      for (const [position, { brand, model, variant }] of list.entries()) {
        const of = (piece: string): number => strengths[position]?.get(piece) ?? 0;
        const explained = index.explain(text, position)!;
        expect(explained.pieces).toEqual(
          weighed.map(({ piece, weight }) => ({
            piece,
            weight: expect.closeTo(weight / asked, 9),
            score: expect.closeTo((weight * of(piece)) / asked, 9),
          })),
        );
        const found = weighed.filter(({ piece }) => of(piece) > 0);
        expect(explained.surplus.pieces).toBe((strengths[position]?.size ?? 0) - found.length);
        const fields = Object.entries({ model, brand, brandModel: brand + model, variant });
        expect(explained.wholeFields.map(({ field }) => field)).toEqual(
          fields.filter(([, one]) => runs?.has(joined(one))).map(([name]) => name),
        );
      }
    }),
    { seed: 27, numRuns: 60 },
  );
});

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
    fc.property(entries, texts, fc.integer({ min: 0, max: 6 }), (list, text, limit) => {
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

describe("an index over a list", () => {
  const same = { brand: "Alpha", model: "Beta", variant: "" };
  const index = createSearchIndex([same, { ...same, variant: "x" }, same, same], new Map());

  test("has equals in the order of the list", () => {
    expect(index.search("alpha beta", 3).map(({ position }) => position)).toEqual([0, 2, 3]);
  });

  test("finds nothing by one piece that it has in common with more", () => {
    for (const name of ["brand", "model", "variant"] as const) {
      const gamma = createSearchIndex([{ ...same, [name]: "gamma" }, same, same], new Map());
      expect(gamma.search("g", 9)).toEqual([]);
      expect(gamma.search("ga", 9).map(({ position }) => position)).toEqual([0]);
    }
  });

  test("explains what is in the list", () => {
    expect([-1, 0, 3, 4].map((at) => index.explain("beta", at) !== undefined)).toEqual([
      ...[false, true, true, false],
    ]);
  });

  test.each([-1, Number.NaN, "3", undefined])("needs a limit from 0, and gets %j", (limit) => {
    expect(() => index.search("beta", limit as number)).toThrow(/^limit must be a number from 0; got /);
  });

  test.each<[what: string, list: unknown, names: ReadonlyMap<unknown, unknown>]>([
    ["entries[1] must be an object; got null", [same, null], new Map()],
    ["entries[1].variant must be a text; got 5", [same, { ...same, variant: 5 }], new Map()],
    ["What the short name vw stands for must be a text; got 5", [], new Map([["vw", 5]])],
    ["A short name must be a text; got 5", [], new Map([[5, "vw"]])],
  ])("says that %s", (message, list, names) => {
    const make = createSearchIndex as (...given: unknown[]) => unknown;
    expect(() => make(list, names)).toThrow(new TypeError(`${message}.`));
  });
});

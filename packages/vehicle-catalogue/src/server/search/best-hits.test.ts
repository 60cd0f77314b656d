import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BestHits, type SearchHit } from "./best-hits.js";

/** Positions rank in the order of a list, the first before the others. */
const bestOf = (limit: number, order: readonly number[], hits: readonly SearchHit[]): BestHits => {
  const best = new BestHits(limit, (position) => order.indexOf(position));
  for (const { position, score } of hits) best.offer(position, score);
  return best;
};
const kept = (best: BestHits): readonly number[] => best.within(0).map(({ position }) => position);
const alike = (...positions: readonly number[]): SearchHit[] =>
  positions.map((position) => ({ position, score: 1 }));

describe("of hits with one score", () => {
  test.each([
    { offered: [0, 1, 2], limit: 1, stay: [2] },
    { offered: [0, 1, 2], limit: 2, stay: [2, 1] },
    { offered: [0, 1, 2], limit: 3, stay: [2, 1, 0] },
    { offered: [2, 1, 0], limit: 2, stay: [2, 1] },
    { offered: [1, 0, 2], limit: 2, stay: [2, 1] },
    { offered: [0, 2, 1], limit: 1, stay: [2] },
  ])("those that rank first stay, whenever they come: $limit of $offered", ({ offered, limit, stay }) => {
    expect(kept(bestOf(limit, [2, 1, 0], alike(...offered)))).toEqual(stay);
  });

  test("one that ranks before the worst takes its place, and not that of a better one", () => {
    const hits = [{ position: 0, score: 2 }, ...alike(1, 3, 2)];
    expect(kept(bestOf(3, [3, 2, 1, 0], hits))).toEqual([0, 3, 2]);
  });
});

const scores = fc.constantFrom(0, 0.5, 1, 1.5);
const offers = fc
  .uniqueArray(fc.nat(11), { maxLength: 12 })
  .chain((positions) =>
    fc.tuple(...positions.map((position) => scores.map((score) => ({ position, score })))),
  );
const orders = fc.shuffledSubarray(
  Array.from({ length: 12 }, (_, position) => position),
  { minLength: 12 },
);

test("the best of many are those that come first when all are sorted", () => {
  fc.assert(
    fc.property(offers, orders, fc.nat(6), (hits, order, limit) => {
      const sorted = hits.toSorted(
        (a, b) => b.score - a.score || order.indexOf(a.position) - order.indexOf(b.position),
      );
      const best = bestOf(limit, order, hits);
      expect(best.within(0)).toEqual(sorted.slice(0, limit));
      expect(best.top).toBe(limit === 0 ? 0 : (sorted[0]?.score ?? 0));
      // As long as there is room everything is one of the best.
      expect(best.least).toBe(sorted[limit - 1]?.score ?? 0);
    }),
  );
});

test("what is far behind the very best is left out, and what is as far as it may be is not", () => {
  const hits = [4, 2, 1.9].map((score, position) => ({ position, score }));
  const best = bestOf(3, [0, 1, 2], hits);
  expect(best.within(0.5)).toEqual(hits.slice(0, 2));
  expect(best.within(1)).toEqual(hits.slice(0, 1));
  expect(bestOf(3, [], []).within(0.5)).toEqual([]);
});

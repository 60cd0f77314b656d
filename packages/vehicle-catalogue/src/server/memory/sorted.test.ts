import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce } from "../../records/sliced.js";
import { merge, sorted } from "./sorted.js";
import { spliced } from "./spliced-order.js";

interface Item {
  readonly key: number;
  readonly place: number;
}
const byKey = (a: Item, b: Item): number => a.key - b.key;

describe("a list is sorted, and equals stay in their order", () => {
  test.each([0, 1, 2, 511, 512, 513, 1024, 1025, 1537, 2600])("of %d items", (length) => {
    const list = Array.from({ length }, (_, place): Item => ({ key: (place * 7919) % 97, place }));
    const given = structuredClone(list);
    expect(atOnce(sorted(list, byKey))).toEqual(given.toSorted(byKey));
    expect(list).toEqual(given);
  });
});

test("of two lists that are merged, equals of the first come first", () => {
  const [a, b] = [
    [1, 2, 2, 5],
    [0, 2, 5, 6],
  ].map((keys, place) => keys.map((key): Item => ({ key, place })));
  const merged = atOnce(merge(a ?? [], b ?? [], byKey));
  expect(merged.map(({ key, place }) => `${key}${"ab"[place]}`)).toEqual([
    ...["0b", "1a", "2a", "2a", "2b", "5a", "5b", "6b"],
  ]);
  expect(atOnce(merge([], b ?? [], byKey))).toEqual(b);
  expect(atOnce(merge(a ?? [], [], byKey))).toEqual(a);
});

test("rows that come and go leave an order as if it were made anew", () => {
  const rows = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 60 });
  fc.assert(
    fc.property(rows, rows, rows, (first, come, leave) => {
      const ascending = (a: number, b: number): number => a - b;
      const order = first.toSorted(ascending);
      const gone = leave.filter((row) => first.includes(row)).sort(ascending);
      const added = come.filter((row) => !first.includes(row)).sort(ascending);
      const expected = [...order.filter((row) => !gone.includes(row)), ...added].sort(ascending);
      expect([...spliced(Uint32Array.from(order), added, gone, ascending)]).toEqual(expected);
    }),
    { seed: 27, numRuns: 300 },
  );
});

test("a row that comes where an equal one goes takes its place", () => {
  // Rows of one key, which only their tens tell apart.
  const compare = (a: number, b: number): number => (a % 10) - (b % 10);
  expect([...spliced(Uint32Array.from([1, 2, 3]), [12], [2], compare)]).toEqual([1, 12, 3]);
  expect([...spliced(Uint32Array.from([1, 2, 3]), [11, 13], [1, 3], compare)]).toEqual([11, 2, 13]);
});

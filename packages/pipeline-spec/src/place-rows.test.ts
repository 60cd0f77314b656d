import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CarriageReturns } from "./carriage-returns.js";
import { PlaceRows } from "./place-rows.js";

describe("the places of values", () => {
  test("are kept however many more there are than were expected", () => {
    for (const [length, count] of [
      [0, 16],
      [0, 17],
      [0, 24],
      [0, 25],
      [32, 17],
      [32, 18],
      [0, 1000],
    ] as const) {
      const rows = new PlaceRows(length);
      const all = Array.from({ length: count }, (_, i) => [5 * i, 5 * i + 1, 5 * i + 2, 5 * i + 4] as const);
      expect(all.map((place) => rows.add(...place))).toEqual(all.map((_, row) => row));
      const trimmed = rows.trim();
      expect(trimmed.count).toBe(count);
      expect(all.map((_, row) => [...(trimmed.keyOf(row) ?? []), ...trimmed.valueOf(row)])).toEqual(all);
    }
  });

  test("lie in each other", () => {
    const rows = new PlaceRows(0);
    const root = rows.open(-1, -1, 0);
    const list = rows.open(1, 2, 3);
    const first = rows.add(-1, -1, 4, 5);
    const second = rows.add(-1, -1, 6, 7);
    rows.close(list, 8);
    const empty = rows.add(9, 10, 11, 12);
    rows.close(root, 13);
    expect([root, list, first, second, empty].map((row) => rows.childrenOf(row))).toEqual([
      [list, empty],
      [first, second],
      [],
      [],
      [],
    ]);
    expect([root, list, first, second, empty].map((row) => rows.lastIn(row))).toEqual([4, 3, 2, 3, 4]);
    expect([root, list, first].map((row) => rows.keyOf(row))).toEqual([undefined, [1, 2], undefined]);
    expect(rows.valueOf(root)).toEqual([0, 13]);
    expect(rows.valueOf(list)).toEqual([3, 8]);
    expect(rows.count).toBe(5);
  });

  test("that there are not are none, and at the beginning", () => {
    const rows = new PlaceRows(0).trim();
    expect([rows.keyOf(0), rows.valueOf(0), rows.childrenOf(0), rows.lastIn(0)]).toEqual([
      undefined,
      [0, 0],
      [],
      0,
    ]);
  });

  test("move together, and keys that are none stay none", () => {
    const rows = new PlaceRows(0);
    rows.add(-1, -1, 0, 5);
    rows.add(2, 3, 4, 5);
    rows.move((at) => at * 10 + 1);
    expect([rows.keyOf(0), rows.valueOf(0), rows.keyOf(1), rows.valueOf(1), rows.lastIn(1)]).toEqual([
      undefined,
      [1, 51],
      [21, 31],
      [41, 51],
      1,
    ]);
  });
});

test("every place of a text without carriage returns is where it was with them", () => {
  const texts = fc
    .array(fc.constantFrom("a", "\n", "\r\n", "\r\n", " ", "\r\n\r\n"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const returns = new CarriageReturns(text);
      expect(returns.without).toBe(text.replaceAll("\r\n", "\n"));
      const kept = Array.from(text, (_, at) => at).filter((at) => !text.startsWith("\r\n", at));
      const offsets = Array.from(returns.without, (_, at) => returns.offsetOf(at));
      // A break of a line is where its carriage return was.
      expect(offsets).toEqual(kept.map((at) => (text.startsWith("\r\n", at - 1) ? at - 1 : at)));
      expect(returns.offsetOf(returns.without.length)).toBe(text.length);
    }),
    { seed: 3, numRuns: 500 },
  );
});

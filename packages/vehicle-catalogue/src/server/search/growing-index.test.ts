import { expect, test } from "vitest";
import { GrowingIndex, type SearchView } from "./growing-index.js";

const entries = ["Beta", "Beta", "Gamma", "Gamma", "Delta"].map((model, at) => ({
  brand: "Alpha",
  model,
  variant: `${model} ${at} kWh`,
}));
const texts = ["alpha beta", "gamma", "beta gamma", "kwh 1", "delta 4", "gamma 3 kwh"];
const rank = (position: number) => position;
const indexOf = (list: typeof entries) => {
  const index = new GrowingIndex(new Map());
  for (const entry of list) index.add(entry);
  return index;
};

test("vehicles that were removed change nothing about the others", () => {
  const grown = indexOf(entries);
  for (const position of [0, 2]) grown.remove(position, entries[position]!);
  const left = [1, 3, 4];
  const fresh = indexOf(left.map((position) => entries[position]!));
  const isGone = (position: number) => !left.includes(position);
  for (const text of texts) {
    const hits = fresh.search(text, 9, { length: 3, rank });
    expect(grown.search(text, 9, { length: 3, rank, isGone })).toEqual(
      hits.map(({ position, score }) => ({ position: left[position], score })),
    );
  }
});

test("vehicles that a view does not have change nothing about those that it has", () => {
  const grown = indexOf(entries);
  const lefts = [[0], [1, 3, 4], [2, 3], [0, 2, 4]];
  for (const left of lefts) {
    const fresh = indexOf(left.map((position) => entries[position]!));
    const { length } = left;
    const has = (position: number) => left.includes(position);
    for (const text of texts) {
      const hits = fresh.search(text, 9, { length, rank });
      expect(grown.search(text, 9, { length, rank, has })).toEqual(
        hits.map(({ position, score }) => ({ position: left[position], score })),
      );
    }
  }
});

test("counts that are held twice are brought up to date with all that has come and gone since the first time", () => {
  const view: SearchView = { length: 4, rank, isGone: (position) => position === 0 };
  const found = (index: GrowingIndex) => texts.map((text) => index.search(text, 9, view));
  const held = indexOf(entries.slice(0, 1));
  held.holdCounts();
  held.add(entries[1]!);
  const before = found(held);
  held.holdCounts();
  for (const entry of entries.slice(2)) held.add(entry);
  held.remove(0, entries[0]!);
  held.count();
  const plain = indexOf(entries);
  plain.remove(0, entries[0]!);
  expect(found(held)).toEqual(found(plain));
  expect(found(held)).not.toEqual(before);
  // What counts already is not counted again with what comes and goes later.
  for (const index of [held, plain]) {
    index.remove(1, entries[1]!);
    index.add(entries[2]!);
    index.count();
  }
  const fresh = indexOf([...entries.slice(2), entries[2]!]);
  const left = (text: string, index: GrowingIndex, isGone: (position: number) => boolean) =>
    index.search(text, 9, { length: 4, rank, isGone }).map(({ score }) => score);
  for (const text of texts) {
    const wanted = left(text, fresh, () => false);
    for (const index of [held, plain]) expect(left(text, index, (at) => at < 2)).toEqual(wanted);
  }
});

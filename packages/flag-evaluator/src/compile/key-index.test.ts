import { expect, test } from "vitest";
import { Random } from "../../test/random.js";
import { atOnce } from "../steps.js";
import { KeyIndex } from "./key-index.js";

function found<T>(index: KeyIndex<T>, kind: number, key: string): readonly T[] {
  const all: T[] = [];
  index.find(kind, key, (listing) => all.push(listing));
  return all.sort();
}

test("finds all that list a key, and nobody else, however many keys there are", () => {
  const random = new Random(18);
  const key = () => `${random.pick(["", "user-", "\ud800", "ключ", "x".repeat(40)])}${random.int(0, 20_000)}`;
  const index = new KeyIndex<number>();
  const model = new Map<string, number[]>();
  for (let listing = 0; listing < 500; listing++) {
    const kind = random.int(0, 2);
    const keys = random.list(0, random.chance(0.1) ? 2500 : 40, key);
    atOnce(index.add(kind, keys, listing));
    for (const one of keys) {
      const name = `${kind}/${one}`;
      model.set(name, [...(model.get(name) ?? []), listing].sort());
    }
  }
  for (let kind = 0; kind < 4; kind++)
    for (let i = 0; i < 2000; i++) {
      const one = key();
      expect(found(index, kind, one)).toEqual(model.get(`${kind}/${one}`) ?? []);
    }
});

test("keeps keys of one kind from those of another, and empty ones and those that begin alike apart", () => {
  const index = new KeyIndex<string>();
  atOnce(index.add(0, ["", "a", "ab"], "first"));
  atOnce(index.add(1, ["a"], "second"));
  atOnce(index.add(0, ["a"], "third"));
  expect(found(index, 0, "")).toEqual(["first"]);
  expect(found(index, 0, "a")).toEqual(["first", "third"]);
  expect(found(index, 1, "a")).toEqual(["second"]);
  expect(found(index, 1, "ab")).toEqual([]);
  expect(found(index, 2, "a")).toEqual([]);
});

test("is not changed by what becomes of the list that it was given", () => {
  const index = new KeyIndex<string>();
  const keys = ["a", "b"];
  atOnce(index.add(0, keys, "both"));
  keys[0] = "c";
  expect(found(index, 0, "a")).toEqual(["both"]);
  expect(found(index, 0, "c")).toEqual([]);
});

test("can be interrupted in one long list and between many short ones, and tells of all that it has done", () => {
  const index = new KeyIndex<string>();
  const steps = [...index.add(0, Array.from({ length: 4096 }, String), "long")];
  for (let i = 0; i < 1024; i++) steps.push(...index.add(0, ["a", "b", "c", "d"], "short"));
  expect(steps).toEqual(new Array(8).fill(1024 * 32));
});

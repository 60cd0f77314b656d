import { expect, test } from "vitest";
import { keepText, keptText, type TextStorage } from "./kept-text.js";

function storageOf(items: Map<string, string>): TextStorage {
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

test("the last text is kept, the empty one too, until there is none", () => {
  const items = new Map<string, string>();
  const storage = () => storageOf(items);
  expect(keptText(storage)).toBeUndefined();
  for (const text of ["root: {}", ""]) {
    keepText(storage, text);
    expect(keptText(storage)).toBe(text);
  }
  keepText(storage, undefined);
  expect([keptText(storage), items.size]).toEqual([undefined, 0]);
});

test("a text that is too large leaves none of before", () => {
  const storage = () => own;
  const own = storageOf(new Map());
  keepText(storage, "root: {}");
  keepText(storage, "x".repeat(1024 * 1024 + 1));
  expect(keptText(storage)).toBeUndefined();
});

test("a browser that forbids storage is put up with", () => {
  const storage = (): TextStorage => {
    throw new DOMException("forbidden", "SecurityError");
  };
  expect(() => keepText(storage, "x")).not.toThrow();
  expect(keptText(storage)).toBeUndefined();
});

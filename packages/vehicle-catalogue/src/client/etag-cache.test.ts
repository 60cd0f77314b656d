import { expect, test } from "vitest";
import { createEtagCache } from "./etag-cache.js";

const body = (bytes: number, etag = "t") => ({ etag, text: "x", bytes });
/** What an entry weighs beside its URL and its body. */
const overhead = 513;

test("keeps a body that takes all of the room, and none that takes a byte more", () => {
  const cache = createEtagCache(1000);
  const largest = 1000 - overhead - 1;
  cache.set("a", body(largest));
  expect(cache.get("a")).toEqual(body(largest));
  cache.set("b", body(largest + 1));
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")).toEqual(body(largest));
});

test("keeps two bodies that take all of the room together, and only the newer one where they take a byte more", () => {
  for (const [more, kept] of [
    [0, true],
    [1, false],
  ] as const) {
    const cache = createEtagCache(2 * (100 + overhead + 1));
    cache.set("a", body(100));
    cache.set("b", body(100 + more));
    expect([cache.get("a") !== undefined, cache.get("b") !== undefined]).toEqual([kept, true]);
  }
});

test("a body that is not kept puts out what was kept of its URL before", () => {
  const cache = createEtagCache(1000);
  cache.set("a", body(1, "old"));
  cache.set("a", body(1000, "new"));
  expect(cache.get("a")).toBeUndefined();
});

test("the URL and the tag count as well", () => {
  const cache = createEtagCache(overhead + 100);
  cache.set("u".repeat(99), body(1));
  expect(cache.get("u".repeat(99))).toBeDefined();
  cache.set("u".repeat(100), body(1));
  expect(cache.get("u".repeat(100))).toBeUndefined();
  cache.set("u".repeat(99), body(1, "tt"));
  expect(cache.get("u".repeat(99))).toBeUndefined();
});

test("what was removed or replaced leaves its room to others", () => {
  const cache = createEtagCache(2 * (100 + overhead + 1));
  for (let round = 0; round < 3; round++) {
    cache.set("a", body(100));
    cache.set("a", body(100));
    cache.remove("a");
    cache.remove("a");
  }
  cache.set("b", body(100));
  cache.set("c", body(100));
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([undefined, body(100), body(100)]);
});

import { expect, test } from "vitest";
import { createEtagCache, type EtagCache } from "../../src/client/etag-cache.js";
import { readBody } from "../../src/client/read-body.js";

test("a body of exactly maxBodyBytes is read, one of a byte more is not", async () => {
  const { signal } = new AbortController();
  const read = (length: number) => readBody(new Response("a".repeat(length)), 10, signal);
  expect(await read(10)).toEqual({ text: "a".repeat(10), bytes: 10 });
  expect(await read(11)).toMatchObject({ problem: "more than maxBodyBytes" });
});

const body = { etag: '"1"', text: "a", bytes: 100 };
test.each<[how: string, use: (cache: EtagCache) => unknown]>([
  ["asked for", (cache) => cache.get("a")],
  ["renewed", (cache) => cache.set("a", body)],
])("what was %s last is what a full cache keeps", (_, use) => {
  const cache = createEtagCache(2 * (100 + 1 + 3 + 512));
  cache.set("a", body);
  cache.set("b", body);
  use(cache);
  cache.set("c", body);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([body, undefined, body]);
});

test("a tag weighs as well, so that no server decides how much is kept", () => {
  const cache = createEtagCache(100_000);
  const etag = `"${"e".repeat(15_000)}"`;
  for (let at = 0; at < 20; at++) cache.set(`${at}`, { etag, text: "a", bytes: 1 });
  const kept = Array.from({ length: 20 }, (_, at) => cache.get(`${at}`)).filter((body) => body !== undefined);
  expect(kept).toHaveLength(6);
});

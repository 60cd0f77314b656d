import { describe, expect, test } from "vitest";
import type { Platform } from "./platform.js";
import { createRepresentation, entityTag, type Representation } from "./representation.js";
import { createRepresentationCache } from "./representation-cache.js";

const version = "v";

/** A platform that compresses to ten bytes, and notes how often it is asked. */
function compressing(compress: Platform["compress"]): Platform & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    digest: (text) => text,
    codings: ["br", "gzip"],
    compress(coding, body) {
      asked.push(coding);
      return compress(coding, body);
    },
  };
}
const tenBytes = new Uint8Array(10);
const later = compressing(async () => tenBytes);

describe("a representation", () => {
  test.each([
    [1023, []],
    [1024, ["br", "gzip"]],
  ])("of %d bytes is worth %j", (length, codings) => {
    expect(createRepresentation(version, "n", new Uint8Array(length), later).codings).toEqual(codings);
  });

  test("is compressed once per coding, however many ask, and counts what that takes from then on", async () => {
    const platform = compressing(async () => tenBytes);
    const made = createRepresentation(version, "n", new Uint8Array(2000), platform);
    expect(made.size).toBe(2000);
    const [one, other] = await Promise.all([made.encoded("br"), made.encoded("br")]);
    expect([one, other, made.encoded("br")]).toEqual([tenBytes, tenBytes, tenBytes]);
    expect(made.size).toBe(2000 + 10 + 400);
    await made.encoded("gzip");
    expect(made.size).toBe(2000 + 2 * (10 + 400));
    expect(platform.asked).toEqual(["br", "gzip"]);
  });

  test("that is not compressed takes nothing more", () => {
    const body = new Uint8Array(5);
    const made = createRepresentation(version, "n", body, later);
    expect([made.encoded("identity"), made.size]).toEqual([body, 5]);
  });

  test("that could not be compressed is tried again by the next request", async () => {
    let isBroken = true;
    const platform = compressing(async () => {
      if (isBroken) throw new Error("no memory");
      return tenBytes;
    });
    const made = createRepresentation(version, "n", new Uint8Array(2000), platform);
    await expect(made.encoded("br")).rejects.toThrow("no memory");
    expect(made.size).toBe(2000);
    isBroken = false;
    expect(await made.encoded("br")).toEqual(tenBytes);
  });
});

test("the tag of a representation tells its coding", () => {
  expect([entityTag("n", "identity"), entityTag("n", "br")]).toEqual(['"n"', '"n-br"']);
});

describe("a cache of representations", () => {
  const ofBytes = (bytes: number): Representation =>
    createRepresentation(version, "n", new Uint8Array(bytes), later);

  test("gives what it keeps for the version that it is of, and for no other", () => {
    const cache = createRepresentationCache(10_000);
    const kept = ofBytes(5);
    cache.set("key", kept);
    expect([cache.keeps, cache.get("key", version)]).toEqual([true, kept]);
    expect([cache.get("key", "w"), cache.get("other", version)]).toEqual([undefined, undefined]);
  });

  test("keeps what takes half of its room, with two bytes for each character of the key and 900 beside, and no more", () => {
    const cache = createRepresentationCache(2 * (100 + 2 * 3 + 900));
    cache.set("abc", ofBytes(100));
    expect(cache.get("abc", version)).toBeDefined();
    cache.set("abc", ofBytes(101));
    expect(cache.get("abc", version)).toBeUndefined();
    cache.set("abcd", ofBytes(98));
    expect(cache.get("abcd", version)).toBeDefined();
    cache.set("abcd", ofBytes(99));
    expect(cache.get("abcd", version)).toBeUndefined();
  });

  test("of no bytes keeps nothing", () => {
    const cache = createRepresentationCache(0);
    cache.set("key", ofBytes(0));
    expect([cache.keeps, cache.get("key", version)]).toEqual([false, undefined]);
  });
});

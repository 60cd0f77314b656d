import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hash60, hashPrefix, hashSuffix } from "./sha1.js";

function expected(message: string): number {
  return Number.parseInt(createHash("sha1").update(message).digest("hex").slice(0, 15), 16);
}

function actual(prefix: string, suffix: string): number {
  return hash60(Int32Array.from([99, ...hashPrefix(prefix)]), 1, hashSuffix(suffix));
}

test("hashes of all lengths of prefix and suffix around whole blocks are those of the runtime", () => {
  const different: string[] = [];
  for (let prefix = 0; prefix < 200; prefix++) {
    for (let suffix = 0; suffix < 140; suffix++) {
      const [a, b] = ["p".repeat(prefix), "s".repeat(suffix)];
      if (actual(a, b) !== expected(a + b)) different.push(`${prefix} ${suffix}`);
    }
  }
  expect(different).toEqual([]);
});

const texts = [
  { name: "unicode", prefix: "флаг.соль.", suffix: "ключ 😀" },
  { name: "lone surrogates", prefix: "\ud800.", suffix: "a\udc00b" },
  { name: "zeros", prefix: "\0\0\0", suffix: "\0\0\0\0" },
  { name: "a long text", prefix: "x".repeat(100_000), suffix: "y".repeat(100_001) },
];

for (const { name, prefix, suffix } of texts) {
  test(`the hash of ${name} is that of the runtime`, () => {
    expect(actual(prefix, suffix)).toBe(expected(prefix + suffix));
  });
}

test("a suffix can be used with prefixes of all lengths, in any order", () => {
  const suffix = hashSuffix("user-key");
  const lengths = [3, 0, 2, 61, 1, 62, 63, 64, 3];
  const hashes = lengths.map((length) => hash60(Int32Array.from(hashPrefix("p".repeat(length))), 0, suffix));
  expect(hashes).toEqual(lengths.map((length) => expected(`${"p".repeat(length)}user-key`)));
});

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Sha256Prefix, sha256 } from "./index.js";

const texts = [
  "",
  "abc",
  "é😀\u2028",
  ...[54, 55, 56, 57, 63, 64, 65, 119, 120, 1_000].map((length) => "x".repeat(length)),
];

describe("SHA-256", () => {
  test.each(texts)("of %j is that of Node", (text) => {
    const expected = createHash("sha256").update(text).digest("hex");
    expect(sha256(text)).toBe(expected);
    for (const at of [0, 1, 55, 64, 65]) {
      // Between characters, of which some take two units.
      const [before, after] = [[...text].slice(0, at).join(""), [...text].slice(at).join("")];
      expect(new Sha256Prefix(before).digest(after)).toBe(expected);
    }
  });
});

import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { findPlatform, webPlatform } from "./platform.js";

describe.each([
  ["Node", findPlatform(), ["br", "gzip"]],
  ["the Web", webPlatform(), ["gzip"]],
])("what %s has", (_, platform, codings) => {
  test("digests texts in UTF-8 as SHA-256 does, in hexadecimal digits", async () => {
    for (const text of ["", "ä🚗", ...Array.from({ length: 40 }, (_, at) => `key ${at}`)]) {
      expect(await platform.digest(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
    }
  });

  test("compresses what can be decompressed, in the codings that it names", async () => {
    expect(platform.codings).toEqual(codings);
    const body = new TextEncoder().encode("vehicle ".repeat(1000));
    for (const coding of platform.codings) {
      const bytes = await platform.compress(coding, body);
      expect(bytes.length).toBeLessThan(500);
      const back = coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes);
      expect(back.equals(body)).toBe(true);
    }
  });
});

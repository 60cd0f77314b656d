import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { hashOf, hasText, textOf } from "./shared-text.js";

const training = readFileSync(new URL("../../data/training.yaml", import.meta.url), "utf8");
const packed = (bytes: Uint8Array): string => `#text=${deflateRawSync(bytes).toString("base64url")}`;

test("a text goes through a link as it is", async () => {
  for (const text of ["", "a: 1\r\n", "é\u2028😀\0", training]) {
    const hash = await hashOf(text);
    expect([hash !== undefined && hasText(hash), await textOf(hash ?? "")]).toEqual([true, text]);
    expect(hash).toMatch(/^#text=[\w-]*$/);
  }
});

test("what is too long for a link has none", async () => {
  const random = Array.from({ length: 40_000 }, (_, place) => ((place * 7919) ^ (place << 3)) % 9973).join(
    " ",
  );
  expect(await hashOf(random)).toBeUndefined();
});

test("a text that packs into more than a call takes has none either", async () => {
  expect(await hashOf(randomBytes(1_000_000).toString("base64"))).toBeUndefined();
});

describe("no text is", () => {
  const broken = {
    "a link that was cut": packed(Buffer.from(training)).slice(0, 300),
    "other letters": "#text=%20%20",
    "other bytes": `#text=${Buffer.from("plain").toString("base64url")}`,
    "what is not UTF-8": packed(Buffer.from([0xff, 0xfe])),
    "a bomb": packed(Buffer.alloc(9 * 1024 * 1024)),
  };
  for (const [name, hash] of Object.entries(broken))
    test(name, async () => expect(await textOf(hash)).toBeUndefined());
});

test("other hashes are not meant for it", () => {
  for (const hash of ["", "#", "#top", "#Text=", "text="]) expect(hasText(hash)).toBe(false);
});

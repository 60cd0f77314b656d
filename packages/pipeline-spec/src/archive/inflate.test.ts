import { randomBytes } from "node:crypto";
import { deflateRawSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { inflate } from "./inflate.js";

// Bytes that cannot be packed come in many pieces.
const content = new Uint8Array(randomBytes(300_000));

test("bytes come out as they went in, whatever they are packed by", async () => {
  for (const [format, packed] of [
    ["gzip", gzipSync(content)],
    ["deflate-raw", deflateRawSync(content)],
  ] as const) {
    const result = await inflate(new Uint8Array(packed), format, content.length);
    expect(Buffer.compare(result, content)).toBe(0);
  }
});

test("more than are allowed are refused, beside those around the files", async () => {
  const packed = new Uint8Array(gzipSync(content));
  const most = content.length - 10;
  expect(await inflate(packed, "gzip", most, 10)).toHaveLength(content.length);
  await expect(inflate(packed, "gzip", most, 9)).rejects.toMatchObject({
    code: "archive",
    message: expect.stringContaining(`it unpacks to more than ${most} bytes`),
  });
});

test("damaged ones are refused with the cause", async () => {
  await expect(inflate(Uint8Array.of(1, 2, 3), "gzip", 10)).rejects.toMatchObject({
    code: "archive",
    message: expect.stringContaining("its compressed data are damaged"),
    cause: expect.any(Error),
  });
});

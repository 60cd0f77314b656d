import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64 } from "./decode-base64.js";

test("bytes are what Node makes of the same text", () => {
  const property = fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
    expect(decodeBase64(Buffer.from(bytes).toString("base64"))).toEqual(new Uint8Array(bytes));
  });
  fc.assert(property, { seed: 32 });
});

test("what is no base64 is refused", () => {
  for (const text of ["a", "a*b=", "ä"]) expect(() => decodeBase64(text)).toThrow();
});

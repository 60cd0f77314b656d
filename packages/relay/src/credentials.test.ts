import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { credentialDigest, keyFromAuthorization, maskCredential } from "./credentials.js";

describe("the Authorization header", () => {
  const cases = [
    { header: "sdk-1", key: "sdk-1" },
    { header: "api_key sdk-1", key: "sdk-1" },
    { header: "api_key  sdk-1 ", key: "sdk-1" },
    { header: undefined, key: undefined },
    { header: "", key: undefined },
    { header: "api_key ", key: undefined },
    { header: "Bearer sdk-1", key: undefined },
    { header: "API_KEY sdk-1", key: undefined },
    { header: "api_key a b", key: undefined },
  ];
  for (const { header, key } of cases) {
    test(`${JSON.stringify(header)} carries ${key ?? "no key"}`, () =>
      expect(keyFromAuthorization(header)).toBe(key));
  }
});

describe("masking", () => {
  const cases = [
    { key: "def01234-56-789abc", masked: "********-**-*89abc" },
    { key: "sdk-def01234-56-789abc", masked: "sdk-********-**-*89abc" },
    { key: "mob-def01234-56-789abc", masked: "mob-********-**-*89abc" },
    { key: "sdk-11111111-aaaa-4bbb-8ccc-222222222222", masked: "sdk-********-****-****-****-*******22222" },
    { key: "sdk-not-hex-at-all-zzzzz", masked: "sdk-***-***-**-***-zzzzz" },
    { key: "abc-def-ghi-jkl", masked: "***-***-**i-jkl" },
    { key: "89abc", masked: "****c" },
    { key: "9abc", masked: "***c" },
    { key: "ab", masked: "**" },
    { key: "sdk-9abc", masked: "sdk-***c" },
    { key: "", masked: "" },
  ];
  for (const { key, masked } of cases) {
    test(`${key} is shown as ${masked}`, () => expect(maskCredential(key)).toBe(masked));
  }

  test("reveals at most a third of a key after its prefix, and never more than five characters", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60 }), (key) => {
        const masked = maskCredential(`sdk-${key}`);
        const shown = masked.slice(4).replaceAll(/[*-]/g, "").length;
        expect(shown).toBeLessThanOrEqual(Math.min(5, key.length / 3));
      }),
      { seed: 1 },
    );
  });
});

test("the same text is another credential in another kind", () => {
  expect(credentialDigest("sdkKey", "k")).not.toBe(credentialDigest("mobileKey", "k"));
  expect(credentialDigest("sdkKey", "k")).toBe(credentialDigest("sdkKey", "k"));
});

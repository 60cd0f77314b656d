import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  acceptedCredentials,
  credentialDigest,
  credentialsOf,
  type EnvironmentKeys,
  keyFromAuthorization,
  likelyKeys,
  maskCredential,
} from "./credentials.js";

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
    { header: "api_keysdk-1", key: "api_keysdk-1" },
    { header: "a api_key", key: undefined },
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
    { key: "rel-123456789", masked: "rel-******789" },
    { key: "api-123456789", masked: "api-******789" },
    { key: "sdk-", masked: "sdk-" },
    { key: "xsdk-123456789", masked: "****-*****6789" },
    { key: "sdk_123456789", masked: "*********6789" },
    { key: "SDK-123456789", masked: "***-*****6789" },
    { key: "mob-sdk-123456789", masked: "mob-***-*****6789" },
    { key: "123456789012345", masked: "**********12345" },
    { key: "12345678901234", masked: "**********1234" },
    { key: "ж😀ж", masked: "**ж" },
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
  expect(credentialDigest("sdkKey", "k")).not.toContain("k:");
  expect(credentialDigest("envId", "k")).toBe("envId:k");
});

describe("the keys of an environment", () => {
  const old = { kind: "sdkKey", value: "sdk-old", expires: 100 } as const;
  const mobile = { kind: "mobileKey", value: "mob-more" } as const;
  const keys: EnvironmentKeys = { sdkKey: "sdk", mobileKey: "mob", envId: "env", further: [old, mobile] };
  const own = [
    { kind: "sdkKey", value: "sdk" },
    { kind: "mobileKey", value: "mob" },
    { kind: "envId", value: "env" },
  ];

  test("are its own, and the further ones", () => {
    expect(credentialsOf(keys)).toEqual([...own, old, mobile]);
    expect(credentialsOf({ sdkKey: "sdk", further: [] })).toEqual(own.slice(0, 1));
  });

  test.each([
    [99, true],
    [100, false],
    [101, false],
  ])("are accepted until they expire: at %i that is %s", (now, isAccepted) => {
    expect(acceptedCredentials(keys, now)).toEqual([...own, ...(isAccepted ? [old] : []), mobile]);
  });

  test("are tried with the one that upstream knew last before the present one and the others, each once", () => {
    expect(likelyKeys(keys, "sdkKey")).toEqual(["sdk", "sdk-old"]);
    expect(likelyKeys(keys, "sdkKey", "sdk-old")).toEqual(["sdk-old", "sdk"]);
    expect(likelyKeys(keys, "sdkKey", "sdk-gone")).toEqual(["sdk-gone", "sdk", "sdk-old"]);
    expect(likelyKeys(keys, "mobileKey")).toEqual(["mob", "mob-more"]);
    expect(likelyKeys({ sdkKey: "sdk", further: [old] }, "mobileKey")).toEqual([]);
  });
});

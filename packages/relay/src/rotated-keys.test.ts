import { expect, test } from "vitest";
import type { AcceptedKey, EnvironmentKeys } from "./credentials.js";
import { newKeys, rotated } from "./rotated-keys.js";

const keysOf = (
  sdkKey: string,
  mobileKey?: string,
  further: readonly AcceptedKey[] = [],
): EnvironmentKeys => ({
  sdkKey,
  ...(mobileKey === undefined ? {} : { mobileKey }),
  further,
});
const sdk = (value: string, rest: Partial<AcceptedKey> = {}): AcceptedKey => ({
  kind: "sdkKey",
  value,
  ...rest,
});
const mobile = (value: string, rest: Partial<AcceptedKey> = {}): AcceptedKey => ({
  kind: "mobileKey",
  value,
  ...rest,
});

const [now, expires] = [1000, 2000];
const replaced = { expires, replaced: true } as const;

test.each<[what: string, before: EnvironmentKeys, after: EnvironmentKeys, further: readonly AcceptedKey[]]>([
  ["nothing changes", keysOf("a"), keysOf("a"), []],
  ["an SDK key is replaced", keysOf("a"), keysOf("b"), [sdk("a", replaced)]],
  ["a mobile key comes", keysOf("a"), keysOf("a", "m"), []],
  ["a mobile key is replaced", keysOf("a", "m"), keysOf("a", "n"), [mobile("m", replaced)]],
  ["both are replaced", keysOf("a", "m"), keysOf("b", "n"), [sdk("a", replaced), mobile("m", replaced)]],
  [
    "what is accepted beside stays",
    keysOf("a", "m", [sdk("x")]),
    keysOf("b", "m", [sdk("x")]),
    [sdk("x"), sdk("a", replaced)],
  ],
  [
    "a further key becomes the SDK key",
    keysOf("a", "m", [sdk("b"), sdk("x")]),
    keysOf("b", "m", [sdk("x")]),
    [sdk("x"), sdk("a", replaced)],
  ],
  [
    "a key is replaced by the one before",
    keysOf("b", "m", [sdk("a", { expires: 1500, replaced: true })]),
    keysOf("a", "m"),
    [sdk("b", replaced)],
  ],
  [
    "one that has expired is let go of",
    keysOf("a"),
    keysOf("b", "m", [sdk("x", { expires: 1000 }), sdk("y", { expires: 1001 })]),
    [sdk("y", { expires: 1001 }), sdk("a", replaced)],
  ],
])("%s", (_, before, after, further) => {
  expect(rotated(before, after, { now, expires })).toEqual(further);
});

test("without an overlap nothing of the old keys is accepted", () => {
  expect(rotated(keysOf("a", "m"), keysOf("b", "n", [sdk("x")]), { now, expires: now })).toEqual([sdk("x")]);
});

test.each([[{}], [{ sdkKey: undefined }], [{ sdkKey: null }], [{ sdkKey: "a", mobileKey: null }]])(
  "%j is no new key",
  (keys) => {
    expect(() => newKeys(keys as never)).toThrow("environments.rotateKey needs a new key");
  },
);

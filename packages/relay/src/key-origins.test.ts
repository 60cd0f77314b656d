import { expect, test } from "vitest";
import { type AcceptedKey, credentialDigest } from "./credentials.js";
import { KeyOrigins } from "./key-origins.js";
import { newEnvironment } from "./options/read-environment.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";
import { withOwnFlags } from "./sources/own-flags.js";
import { createManualClock } from "./testing/manual-clock.js";

const settingsOf = (sdkKey: string, ...further: readonly AcceptedKey[]): ResolvedEnvironment => ({
  ...newEnvironment,
  keys: { sdkKey, further },
});

/** A relay that serves one environment, `first`, with the key `sdk-first`, and what it has warned of. */
function setUp() {
  const told: string[] = [];
  const first = { name: "first", identity: Symbol("first"), settings: settingsOf("sdk-first") };
  const served = { entries: () => [first], find: () => undefined };
  const logger = { warn: (message: string) => void told.push(message) };
  const origins = new KeyOrigins(served, { clock: createManualClock(), logger });
  origins.note(first);
  return { origins, first, told };
}

test.each([
  { kind: "sdkKey", ownSdkKeys: undefined, isRefused: true },
  { kind: "sdkKey", ownSdkKeys: ["sdk-other"], isRefused: true },
  { kind: "sdkKey", ownSdkKeys: ["sdk-first"], isRefused: false },
  // What a mobile key opens is what it is listed for, whatever it looks like.
  { kind: "mobileKey", ownSdkKeys: undefined, isRefused: false },
] as const)(
  "the SDK key of another environment that is listed as $kind, of which $ownSdkKeys are said to be own, is refused: $isRefused",
  ({ kind, ownSdkKeys, isRefused }) => {
    const { origins, told } = setUp();
    const key = { kind, value: "sdk-first" };
    const { settings } = origins.opened("second", settingsOf("sdk-second", key), { origin: "o", ownSdkKeys });
    expect(settings.keys.further).toEqual(isRefused ? [] : [key]);
    expect(settings.keys.refused).toEqual(isRefused ? [key] : []);
    expect(told.length).toBe(isRefused ? 1 : 0);
  },
);

test("a name that is opened again with its key opens the same, and another name with that key something else", () => {
  const { origins, first } = setUp();
  expect(origins.opened("first", settingsOf("sdk-first"), {})).toMatchObject({
    identity: first.identity,
    isAnew: false,
  });
  expect(origins.opened("second", settingsOf("sdk-first"), {}).identity).not.toBe(first.identity);
});

test("a key is refused as long as there is an environment for which it is listed", () => {
  const { origins } = setUp();
  const key: AcceptedKey = { kind: "sdkKey", value: "sdk-first" };
  const digest = credentialDigest("sdkKey", "sdk-first");
  const wanted = settingsOf("sdk-second", key);
  const second = { name: "second", ...origins.opened("second", wanted, {}) };
  expect([origins.refuses(digest), origins.problemOf("second")]).toEqual([false, undefined]);
  origins.note(second);
  expect([origins.refuses(digest), origins.problemOf("second")]).toEqual([
    true,
    expect.stringContaining("is listed, and refused"),
  ]);
  expect(origins.problemOf("first")).toBeUndefined();
  origins.gone(second);
  expect([origins.refuses(digest), origins.problemOf("second")]).toEqual([false, undefined]);
});

test("an environment with flags of its own may list whatever keys it likes", () => {
  const { origins, told } = setUp();
  const key: AcceptedKey = { kind: "sdkKey", value: "sdk-first" };
  const source = withOwnFlags(() => ({ close() {} }));
  const wanted = { ...settingsOf("sdk-second", key), source };
  expect(origins.opened("second", wanted, {}).settings).toEqual(wanted);
  expect(told).toEqual([]);
});

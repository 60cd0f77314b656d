import { expect, test } from "vitest";
import { type AcceptedKey, credentialDigest } from "./credentials.js";
import { RefusedKeys } from "./refused-keys.js";
import { createManualClock } from "./testing/manual-clock.js";

test("keys are refused where they are listed, until they expire or others are listed", () => {
  const clock = createManualClock(1000);
  const refused = new RefusedKeys(clock);
  const key = (value: string, expires?: number): AcceptedKey => ({
    kind: "sdkKey",
    value,
    ...(expires === undefined ? {} : { expires }),
  });
  const knows = () =>
    ["sdk-first-key", "sdk-other-key", "sdk-third-key"].filter((value) =>
      refused.knows(credentialDigest("sdkKey", value)),
    );
  const why = "is listed, and refused: it opens the flags of another environment than the SDK key";
  expect([knows(), refused.problemOf("a")]).toEqual([[], undefined]);
  refused.set("a", [key("sdk-first-key"), key("sdk-other-key", 1010)]);
  refused.set("b", [key("sdk-third-key", 1005)]);
  expect(knows()).toEqual(["sdk-first-key", "sdk-other-key", "sdk-third-key"]);
  expect(refused.knows(credentialDigest("mobileKey", "sdk-first-key"))).toBe(false);
  expect(refused.problemOf("a")).toBe(`sdk-*****-key, sdk-*****-key: ${why}`);
  clock.advance(4);
  expect(refused.problemOf("b")).toBe(`sdk-*****-key: ${why}`);
  clock.advance(1);
  expect([knows(), refused.problemOf("b")]).toEqual([["sdk-first-key", "sdk-other-key"], undefined]);
  clock.advance(5);
  expect([knows(), refused.problemOf("a")]).toEqual([["sdk-first-key"], `sdk-*****-key: ${why}`]);
  refused.set("a", []);
  expect([knows(), refused.problemOf("a")]).toEqual([[], undefined]);
});

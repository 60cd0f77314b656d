import { describe, expect, test } from "vitest";
import type { AcceptedKey, EnvironmentKeys } from "./credentials.js";
import { credentialDigest } from "./credentials.js";
import { KeyHistory } from "./key-history.js";
import { RefusedKeys } from "./refused-keys.js";
import { createManualClock } from "./testing/manual-clock.js";

const keys = (sdkKey: string, ...further: readonly string[]): EnvironmentKeys => ({
  sdkKey,
  further: further.map((value): AcceptedKey => ({ kind: "sdkKey", value })),
});

describe("what keys have opened", () => {
  test("is remembered of each of them and of the name, as it was said last", () => {
    const history = new KeyHistory();
    expect([history.ofKey("k"), history.ofName("a"), history.ofKeys("a", keys("k"))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    history.note("a", "1", keys("k", "old"));
    expect([history.ofKey("k"), history.ofKey("old"), history.ofName("a")]).toEqual(["1", "1", "1"]);
    history.note("a", "2", keys("k"));
    expect([history.ofKey("k"), history.ofKey("old"), history.ofName("a"), history.ofName("b")]).toEqual([
      "2",
      "1",
      "2",
      undefined,
    ]);
  });

  test("is nothing for mobile keys", () => {
    const history = new KeyHistory();
    history.note("a", "1", { sdkKey: "k", further: [{ kind: "mobileKey", value: "m" }] });
    expect(history.ofKey("m")).toBeUndefined();
    const listed: EnvironmentKeys = { sdkKey: "x", further: [{ kind: "mobileKey", value: "k" }] };
    expect(history.ofKeys("b", listed)).toBeUndefined();
  });

  test("tells what a key that nobody knows opens, by the first known one that is listed with it", () => {
    const history = new KeyHistory();
    history.note("a", "1", keys("k1"));
    history.note("b", "2", keys("k2"));
    expect(history.ofKeys("c", keys("x", "y", "k2", "k1"))).toBe("2");
    expect(history.ofKeys("c", keys("k1", "k2"))).toBe("1");
  });
});

describe("a listed key is refused", () => {
  const served = (identity: string, isAnew = false) => ({ identity, isAnew });

  test("when it is certain that it opens something else: for the first time, and then again", () => {
    const history = new KeyHistory();
    history.note("a", "1", keys("k1"));
    expect(history.refusal("k1", served("1"))).toBeUndefined();
    expect(history.refusal("x", served("2"))).toBeUndefined();
    expect(history.refusal("k1", served("2"))).toBe("first");
    expect(history.refusal("k1", served("2"))).toBe("again");
    expect(history.refusal("k1", served("3"))).toBe("first");
  });

  test("when it was only listed elsewhere, where what is served is new", () => {
    const history = new KeyHistory();
    history.note("a", "1", keys("k1", "listed"));
    expect(history.refusal("listed", served("2"))).toBeUndefined();
    expect(history.refusal("listed", served("2", true))).toBe("first");
    // From now on that is certain.
    expect(history.refusal("listed", served("2"))).toBe("again");
    expect(history.refusal("listed", served("1"))).toBeUndefined();
  });

  test("and tells nothing from then on of the name beside which it was refused", () => {
    const history = new KeyHistory();
    history.note("a", "1", keys("k1"));
    history.note("b", "2", keys("k2"));
    history.refusal("k1", served("2"));
    expect(history.ofKeys("b", keys("x", "k1"))).toBeUndefined();
    expect(history.ofKeys("c", keys("x", "k1"))).toBe("1");
    expect(history.ofKeys("b", keys("k1"))).toBe("1");
  });

  test("that is noted again as what it is stays certain, and as something else counts anew", () => {
    const history = new KeyHistory();
    history.note("a", "1", keys("k1"));
    history.note("a", "1", keys("k0", "k1"));
    expect(history.refusal("k1", served("2"))).toBe("first");
    history.note("a", "3", keys("k0", "k1"));
    expect([history.ofKey("k1"), history.refusal("k1", served("2"))]).toEqual(["3", "first"]);
  });
});

test("a key that is listed again for what it opens was refused before all the same", () => {
  const history = new KeyHistory();
  history.note("a", "1", keys("k1"));
  expect(history.refusal("k1", { identity: "2", isAnew: false })).toBe("first");
  history.note("a", "1", keys("k2", "k1"));
  expect(history.refusal("k1", { identity: "2", isAnew: false })).toBe("again");
});

test("ten thousand keys and names are remembered, those that were noted last", () => {
  const history = new KeyHistory();
  for (let n = 0; n < 10_000; n++) history.note(`name-${n}`, `${n}`, keys(`k${n}`));
  history.note("name-0", "0", keys("k0"));
  expect([history.ofKey("k1"), history.ofName("name-1")]).toEqual(["1", "1"]);
  history.note("more", "more", keys("more"));
  expect([history.ofKey("k1"), history.ofName("name-1")]).toEqual([undefined, undefined]);
  for (const n of [0, 2, 9999])
    expect([history.ofKey(`k${n}`), history.ofName(`name-${n}`)]).toEqual([`${n}`, `${n}`]);
});

test("keys that are refused are known, and told of, until they expire or others take their place", () => {
  const clock = createManualClock();
  const refused = new RefusedKeys(clock);
  const digest = (value: string) => credentialDigest("sdkKey", value);
  const [soon, lasting] = ["sdk-soon-0123456789", "sdk-lasting-0123456789"];
  const problem = "is listed, and refused: it opens the flags of another environment than the SDK key";
  refused.set("a", [
    { kind: "sdkKey", value: soon, expires: clock.now() + 10 },
    { kind: "sdkKey", value: lasting },
  ]);
  refused.set("b", []);
  expect([soon, lasting, "other"].map((key) => refused.knows(digest(key)))).toEqual([true, true, false]);
  expect(refused.knows(credentialDigest("mobileKey", soon))).toBe(false);
  expect(refused.problemOf("a")).toBe(`sdk-****-*****56789, sdk-*******-*****56789: ${problem}`);
  expect([refused.problemOf("b"), refused.problemOf("c")]).toEqual([undefined, undefined]);
  clock.advance(9);
  expect(refused.knows(digest(soon))).toBe(true);
  clock.advance(1);
  expect([refused.knows(digest(soon)), refused.problemOf("a")]).toEqual([
    false,
    `sdk-*******-*****56789: ${problem}`,
  ]);
  refused.set("a", []);
  expect([refused.knows(digest(lasting)), refused.problemOf("a")]).toEqual([false, undefined]);
});

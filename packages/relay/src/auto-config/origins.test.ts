import { describe, expect, test } from "vitest";
import { Origins } from "./origins.js";

/** What SDK keys open that are announced one after the other, under which ID each. */
function setUp() {
  const origins = new Origins();
  const take = (id: string, sdkKey: string, expiring?: string) =>
    origins.take(id, {
      sdkKey,
      mobileKey: "",
      expiring: expiring === undefined ? undefined : { key: expiring, expires: 1 },
    });
  return { origins, take };
}

test("what a key opens stays, whatever the ID; another key opens something else", () => {
  const { origins, take } = setUp();
  const { origin } = take("a", "sdk-1");
  expect(take("b", "sdk-2").origin).not.toBe(origin);
  expect(take("a", "sdk-1")).toEqual({ origin });
  expect([origins.isOpenedBy(origin, "sdk-1"), origins.isOpenedBy(origin, "sdk-2")]).toEqual([true, false]);
  expect(origins.isOpenedBy(origin, "sdk-3")).toBe(false);
});

test("a key that nobody knows opens what the expiring one does that is named with it, or what the ID had", () => {
  const { take } = setUp();
  const { origin } = take("a", "sdk-1");
  expect(take("b", "sdk-2", "sdk-1")).toEqual({ origin });
  const other = take("c", "sdk-3");
  expect(take("c", "sdk-4")).toEqual({ origin: other.origin });
});

test("an ID under which nothing is announced any more has had its flags, until they are announced elsewhere", () => {
  const { origins, take } = setUp();
  const { origin } = take("a", "sdk-1");
  origins.leave("a");
  expect(take("a", "sdk-2").origin).toBe(origin);
  // Of both keys that one is known.
  expect(take("b", "sdk-1").origin).toBe(origin);
  expect(take("a", "sdk-3").origin).not.toBe(origin);
});

test("what a key is known to open counts more than what its ID has had", () => {
  const { take } = setUp();
  const [first, second] = [take("a", "sdk-1"), take("b", "sdk-2")];
  expect(take("b", "sdk-1")).toEqual({ origin: first.origin });
  expect(take("a", "sdk-2")).toEqual({ origin: second.origin });
});

test("an ID without keys is mistaken for nothing when its flags are announced elsewhere", () => {
  const { take } = setUp();
  const { origin } = take("a", "sdk-1");
  take("a", "");
  expect(take("b", "sdk-1")).toEqual({ origin });
});

test("a key that is named as expiring opens what it has always opened", () => {
  const { origins, take } = setUp();
  const [first, second] = [take("a", "sdk-1"), take("b", "sdk-2")];
  expect(take("b", "sdk-2", "sdk-1")).toEqual({ origin: second.origin });
  expect([first, second].map(({ origin }) => origins.isOpenedBy(origin, "sdk-1"))).toEqual([true, false]);
});

test("what has moved to another ID stays there when nothing is announced under the former one", () => {
  const { origins, take } = setUp();
  const { origin } = take("a", "sdk-1");
  expect(take("b", "sdk-1")).toEqual({ origin });
  origins.leave("a");
  expect(take("a", "sdk-9").origin).not.toBe(origin);
});

test("without an SDK key it is what the ID had, whatever expires", () => {
  const { take } = setUp();
  const [first, second] = [take("a", "sdk-1"), take("b", "sdk-2")];
  expect(take("b", "", "sdk-1").origin).toBe(second.origin);
  expect(first.origin).not.toBe(second.origin);
});

test("an ID under which something else is announced is taken for nothing any more", () => {
  const { take } = setUp();
  const { origin } = take("a", "sdk-1");
  take("a", "sdk-2");
  take("b", "sdk-3");
  take("a", "sdk-3");
  expect(take("c", "sdk-1")).toEqual({ origin });
});

describe("an ID that was guessed to go on with what turns out to be announced elsewhere", () => {
  test("has something else, and its keys open that", () => {
    const { origins, take } = setUp();
    const { origin } = take("a", "sdk-1");
    expect(take("a", "sdk-2").origin).toBe(origin);
    // The first key is back: it was the ID that had got another environment.
    expect(take("b", "sdk-1")).toEqual({ origin, mistaken: "a" });
    expect([origins.isOpenedBy(origin, "sdk-1"), origins.isOpenedBy(origin, "sdk-2")]).toEqual([true, false]);
    const other = take("a", "sdk-2");
    expect(other.origin).not.toBe(origin);
    // That is known now, and no guess.
    expect(take("c", "sdk-2", "sdk-1")).toEqual({ origin: other.origin });
  });

  test("is mistaken once, and goes on with new keys of its own", () => {
    const { take } = setUp();
    take("a", "sdk-1");
    take("a", "sdk-2");
    expect(take("b", "sdk-1").mistaken).toBe("a");
    const { origin } = take("a", "sdk-4", "sdk-2");
    take("a", "sdk-4");
    expect(take("c", "sdk-2")).toEqual({ origin });
  });

  test("is left alone when it names a key of both", () => {
    const { take } = setUp();
    const { origin } = take("a", "sdk-1");
    take("a", "sdk-2", "sdk-1");
    expect(take("b", "sdk-1")).toEqual({ origin });
  });

  test("is left alone when it names a key of both beside one that was guessed", () => {
    const { origins, take } = setUp();
    const { origin } = take("a", "sdk-1");
    take("a", "sdk-2");
    take("a", "sdk-2", "sdk-1");
    expect(take("b", "sdk-1")).toEqual({ origin });
    expect(origins.isOpenedBy(origin, "sdk-2")).toBe(true);
  });

  test("is left alone when its keys were known", () => {
    const { take } = setUp();
    const { origin } = take("a", "sdk-1", "sdk-2");
    take("a", "sdk-2");
    expect(take("b", "sdk-1")).toEqual({ origin });
  });
});

import { describe, expect, test } from "vitest";
import { StoreHolders } from "./store-holders.js";

const keeper = (identity: string, filter?: string) => ({ identity, filter });

/** Whether a promise is fulfilled by now. */
async function isOver(promise: Promise<unknown> | undefined): Promise<boolean> {
  let over = false;
  void promise?.then(() => {
    over = true;
  });
  await new Promise(setImmediate);
  return over;
}

describe("a place in a database", () => {
  test("is one environment's at a time, and free when that has let go of it or is done", () => {
    const holders = new StoreHolders();
    const [one, other] = [holders.enter("one"), holders.enter("other")];
    const release = one.places.claim("server", "prefix", "one");
    const claim = () => other.places.claim("server", "prefix", "other");
    expect(claim).toThrow(
      '"other" and "one" would overwrite each other\'s prefix: give each a place of its own, or put $CID into it',
    );
    expect(() => other.places.claim("server", "elsewhere", "other")).not.toThrow();
    expect(() => other.places.claim("another", "prefix", "other")).not.toThrow();
    release();
    release();
    expect(claim).not.toThrow();
    expect(() => one.places.claim("server", "prefix", "one")).toThrow('"one" and "other"');
    other.done();
    expect(() => one.places.claim("server", "prefix", "one")).not.toThrow();
  });

  test("stays one environment's as long as one of its claims is left", () => {
    const holders = new StoreHolders();
    const [one, other] = [holders.enter("one"), holders.enter("other")];
    const releases = [1, 2].map(() => one.places.claim("server", "prefix", "one"));
    const claim = () => other.places.claim("server", "prefix", "other");
    releases[0]?.();
    expect(claim).toThrow("would overwrite");
    releases[1]?.();
    expect(claim).not.toThrow();
  });

  test.each([{ places: ["prefix"] }, { places: ["prefix", "beside"] }])(
    "is not let go of again by who had it before another, and had $places",
    ({ places }) => {
      const holders = new StoreHolders();
      const [one, other, third] = ["one", "other", "third"].map((name) => holders.enter(name));
      const [release] = places.map((place) => one?.places.claim("server", place, "one"));
      release?.();
      other?.places.claim("server", "prefix", "other");
      release?.();
      expect(() => third?.places.claim("server", "prefix", "third")).toThrow('"third" and "other"');
    },
  );

  test("is taken from one that leaves, which is waited for", async () => {
    const holders = new StoreHolders();
    const [one, other] = [holders.enter("one"), holders.enter("other")];
    one.places.claim("server", "prefix", "one");
    one.stepAside(true);
    other.places.claim("server", "prefix", "other");
    const { turn } = other;
    expect(await isOver(turn)).toBe(false);
    one.done();
    expect(await isOver(turn)).toBe(true);
  });

  test("is taken from one that is done without waiting, and that one keeps nobody out any more", () => {
    const holders = new StoreHolders();
    const [one, other] = [holders.enter("one"), holders.enter("other")];
    one.places.claim("server", "prefix", "one");
    one.done();
    other.places.claim("server", "prefix", "other");
    expect(other.turn).toBeUndefined();
    one.places.claim("server", "late", "one");
    expect(() => other.places.claim("server", "late", "other")).not.toThrow();
  });

  test("is kept by one that stays after all", () => {
    const holders = new StoreHolders();
    const [one, other] = [holders.enter("one"), holders.enter("other")];
    one.places.claim("server", "prefix", "one");
    one.stepAside(true);
    one.stepAside(false);
    expect(() => other.places.claim("server", "prefix", "other")).toThrow("would overwrite");
    expect(other.turn).toBeUndefined();
  });

  test("is shared by those of the same name, of whom nobody waits for one that stays", () => {
    const holders = new StoreHolders();
    const [one, same] = [holders.enter("one"), holders.enter("one")];
    one.places.claim("server", "prefix", "one");
    same.places.claim("server", "prefix", "one");
    expect(same.turn).toBeUndefined();
  });
});

test("an object that is a store is one environment's", () => {
  const holders = new StoreHolders();
  const store = {};
  holders.enter("one").take(store);
  expect(() => holders.enter("other").take(store)).toThrow(
    '"other" and "one" would overwrite each other\'s data in the same store: give each an object of its own',
  );
  expect(() => holders.enter("other").take({})).not.toThrow();
});

describe("what is found in a place", () => {
  /** What was taken by one of these, who leaves it as it was, or has replaced it. */
  function leave(holders: StoreHolders, identity: string, how: "settle" | "replaced", filter?: string) {
    const holder = holders.enter("name", keeper(identity, filter));
    holder.take({});
    const places = holder.takenSince();
    places[how]();
    holder.done();
    return places.isOfOthers;
  }

  test("is of others when others were there before, until it was replaced", () => {
    const holders = new StoreHolders();
    expect(leave(holders, "a", "settle")).toBe(false);
    expect(leave(holders, "b", "settle")).toBe(true);
    expect(leave(holders, "a", "settle")).toBe(false);
    expect(leave(holders, "b", "replaced")).toBe(true);
    expect(leave(holders, "b", "settle")).toBe(false);
    expect(leave(holders, "a", "settle")).toBe(true);
  });

  test("is of others with another filter", () => {
    const holders = new StoreHolders();
    expect(leave(holders, "a", "settle", "web")).toBe(false);
    expect(leave(holders, "a", "settle")).toBe(true);
    expect(leave(holders, "a", "settle", "web")).toBe(false);
  });

  test("is told of the places that were claimed, and where there are none of the name, each time of those since", () => {
    const holders = new StoreHolders();
    const first = holders.enter("name", keeper("a"));
    first.places.claim("server", "prefix", "name");
    first.take({});
    first.takenSince().settle();
    first.done();
    const second = holders.enter("name", keeper("b"));
    second.places.claim("server", "elsewhere", "name");
    second.take({});
    // Nobody was there, whoever had the name.
    expect(second.takenSince().isOfOthers).toBe(false);
    second.places.claim("server", "prefix", "name");
    expect(second.takenSince().isOfOthers).toBe(true);
    expect(second.takenSince().isOfOthers).toBe(false);
  });
});

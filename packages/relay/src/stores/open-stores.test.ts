import { expect, test } from "vitest";
import type { BigSegmentStore } from "../big-segments/big-segment-store.js";
import { createStoreContext } from "../testing/store-context.js";
import { memoryStore } from "./memory-store.js";
import { openStores } from "./open-stores.js";
import { StoreHolders } from "./store-holders.js";

const told = (environment = "one") => createStoreContext({ environment });
const keeper = (identity: string) => ({ identity, filter: undefined });

const memberStore = (): BigSegmentStore => ({
  memberships: async () => ({ included: [], excluded: [] }),
  synchronizedOn: async () => undefined,
  apply: async () => true,
  cursor: async () => undefined,
  setSynchronizedOn: async () => {},
  close: async () => {},
});

test("without factories there are no stores, and nothing of others", () => {
  const opened = openStores({}, told(), new StoreHolders(), keeper("a"));
  expect([opened.flags, opened.members, opened.places.flags.isOfOthers]).toEqual([
    undefined,
    undefined,
    false,
  ]);
});

test.each(["flags", "members"] as const)("whose %s are in a place is known from the start", (kind) => {
  const holders = new StoreHolders();
  const open = (identity: string, at: { readonly flags: string; readonly members: string }) => {
    const store = ({ places }: ReturnType<typeof told>) => {
      places?.claim("server", at.flags, "one");
      return memoryStore();
    };
    const bigSegments = ({ places }: ReturnType<typeof told>) => {
      places?.claim("server", at.members, "one");
      return memberStore();
    };
    const { places, holder } = openStores({ store, bigSegments }, told(), holders, keeper(identity));
    holder.done();
    return [places.flags.isOfOthers, places.members.isOfOthers];
  };
  expect(open("a", { flags: "f", members: "m" })).toEqual([false, false]);
  const second = open("b", { flags: "f2", members: "m2", [kind]: kind === "flags" ? "f" : "m" });
  expect(second).toEqual([kind === "flags", kind === "members"]);
});

test("a factory takes places in databases for its environment", () => {
  const holders = new StoreHolders();
  const store = ({ places, environment }: ReturnType<typeof told>) => {
    places?.claim("server", "prefix", environment);
    return memoryStore();
  };
  openStores({ store }, told(), holders, keeper("a"));
  expect(() => openStores({ store }, told("two"), holders, keeper("b"))).toThrow(
    '"two" and "one" would overwrite each other\'s prefix',
  );
});

test.each([
  ["read", "store"],
  ["replace", "store"],
  ["upsert", "store"],
  ["close", "store"],
  ["memberships", "bigSegments"],
  ["synchronizedOn", "bigSegments"],
  ["apply", "bigSegments"],
  ["cursor", "bigSegments"],
  ["setSynchronizedOn", "bigSegments"],
  ["close", "bigSegments"],
] as const)("a store without %s, made by the factory %s, is a mistake", (method, factory) => {
  const made = { ...(factory === "store" ? memoryStore() : memberStore()), [method]: undefined };
  const what = factory === "store" ? "a store" : "a store of big segments";
  expect(() => openStores({ [factory]: () => made }, told(), new StoreHolders(), keeper("a"))).toThrow(
    new RegExp(`^\\[one\\] ${what} must be .*; missing: ${method}$`),
  );
});

test("where the second store cannot be made the first is closed, and both names are free again", () => {
  const holders = new StoreHolders();
  let closed = 0;
  const shared = {
    ...memoryStore(),
    close: async () => {
      closed++;
      throw new Error("not even that");
    },
  };
  const fail = () => {
    throw new Error("no members");
  };
  const open = () => openStores({ store: () => shared, bigSegments: fail }, told(), holders, keeper("a"));
  expect(open).toThrow("no members");
  expect(closed).toBe(1);
  const { flags } = openStores({ store: () => shared }, told("two"), holders, keeper("b"));
  expect(flags).toBe(shared);
});

test("a store that another environment has is refused, and goes on", () => {
  const holders = new StoreHolders();
  let closed = 0;
  const shared = { ...memoryStore(), close: async () => void closed++ };
  const members = memberStore();
  openStores({ store: () => shared, bigSegments: () => members }, told(), holders, keeper("a"));
  const open = (factories: Parameters<typeof openStores>[0]) => () =>
    openStores(factories, told("two"), holders, keeper("b"));
  expect(open({ store: () => shared })).toThrow("would overwrite");
  expect(open({ bigSegments: () => members })).toThrow("would overwrite");
  expect(closed).toBe(0);
});

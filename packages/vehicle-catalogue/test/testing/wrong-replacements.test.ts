import { describe, expect, test } from "vitest";
import type { CatalogueCall, CatalogueSnapshot, VehicleSelection } from "../../src/server/index.js";
import { altered, answering, type Change, fails, outcomeOf, passes } from "./outcomes.js";

type Find = CatalogueSnapshot["find"];

/** What is found at once. */
const found = (find: Find, query: Parameters<Find>[0]): VehicleSelection => find(query) as VehicleSelection;
const nothing: VehicleSelection = { vehicles: [], rowVersions: [], overallCount: 0 };
let count = 0;

const since = "finds what has changed since a time";

describe("what is wrong after a replacement fails the check that is about it", () => {
  test.each<readonly [check: string, mistake: string, change: Change]>([
    ["names its version", "anew each time", () => ({ version: `version-${count++}` })],
    ["has another version", "but its name", (_, { version }) => ({ version })],
    ["has another version", "and finds what was there", (_, { find }) => ({ find })],
    ["has another version", "and searches what was there", (_, { search }) => ({ search })],
    ["has another version", "and the brands that were there", (_, { brands }) => ({ brands })],
    ["has a restricted version", "of everything", ({ version }) => ({ restrictedVersion: version })],
    ["has a restricted version", "that stays", () => ({ restrictedVersion: "always" })],
    ["has a restricted version", "beside one that stays", (_, { version }) => ({ version })],
    [
      "gives a vehicle that changed",
      "the row version of before",
      ({ find }) => ({
        find(query) {
          const selection = found(find, query);
          return { ...selection, rowVersions: selection.vehicles.map(({ id }) => id) };
        },
      }),
    ],
    [
      "gives a vehicle that changed",
      "but shows it as it was",
      ({ find }, before) => ({
        find: (query) => ({ ...found(find, query), vehicles: found(before.find, query).vehicles }),
      }),
    ],
    ["renames a brand", "under the same version", (_, { version }) => ({ version })],
    ["renames a brand", "but not in its list", (_, { brands }) => ({ brands })],
    ["renames a brand", "but not on its vehicles", (_, { find }) => ({ find })],
    ["renames a brand", "but not where it is searched", (_, { search }) => ({ search })],
    [since, "without a time", () => ({ updatedAt: Number.NaN })],
    [since, "that stays", (_, before) => ({ updatedAt: before.updatedAt ?? 0 })],
    [
      since,
      "unless that is the first of all",
      ({ find }) => ({ find: (query) => (query.updatedSince === 0 ? nothing : find(query)) }),
    ],
    [
      since,
      "without those that did not change after it",
      ({ find, updatedAt }, before) => ({
        find: (query) =>
          updatedAt !== before.updatedAt && query.updatedSince === before.updatedAt ? nothing : find(query),
      }),
    ],
    [
      since,
      "or a moment before",
      ({ find }) => ({
        find: ({ updatedSince = 0, ...query }) => find({ ...query, updatedSince: updatedSince - 1 }),
      }),
    ],
    [
      since,
      "whatever its id is",
      ({ find }) => ({
        find: ({ ids, ...query }) => find(query.updatedSince ? query : { ...query, ...(ids && { ids }) }),
      }),
    ],
  ])("%s, %s", async (check, _, change) => {
    expect(
      await outcomeOf(
        answering(() => ({})),
        check,
      ),
    ).toEqual(passes);
    expect(await outcomeOf(answering(change), check)).toEqual(fails);
  });
});

test("each of the calls is made once with a signal that is aborted", async () => {
  const calls: unknown[] = [];
  const note = (name: string, call: CatalogueCall | undefined): void =>
    void calls.push([name, call?.signal.aborted]);
  const noting = altered(({ snapshot }) => ({
    catalogue: {
      snapshot(call) {
        note("snapshot", call);
        const { find, search, brands, ...others } = snapshot();
        return {
          ...others,
          find(query, asked) {
            note("find", asked);
            return find(query);
          },
          search(query, asked) {
            note("search", asked);
            return search(query);
          },
          brands(asked) {
            note("brands", asked);
            return brands();
          },
        };
      },
    },
  }));
  expect(await outcomeOf(noting, "ends a call whose signal is aborted")).toEqual(passes);
  const names = ["brands", "find", "search", "snapshot", "snapshot", "snapshot"];
  expect(calls.toSorted()).toEqual(names.map((name) => [name, true]));
});

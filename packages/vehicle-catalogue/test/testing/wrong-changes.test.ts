import { describe, expect, test } from "vitest";
import type { Vehicle } from "../../src/index.js";
import { CatalogueError, type CatalogueSnapshot } from "../../src/server/index.js";
import { describeCatalogue } from "../../src/testing/index.js";
import { naiveCatalogue, type Parts, rightParts } from "./naive-catalogue.js";
import { altered, fails, type Make, outcomeOf, passes } from "./outcomes.js";

interface Superseding {
  /** What an old snapshot throws in place of an answer. */
  readonly thrown?: (newer: CatalogueSnapshot) => unknown;
  /** The snapshot that comes with the news; `present` makes those of what is there now. */
  readonly newer?: (right: CatalogueSnapshot, present: () => CatalogueSnapshot) => CatalogueSnapshot;
  /** Whether only `find` refuses. */
  readonly searchesOn?: boolean;
}

/** One whose snapshots answer nothing after a replacement but that they are superseded. */
function superseding({
  thrown = (snapshot) => new CatalogueError("superseded", "gone", { snapshot }),
  newer = (right) => right,
  searchesOn = false,
}: Superseding = {}): Make {
  return altered(({ snapshot: present, replace }) => {
    let state = 0;
    const snapshot = (): CatalogueSnapshot => {
      const [taken, own] = [state, present()];
      const there = (): CatalogueSnapshot => {
        if (taken !== state) throw thrown(newer(snapshot(), present));
        return own;
      };
      return {
        ...own,
        find: (query) => there().find(query),
        search: (query) => (searchesOn ? present() : there()).search(query),
        brands: () => there().brands(),
      };
    };
    return {
      catalogue: { snapshot },
      replace(vehicles) {
        state++;
        return replace?.(vehicles);
      },
    };
  });
}

describe("snapshots that say that they are superseded", () => {
  test("pass all checks, with a newer one or without", async () => {
    expect(await outcomeOf(superseding())).toEqual(passes);
    const alone = superseding({ thrown: () => new CatalogueError("superseded", "gone") });
    expect(await outcomeOf(alone)).toEqual(passes);
  });

  const old = "answers the old version from an old snapshot";
  test.each<[string, Superseding]>([
    ["of another code", { thrown: () => new CatalogueError("unavailable", "away") }],
    ["without a code", { thrown: () => new Error("gone") }],
    ["that is nothing", { thrown: () => undefined }],
    ["of finding alone, while a search answers what is there now", { searchesOn: true }],
  ])("fail with news %s", async (_, wrong) => {
    expect(await outcomeOf(superseding(wrong), old)).toEqual(fails);
  });

  const news = "has a snapshot that takes the place of a superseded one";
  test.each<[string, NonNullable<Superseding["newer"]>]>([
    ["answers nothing", (right) => ({ ...right, find: () => ({ vehicles: [], overallCount: 0 }) })],
    ["has another version", (right) => ({ ...right, version: "other" })],
    ["answers another page", (right) => ({ ...right, find: (query) => right.find({ ...query, offset: 0 }) })],
    [
      "answers what is there now, whenever that is",
      (right, present) => ({ ...right, find: (query) => present().find(query) }),
    ],
    [
      "refuses otherwise when it is superseded itself",
      (right, present) => ({
        ...right,
        find(query) {
          if (present().version !== right.version) throw new CatalogueError("refused", "no");
          return right.find(query);
        },
      }),
    ],
  ])("fail with a newer one that %s", async (_, newer) => {
    expect(await outcomeOf(superseding({ newer }), news)).toEqual(fails);
    expect(await outcomeOf(superseding({ newer }), old)).toEqual(passes);
  });
});

describe("a vehicle that goes while its brand is renamed", () => {
  const title = "lets a vehicle go in the step in which its brand is renamed";
  /** Keeps what a replacement leaves out, of brands whose names it changes. */
  const keeping = (isKept: (vehicle: Vehicle, at: number) => boolean): Make =>
    altered(({ replace }) => {
      let before: readonly Vehicle[] = [];
      return {
        replace(vehicles) {
          const ids = new Set(vehicles.map(({ id }) => id));
          const names = new Map(vehicles.map(({ manufacturer: { id, name } }) => [id, name]));
          const gone = before.filter(
            (vehicle) =>
              !ids.has(vehicle.id) && names.get(vehicle.manufacturer.id) !== vehicle.manufacturer.name,
          );
          before = [...vehicles, ...gone.filter(isKept)];
          return replace?.(before);
        },
      };
    });

  test("has gone, and no other", async () => {
    expect(
      await outcomeOf(
        altered(() => ({})),
        title,
      ),
    ).toEqual(passes);
    // Replaced once with what it is made with, so that it knows what was there before.
    const once =
      (make: Make): Make =>
      (vehicles) => {
        const made = make(vehicles);
        void made.replace?.(vehicles);
        return made;
      };
    expect(await outcomeOf(once(keeping(() => false)), title)).toEqual(passes);
    expect(await outcomeOf(once(keeping(() => true)), title)).toEqual(fails);
  });

  test("takes none along", async () => {
    const losing = altered(({ replace }) => ({ replace: (vehicles) => replace?.(vehicles.slice(1)) }));
    expect(await outcomeOf(losing, title)).toEqual(fails);
  });

  test("is one of a brand that has others, which are renamed", async () => {
    const replacements: (readonly Vehicle[])[] = [];
    let all: readonly Vehicle[] = [];
    const noting: Make = (vehicles) => {
      all = vehicles;
      const made = naiveCatalogue(vehicles);
      return {
        ...made,
        replace(given) {
          replacements.push(given);
          return made.replace?.(given);
        },
      };
    };
    expect(await outcomeOf(noting, title)).toEqual(passes);
    const [left = []] = replacements;
    const gone = all.filter(({ id }) => !left.some((one) => one.id === id));
    const changed = left.filter(
      (one) => all.find(({ id }) => id === one.id)?.manufacturer.name !== one.manufacturer.name,
    );
    const brand = gone[0]?.manufacturer.id;
    expect([replacements.length, gone.length]).toEqual([1, 1]);
    expect(changed.map(({ manufacturer }) => manufacturer)).toEqual(
      all
        .filter(({ id, manufacturer }) => manufacturer.id === brand && id !== gone[0]?.id)
        .map(() => ({ id: brand, name: "Zzz Works" })),
    );
    expect(changed.length).toBeGreaterThan(0);
  });
});

test("what cannot be written, is never away, and understands nothing more, passes what is left", async () => {
  const asked: string[] = [];
  const readOnly: Make = (vehicles) => {
    const { catalogue } = naiveCatalogue(vehicles);
    return {
      catalogue: {
        snapshot() {
          const { version, find, search, brands } = catalogue.snapshot() as CatalogueSnapshot;
          const without = (found: ReturnType<typeof find>) => {
            const { rowVersions: _, ...others } = found as Awaited<typeof found>;
            return others;
          };
          return {
            version,
            find(query) {
              asked.push(...Object.keys(query));
              return without(find(query));
            },
            search: (query) => without(search(query)),
            brands,
          };
        },
      },
    };
  };
  expect(await outcomeOf(readOnly)).toEqual(passes);
  expect([...new Set(asked)].toSorted()).toEqual(["ids", "limit", "manufacturerIds", "offset"]);
});

test.each([
  ["a", true],
  ["a.B-9_", true],
  ["v".repeat(64), true],
  ["v".repeat(65), false],
  ["", false],
  ["a b", false],
  ["a\n", false],
])("a version of %j: %s", async (version, isRight) => {
  const title = "names its version in characters that an ETag may hold";
  const named = altered(({ snapshot }) => ({
    catalogue: { snapshot: () => ({ ...snapshot(), version }) },
  }));
  expect(await outcomeOf(named, title)).toEqual(isRight ? passes : fails);
  const seen = "has a restricted version, if any";
  const restricted = altered(({ snapshot, replace }) => {
    let start = version;
    return {
      catalogue: { snapshot: () => ({ ...snapshot(), restrictedVersion: start }) },
      replace(vehicles) {
        if (vehicles.some(({ ac_max_power }) => ac_max_power === 1.5)) start = "other";
        return replace?.(vehicles);
      },
    };
  });
  expect(await outcomeOf(restricted, seen)).toEqual(isRight ? passes : fails);
});

test.each([1, 0, -1])(
  "row versions of %d vehicles more than there are: only as many as there are pass",
  async (more) => {
    const title = "gives a row version for each vehicle or for none";
    const counted = altered(({ snapshot }) => ({
      catalogue: {
        snapshot() {
          const right = snapshot();
          return {
            ...right,
            find(query) {
              const found = right.find(query) as Awaited<ReturnType<typeof right.find>>;
              const rowVersions = ["one more", ...(found.rowVersions ?? [])].slice(1 - Math.min(more, 1));
              return { ...found, rowVersions: more < 0 ? rowVersions.slice(1) : rowVersions };
            },
          };
        },
      },
    }));
    expect(await outcomeOf(counted, title)).toEqual(more === 0 ? passes : fails);
  },
);

test.each(["of a few ids", "of a search"])("row versions that differ in what is found %s", async (where) => {
  const title = "gives a row version for each vehicle or for none";
  const differing = altered(({ snapshot }) => ({
    catalogue: {
      snapshot() {
        const right = snapshot();
        const changed = (found: ReturnType<typeof right.find>) => {
          const selection = found as Awaited<typeof found>;
          return { ...selection, rowVersions: selection.vehicles.map(({ id }) => `another ${id}`) };
        };
        const isFew = (ids: readonly string[] | undefined) => ids !== undefined && ids.length < 10;
        return {
          ...right,
          find: (query) =>
            where === "of a few ids" && isFew(query.ids) ? changed(right.find(query)) : right.find(query),
          search: (query) => (where === "of a search" ? changed(right.search(query)) : right.search(query)),
        };
      },
    },
  }));
  expect(await outcomeOf(differing, title)).toEqual(fails);
});

describe("what is selected wrongly fails the check that is about it", () => {
  const unlike = (change: (query: Parameters<Parts["select"]>[1]) => object): Partial<Parts> => ({
    select: (ordered, query, parts) => rightParts.select(ordered, { ...query, ...change(query) }, parts),
  });
  const asWritten: Partial<Parts> = { has: (list, id) => list.includes(id) };
  const ofPage: Partial<Parts> = { count: (_, page) => page.length };
  const oneMore: Partial<Parts> = {
    page: (vehicles, { offset, limit }) => vehicles.slice(offset, offset + limit + 1),
  };
  const backwards: Partial<Parts> = { compare: (a, b) => rightParts.compare(b, a) };
  const containing = (name: string): Partial<Parts> => ({
    has: (list, id) => list.includes(name) || rightParts.has(list, id),
  });
  const emptyIs = (name: "ids" | "manufacturerIds"): Partial<Parts> =>
    unlike((query) => (query[name]?.length === 0 ? { [name]: undefined } : {}));

  test.each<readonly [check: string, mistake: string, parts: Partial<Parts>]>([
    ["answers all vehicles", "backwards", backwards],
    ["answers all vehicles", "without the first", { select: (ordered) => ordered.slice(1) }],
    ["answers all vehicles", "and counts one more", { count: (found) => found.length + 1 }],
    ["answers pages", "of one more", oneMore],
    ["answers pages", "backwards", backwards],
    ["answers pages", "and counts the page", ofPage],
    [
      "answers nothing beyond",
      "but the last",
      { page: (all, query) => (query.offset < all.length ? rightParts.page(all, query) : all.slice(-1)) },
    ],
    ["answers nothing beyond", "and counts the page", ofPage],
    ["finds by ids", "as they are written", asWritten],
    ["finds by ids", "the first alone", unlike(({ ids }) => ({ ids: ids?.slice(0, 1) }))],
    ["finds by ids", "and counts the ids", { count: (found) => found.length + 1 }],
    ["finds by brands", "as they are written", asWritten],
    [
      "finds by brands",
      "the first alone",
      unlike(({ manufacturerIds }) => ({ manufacturerIds: manufacturerIds?.slice(0, 1) })),
    ],
    ["finds by brands", "all", unlike(() => ({ manufacturerIds: undefined }))],
    [
      "lets both filters hold",
      "but for brands",
      unlike(({ ids }) => (ids === undefined ? {} : { manufacturerIds: undefined })),
    ],
    ["lets both filters hold", "on pages of one more", oneMore],
    ["lets both filters hold", "and counts the page", ofPage],
    ["selects nothing", "but with an empty list of ids", emptyIs("ids")],
    ["selects nothing", "but with an empty list of brands", emptyIs("manufacturerIds")],
    ["selects nothing", "but with a key of objects", containing("__proto__")],
    ["selects nothing", "but with a member of objects", containing("constructor")],
    ["selects nothing", "but with a method of objects", containing("toString")],
    ["selects nothing", "and counts more", { count: (found) => found.length + 1 }],
    ["searches brand", "the worst first", { results: (found) => found.toReversed() }],
    ["searches brand", "and finds nothing", { results: () => [] }],
    ["answers at most", "one more", { results: (found, ordered) => [...found, ...ordered.slice(0, 1)] }],
    ["answers at most", "and counts the page", ofPage],
    [
      "answers at most",
      "nonsense",
      { results: (found, ordered) => (found.length === 0 ? ordered.slice(0, 1) : found) },
    ],
    ["answers the brands", "backwards", { compareBrands: (a, b) => rightParts.compareBrands(b, a) }],
    ["answers the brands", "without one", { brandsOf: (all) => rightParts.brandsOf(all, []).slice(1) }],
    [
      "answers the brands",
      "twice",
      { brandsOf: (all) => rightParts.brandsOf(all, []).flatMap((one) => [one, one]) },
    ],
  ])("%s %s", async (check, _, parts) => {
    expect(await outcomeOf((vehicles) => naiveCatalogue(vehicles), check)).toEqual(passes);
    const outcomes = await outcomeOf((vehicles) => naiveCatalogue(vehicles, parts), check);
    expect(outcomes).toContainEqual(fails[0]);
  });
});

describe("each check", () => {
  const running = async (make: Make): Promise<{ made: number; closed: number; failed: number }> => {
    const count = { made: 0, closed: 0, failed: 0 };
    const bodies: (() => Promise<void>)[] = [];
    describeCatalogue(
      "a catalogue",
      async (vehicles) => {
        count.made++;
        const close = async (): Promise<void> => {
          await Promise.resolve();
          count.closed++;
        };
        return { ...make(vehicles), close };
      },
      { describe: (_, body) => body(), test: (_, body) => bodies.push(body) },
    );
    for (const [at, body] of bodies.entries()) {
      await body().catch(() => count.failed++);
      expect([count.made, count.closed]).toEqual([at + 1, at + 1]);
    }
    return count;
  };

  test("has a catalogue of its own, which is closed when it is over, however it went", async () => {
    const { made, failed } = await running((vehicles) => naiveCatalogue(vehicles));
    expect([made > 20, failed]).toEqual([true, 0]);
    const broken = await running(() => naiveCatalogue([]));
    expect(broken.failed).toBeGreaterThan(10);
  });

  test.each<[string, unknown[], RegExp]>([
    ["a name", [5, () => {}, { describe() {}, test() {} }], /needs a name, which is a text/],
    ["a function", ["mine", 5, { describe() {}, test() {} }], /needs a function make that gives a catalogue/],
    ["a runner", ["mine", () => {}, null], /needs a test runner, \{ describe, test \}/],
    ["a runner that describes", ["mine", () => {}, { test() {} }], /needs a test runner/],
    ["a runner that tests", ["mine", () => {}, { describe() {} }], /needs a test runner/],
  ])("needs %s", (_, given, message) => {
    const call = describeCatalogue as (...all: unknown[]) => void;
    expect(() => call(...given)).toThrow(TypeError);
    expect(() => call(...given)).toThrow(message);
  });

  test("is told under the name that was given", () => {
    const names: string[] = [];
    describeCatalogue("mine", (vehicles) => naiveCatalogue(vehicles), {
      describe: (name) => names.push(name),
      test: () => {},
    });
    expect(names).toEqual(["mine"]);
  });
});

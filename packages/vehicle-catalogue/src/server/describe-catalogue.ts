import { limits } from "../protocol.js";
import type { Vehicle } from "../vehicle.js";
import type { Catalogue } from "./catalogue.js";
import { catalogueTestVehicles } from "./catalogue-test-vehicles.js";
import { compareVehicles } from "./vehicle-order.js";

/** What the suite needs of a test runner; vitest, jest, mocha and `node:test` have these two. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  test(name: string, body: () => Promise<void>): unknown;
}

/** A catalogue under test that holds exactly the vehicles it was made with. */
export interface CatalogueUnderTest {
  readonly catalogue: Catalogue;
  /** Puts other vehicles in place of all present ones. Left out for catalogues that cannot be written. */
  readonly replace?: (vehicles: readonly Vehicle[]) => Promise<void> | void;
  readonly close?: () => Promise<void> | void;
}

/**
 * The contract of `Catalogue` as a suite. `make` is called for every test with the vehicles that the catalogue is to
 * hold. Uses no assertion library: a test fails by throwing.
 */
export function describeCatalogue(
  name: string,
  make: (vehicles: readonly Vehicle[]) => Promise<CatalogueUnderTest> | CatalogueUnderTest,
  { describe, test }: TestRunner,
): void {
  const vehicles = catalogueTestVehicles();
  const ordered = [...vehicles].sort(compareVehicles);
  describe(name, () => {
    for (const { title, check } of checks) {
      test(title, async () => {
        const made = await make(vehicles);
        try {
          await check({ ...made, ordered });
        } finally {
          await made.close?.();
        }
      });
    }
  });
}

interface Checked extends CatalogueUnderTest {
  /** All vehicles in the order that the catalogue must answer. */
  readonly ordered: readonly Vehicle[];
}

const all = { offset: 0, limit: 100 };

const checks: readonly { title: string; check: (checked: Checked) => Promise<void> }[] = [
  {
    title: "answers all vehicles in the documented order when nothing is filtered",
    async check({ catalogue, ordered }) {
      const found = await catalogue.find(all);
      same(idsOf(found), ordered.map(idOf));
      same(found.overallCount, ordered.length);
    },
  },
  {
    title: "answers pages that neither overlap nor leave a vehicle out",
    async check({ catalogue, ordered }) {
      const seen: string[] = [];
      for (let offset = 0; offset < ordered.length; offset += 3) {
        const page = await catalogue.find({ offset, limit: 3 });
        same(page.overallCount, ordered.length);
        seen.push(...idsOf(page));
      }
      same(seen, ordered.map(idOf));
    },
  },
  {
    title: "answers nothing beyond the last vehicle, with the true count",
    async check({ catalogue, ordered }) {
      for (const offset of [ordered.length, 1_000_000, Number.MAX_SAFE_INTEGER - 100]) {
        const page = await catalogue.find({ offset, limit: 100 });
        same(idsOf(page), []);
        same(page.overallCount, ordered.length);
      }
    },
  },
  {
    title: "finds by ids: in order, each once, without regard to letter case, unknown ones ignored",
    async check({ catalogue, ordered }) {
      const [a = "", b = ""] = [ordered[4]?.id, ordered[1]?.id];
      const ids = [a, b.toUpperCase(), a, "no such id", ""];
      const found = await catalogue.find({ ...all, ids });
      same(idsOf(found), [b, a]);
      same(found.overallCount, 2);
    },
  },
  {
    title: "finds by brands, several at once, without regard to letter case",
    async check({ catalogue, ordered }) {
      const wanted = [...new Set(ordered.map((vehicle) => vehicle.manufacturer.id))].slice(0, 2);
      const found = await catalogue.find({
        ...all,
        manufacturerIds: wanted.map((id) => id.toUpperCase()),
      });
      same(idsOf(found), ordered.filter((vehicle) => wanted.includes(vehicle.manufacturer.id)).map(idOf));
    },
  },
  {
    title: "lets both filters hold, and pages what they select",
    async check({ catalogue, ordered }) {
      const manufacturerIds = [ordered[0]?.manufacturer.id ?? ""];
      const both = ordered.filter((vehicle) => manufacturerIds.includes(vehicle.manufacturer.id));
      const ids = ordered.map(idOf);
      same((await catalogue.find({ ...all, ids, manufacturerIds })).overallCount, both.length);
      const second = await catalogue.find({ ids, manufacturerIds, offset: 1, limit: 1 });
      same(idsOf(second), both.slice(1, 2).map(idOf));
      same(second.overallCount, both.length);
    },
  },
  {
    title: "selects nothing with an empty list or with keys of objects as ids",
    async check({ catalogue }) {
      for (const filter of [
        { ids: [] },
        { manufacturerIds: [] },
        { ids: ["__proto__", "constructor"] },
        { manufacturerIds: ["__proto__", "toString"] },
      ]) {
        const found = await catalogue.find({ ...all, ...filter });
        same([idsOf(found), found.overallCount], [[], 0]);
      }
    },
  },
  {
    title: "searches brand, model and variant, and bridges spelling and slips",
    async check({ catalogue, ordered }) {
      for (const [text, model] of [
        ["Northwind Borealis", "borealis"],
        ["northwnd boraelis", "borealis"],
        ["borealis2", "borealis 2"],
        ["BOREALIS 2", "borealis 2"],
        ["kestrél", "kestrel"],
        ["zephyr sport", "mistral"],
      ] as const) {
        const found = await catalogue.search({ text, ...all });
        const [first] = idsOf(found);
        const best = ordered.find((vehicle) => vehicle.id === first);
        same([text, best?.model.toLowerCase().startsWith(model)], [text, true]);
      }
    },
  },
  {
    title: `answers at most ${limits.searchResults} results of a search, on all pages together, and nothing for nonsense`,
    async check({ catalogue }) {
      const found = await catalogue.search({ text: "fleet", ...all });
      same(found.vehicles.length, limits.searchResults);
      same(found.overallCount, limits.searchResults);
      const beyond = await catalogue.search({ text: "fleet", offset: limits.searchResults, limit: 100 });
      same([idsOf(beyond), beyond.overallCount], [[], limits.searchResults]);
      const pages = [
        await catalogue.search({ text: "fleet", offset: 0, limit: 10 }),
        await catalogue.search({ text: "fleet", offset: 10, limit: 100 }),
      ];
      same(pages.flatMap(idsOf), idsOf(found));
      for (const text of ["!!!", "qqqxxx", "%_\\", "'; --", "\u0000"]) {
        same([text, (await catalogue.search({ text, ...all })).overallCount], [text, 0]);
      }
    },
  },
  {
    title: "answers the brands that have vehicles, each once, by name",
    async check({ catalogue, ordered }) {
      const { brands } = await catalogue.brands();
      const expected = new Map(ordered.map(({ manufacturer }) => [manufacturer.id, manufacturer]));
      same(
        brands.map(({ brand }) => brand),
        [...expected.values()],
      );
    },
  },
  {
    title: "says of every answer which version it shows, in characters that an ETag may hold",
    async check({ catalogue }) {
      const version = await catalogue.version();
      same(/^[A-Za-z0-9._-]{1,64}$/.test(version), true);
      const answers = [
        await catalogue.find(all),
        await catalogue.search({ text: "borealis", ...all }),
        await catalogue.brands(),
      ];
      same(
        answers.map((answer) => answer.version),
        [version, version, version],
      );
    },
  },
  {
    title: "prepares every vehicle as the resource that it is",
    async check({ catalogue, ordered }) {
      const found = await catalogue.find(all);
      for (const [place, { bytes, vehicle, brand }] of found.vehicles.entries()) {
        const resource: unknown = JSON.parse(new TextDecoder().decode(bytes));
        const { id, type, manufacturer, ...attributes } = vehicle;
        const data = { type: "vehicle_brand", id: manufacturer.id };
        same(resource, { type, id, attributes, relationships: { manufacturer: { data } } });
        same([vehicle, brand.brand], [ordered[place], manufacturer]);
      }
    },
  },
  {
    title: "has another version and only the new vehicles after a replacement",
    async check({ catalogue, replace, ordered }) {
      if (replace === undefined) return;
      const before = await catalogue.version();
      const kept = ordered.slice(0, 3);
      await replace(kept);
      const found = await catalogue.find(all);
      same(idsOf(found), kept.map(idOf));
      same((await catalogue.search({ text: "kestrel", ...all })).overallCount, 0);
      same((await catalogue.version()) === before, false);
      same(found.version, await catalogue.version());
    },
  },
];

function idOf(vehicle: Vehicle): string {
  return vehicle.id;
}

function idsOf(selection: {
  readonly vehicles: readonly { readonly vehicle: Vehicle }[];
}): readonly string[] {
  return selection.vehicles.map(({ vehicle }) => vehicle.id);
}

/** Compares two JSON values; the order of members does not matter. */
function same(actual: unknown, expected: unknown): void {
  const [got, wanted] = [canonical(actual), canonical(expected)];
  if (got !== wanted) throw new Error(`expected ${wanted}, got ${got}`);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

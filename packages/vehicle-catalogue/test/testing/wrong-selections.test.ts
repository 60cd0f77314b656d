import { describe, expect, test } from "vitest";
import type {
  CatalogueSnapshot,
  VehicleCondition,
  VehicleQuery,
  VehicleSearch,
  VehicleSelection,
} from "../../src/server/index.js";
import { altered, answering, type Change, fails, outcomeOf, passes } from "./outcomes.js";

type Query = { -readonly [Name in keyof VehicleQuery]: VehicleQuery[Name] };

/** Finds what another query asks for where this one is so. */
const asking =
  (isSo: (query: VehicleQuery) => unknown, change: (query: Query) => void): Change =>
  ({ find }) => ({
    find(query) {
      const other: Query = { ...query };
      if (isSo(query)) change(other);
      return find(other);
    },
  });
const searching =
  (change: (right: CatalogueSnapshot["search"], query: VehicleSearch) => unknown): Change =>
  ({ search }) => ({ search: (query) => change(search, query) as VehicleSelection });
const nothing: VehicleSelection = { vehicles: [], overallCount: 0 };

const both = (query: VehicleQuery) => query.ids !== undefined && query.manufacturerIds !== undefined;
const isPage = ({ limit }: VehicleQuery) => limit < 100;

describe("what is selected or ordered wrongly at one place fails the check that is about it", () => {
  const [among, alike] = [
    "has the same order in what brands and ids select",
    "has the same order in results",
  ];
  const [several, ordering] = ["finds by several conditions", "orders as it is asked to"];
  const searched = (text: string): [string, string, Change] => [
    "searches brand, model and variant",
    `without ${text}`,
    searching((search, query) => (query.text === text ? nothing : search(query))),
  ];
  const answered = (text: string): [string, string, Change] => [
    "answers at most",
    `but also ${JSON.stringify(text)}`,
    searching((search, query) => search(query.text === text ? { ...query, text: "fleet" } : query)),
  ];
  const without = (attribute: string): [string, string, Change] => [
    several,
    `without ${attribute}`,
    asking(
      ({ conditions }) => conditions,
      (query) => {
        query.conditions = query.conditions?.filter((one) => one.attribute !== attribute) ?? [];
      },
    ),
  ];
  const unordered = (attribute: string, isDescending: boolean): [string, string, Change] => [
    ordering,
    `but not by ${attribute}, ${isDescending}`,
    asking(
      ({ order }) => order?.[0]?.attribute === attribute && order[0].isDescending === isDescending,
      (query) => {
        query.order = [];
      },
    ),
  ];

  test.each<readonly [check: string, mistake: string, change: Change]>([
    [
      "lets both filters hold",
      "but for ids",
      asking(both, (query) => {
        delete query.ids;
      }),
    ],
    [
      "lets both filters hold",
      "but for brands",
      asking(both, (query) => {
        delete query.manufacturerIds;
      }),
    ],
    [
      among,
      "in pages that are cut before they are ordered",
      asking(
        (query) => query.manufacturerIds === undefined && isPage(query),
        (query) => {
          query.ids = query.ids?.slice(query.offset, query.offset + query.limit) ?? [];
          query.offset = 0;
        },
      ),
    ],
    [
      among,
      "but not where both are given",
      asking(both, (query) => {
        delete query.manufacturerIds;
      }),
    ],
    [
      alike,
      "on a second page that begins anew",
      searching((search, query) => search({ ...query, offset: 0 })),
    ],
    [
      alike,
      "with the count of the page",
      searching((search, query) => {
        const found = search(query) as VehicleSelection;
        return { ...found, overallCount: found.vehicles.length };
      }),
    ],
    ...["Northwind Borealis", "northwnd boraelis", "borealis2", "BOREALIS 2", "kestrél", "zephyr sport"].map(
      searched,
    ),
    ...["!!!", "qqqxxx", "%_\\", "'; --", "\u0000"].map(answered),
    [
      "answers at most",
      "on a second page that begins anew",
      searching((search, query) => search(query.offset === 10 ? { ...query, offset: 0 } : query)),
    ],
    [
      "answers at most",
      "with a count of more on the first page",
      searching((search, query) => {
        const found = search(query) as VehicleSelection;
        return query.text === "fleet" && query.offset === 0 ? { ...found, overallCount: 30 } : found;
      }),
    ],
    ...[1_000_000, Number.MAX_SAFE_INTEGER - 100].map((far): [string, string, Change] => [
      "answers nothing beyond the last vehicle",
      `but from ${far} on`,
      asking(
        ({ offset }) => offset === far,
        (query) => {
          query.offset = 0;
        },
      ),
    ]),
    ...["type", "ac_phases", "dc_max_power"].map(without),
    [
      several,
      "and nothing for what is not so",
      ({ find }) => ({
        find: (query) =>
          query.conditions?.some((one) => one.is === "in" && one.values.includes(false))
            ? nothing
            : find(query),
      }),
    ],
    [
      several,
      "among all",
      asking(
        ({ conditions }) => conditions,
        (query) => {
          delete query.ids;
        },
      ),
    ],
    [
      several,
      "on the first page",
      asking(
        ({ conditions }) => conditions,
        (query) => {
          query.offset = 0;
        },
      ),
    ],
    [
      several,
      "on one page",
      asking(
        ({ conditions }) => conditions,
        (query) => {
          query.limit = 100;
        },
      ),
    ],
    unordered("dc_max_power", true),
    unordered("dc_max_power", false),
    unordered("usable_battery_size", false),
    unordered("model", false),
    unordered("variant", true),
    unordered("manufacturer.name", true),
    unordered("energy_consumption.average_consumption", false),
    unordered("release_year", true),
    [
      ordering,
      "on the first page alone",
      asking(isPage, (query) => {
        if (query.ids === undefined) query.order = [];
      }),
    ],
    [
      ordering,
      "unless ids are given",
      asking(
        ({ ids }) => ids,
        (query) => {
          query.order = [];
        },
      ),
    ],
    [
      ordering,
      "among all where ids are given",
      asking(
        ({ order }) => order,
        (query) => {
          delete query.ids;
        },
      ),
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

describe("a condition that is passed over, or that nothing fulfils, fails the check of conditions", () => {
  const check = "finds by conditions on attributes";
  test.each<[attribute: string, is: VehicleCondition["is"], value?: unknown]>([
    ["usable_battery_size", "gte"],
    ["usable_battery_size", "gt"],
    ["usable_battery_size", "lt"],
    ["usable_battery_size", "lte"],
    ["ac_phases", "in", 1],
    ["dc_ports", "in", "ccs"],
    ["dc_ports", "in", "chademo"],
    ["model", "in", "mistral"],
    ["manufacturer.name", "in", "łódź"],
    ["release_year", "in", 2019],
    ["release_year", "lt"],
    ["dc_max_power", "gte"],
    ["energy_consumption.average_consumption", "lt"],
  ])("%s %s %s", async (attribute, is, value) => {
    const isIt = ({ conditions = [] }: VehicleQuery): boolean =>
      conditions.some(
        (one) =>
          one.attribute === attribute &&
          one.is === is &&
          (one.is !== "in" || one.values.some((item) => item === value)),
      );
    const passed = asking(isIt, (query) => {
      query.conditions = [];
    });
    const unfulfilled: Change = ({ find }) => ({
      find: (query) => (isIt(query) ? nothing : find(query)),
    });
    expect(await outcomeOf(answering(passed), check)).toEqual(fails);
    expect(await outcomeOf(answering(unfulfilled), check)).toEqual(fails);
  });

  test.each([
    ["gte", "gt"],
    ["gt", "gte"],
    ["lt", "lte"],
    ["lte", "lt"],
  ] as const)("also a bound of %s that is taken as one of %s", async (is, other) => {
    const taken = asking(
      ({ conditions }) => conditions?.every((one) => one.attribute === "usable_battery_size"),
      (query) => {
        query.conditions = (query.conditions ?? []).map((one) =>
          one.is === is ? { ...one, is: other } : one,
        );
      },
    );
    expect(await outcomeOf(answering(taken), check)).toEqual(fails);
  });

  test("also one of no values", async () => {
    const empty = asking(
      ({ conditions }) => conditions?.some((one) => one.is === "in" && one.values.length === 0),
      (query) => {
        query.conditions = [];
      },
    );
    expect(await outcomeOf(answering(empty), check)).toEqual(fails);
  });
});

test.each(["conditions", "order", "updatedSince"] as const)(
  "what understands %s alone is asked about nothing else beyond the documented API",
  async (understood) => {
    const asked = new Set<string>();
    const understanding = altered(({ snapshot }) => ({
      catalogue: {
        understands: [understood],
        snapshot() {
          const right = snapshot();
          return {
            ...right,
            find(query) {
              for (const name of Object.keys(query)) asked.add(name);
              return right.find(query);
            },
          };
        },
      },
    }));
    expect(await outcomeOf(understanding)).toEqual(passes);
    expect([...asked].toSorted()).toEqual(
      ["ids", "limit", "manufacturerIds", "offset", understood].toSorted(),
    );
  },
);

import { describe, expect, test } from "vitest";
import type { Vehicle } from "../../src/index.js";
import { compareBrands, compareVehicles } from "../../src/server/index.js";
import { foldText } from "../../src/server/search/fold-text.js";
import { type CatalogueUnderTest, describeCatalogue } from "../../src/testing/index.js";
import { compared, memberOf, naiveCatalogue, orderedBy, type Parts, rightParts } from "./naive-catalogue.js";

/** Runs the suite, and tells what fails. */
async function* failuresOf(
  make: (vehicles: readonly Vehicle[]) => CatalogueUnderTest,
): AsyncGenerator<string, void, undefined> {
  const tests: { readonly title: string; readonly body: () => Promise<void> }[] = [];
  describeCatalogue("a catalogue", make, {
    describe: (_, body) => body(),
    test: (title, body) => tests.push({ title, body }),
  });
  for (const { title, body } of tests) {
    const failure = await body().then(
      () => undefined,
      (error: unknown) => `${title}: ${String(error)}`,
    );
    if (failure !== undefined) yield failure;
  }
}

const text = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The documented order with some of its parts compared otherwise. */
function comparing(others: {
  readonly name?: (a: string, b: string) => number;
  readonly year?: (a: number | null, b: number | null) => number;
  readonly id?: (a: string, b: string) => number;
  readonly brand?: (a: Vehicle, b: Vehicle) => number;
}): Partial<Parts> {
  const { name = (a, b) => text(foldText(a), foldText(b)), id = text } = others;
  const { year = (a, b) => (a ?? 1e6) - (b ?? 1e6) } = others;
  const { brand = (a, b) => name(a.manufacturer.name, b.manufacturer.name) } = others;
  return {
    compare: (a, b) =>
      brand(a, b) ||
      name(a.model, b.model) ||
      year(a.release_year, b.release_year) ||
      name(a.variant, b.variant) ||
      id(a.id, b.id),
  };
}

const utf8 = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(foldText(a)), Buffer.from(foldText(b)));
const withoutAccents = (value: string): string => value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const joined = ({ manufacturer, model }: Vehicle): string => foldText(`${manufacturer.name} ${model}`);
const unequal = (list: readonly string[], value: string): boolean => list.includes(value);

const wrong: Readonly<Record<string, Partial<Parts>>> = {
  "in the order of insertion": { compare: () => 0 },
  "in the order of ids": { compare: (a, b) => text(a.id, b.id) },
  backwards: { compare: (a, b) => compareVehicles(b, a) },
  "by names as they are written": comparing({ name: text }),
  "by names in small letters, with accents": comparing({
    name: (a, b) => text(a.toLowerCase(), b.toLowerCase()),
  }),
  "by names without accents, but with width": comparing({
    name: (a, b) => text(withoutAccents(a), withoutAccents(b)),
  }),
  "by the collation of English": comparing({
    name: (a, b) => a.localeCompare(b, "en", { sensitivity: "base" }),
  }),
  "by the collation of Swedish": comparing({
    name: (a, b) => a.localeCompare(b, "sv", { sensitivity: "base" }),
  }),
  "by folded names in a collation": comparing({
    name: (a, b) => foldText(a).localeCompare(foldText(b), "en"),
  }),
  "by a collation that takes no notice of punctuation": comparing({
    name: (a, b) => foldText(a).localeCompare(foldText(b), "en", { ignorePunctuation: true }),
  }),
  "by numbers within names": comparing({
    name: (a, b) => foldText(a).localeCompare(foldText(b), "en", { numeric: true }),
  }),
  "by the bytes of UTF-8": comparing({ name: utf8 }),
  "by brand and model as one text": {
    compare: (a, b) => text(joined(a), joined(b)) || compareVehicles(a, b),
  },
  "one brand after the other, also where names are equal": comparing({
    brand: (a, b) => compareBrands(a.manufacturer, b.manufacturer),
  }),
  "by the ids of brands": comparing({ brand: (a, b) => text(a.manufacturer.id, b.manufacturer.id) }),
  "with unknown years first": comparing({ year: (a, b) => (a ?? 0) - (b ?? 0) }),
  "with unknown years as good as any": comparing({ year: (a, b) => (a === null || b === null ? 0 : a - b) }),
  "with the latest year first": comparing({ year: (a, b) => (b ?? -1) - (a ?? -1) }),
  "without years": comparing({ year: () => 0 }),
  "with variants before years": {
    compare: (a, b) =>
      text(foldText(a.manufacturer.name), foldText(b.manufacturer.name)) ||
      text(foldText(a.model), foldText(b.model)) ||
      text(foldText(a.variant), foldText(b.variant)) ||
      compareVehicles(a, b),
  },
  "with equals as they came": comparing({ id: () => 0 }),
  "with ids in small letters": comparing({ id: (a, b) => text(a.toLowerCase(), b.toLowerCase()) }),
  "with ids by a collation": comparing({ id: (a, b) => a.localeCompare(b, "en") }),
  "with ids by their numbers": comparing({ id: (a, b) => a.localeCompare(b, "en", { numeric: true }) }),
  "with the last id first": comparing({ id: (a, b) => text(b, a) }),

  "brands as they came": { compareBrands: () => 0 },
  "brands by id": { compareBrands: (a, b) => text(a.id, b.id) },
  "brands by names as they are written": { compareBrands: (a, b) => text(a.name, b.name) },
  "brands by a collation": { compareBrands: (a, b) => a.name.localeCompare(b.name, "en") },
  "brands of equal names by their ids in small letters": {
    compareBrands: (a, b) =>
      text(foldText(a.name), foldText(b.name)) || text(a.id.toLowerCase(), b.id.toLowerCase()),
  },
  "brands of equal names once": {
    brandsOf: (vehicles) => [
      ...new Map(vehicles.map(({ manufacturer: m }) => [foldText(m.name), m])).values(),
    ],
  },
  "brands that have no vehicles any more": {
    brandsOf: (now, former) => rightParts.brandsOf([...former, ...now], []),
  },
  "brands once per vehicle": { brandsOf: (vehicles) => vehicles.map(({ manufacturer }) => manufacturer) },

  "ids as they are written": { has: unequal },
  "ids by their beginning": {
    has: (list, id) => list.some((one) => id.toLowerCase().startsWith(one.toLowerCase())),
  },
  "what ids select in the order of the ids": {
    select: (ordered, query, parts) => {
      const found = rightParts.select(ordered, query, parts);
      const { ids } = query;
      return ids === undefined ? found : ids.flatMap((id) => found.filter((one) => parts.has([id], one.id)));
    },
  },
  "what brands select in the order of the brands": {
    select: (ordered, query, parts) => {
      const found = rightParts.select(ordered, query, parts);
      const { manufacturerIds } = query;
      if (manufacturerIds === undefined) return found;
      return manufacturerIds.flatMap((id) => found.filter((one) => parts.has([id], one.manufacturer.id)));
    },
  },
  "all for an empty list": {
    select: (ordered, { ids, manufacturerIds, ...query }, parts) =>
      rightParts.select(
        ordered,
        {
          ...query,
          ...(ids?.length ? { ids } : {}),
          ...(manufacturerIds?.length ? { manufacturerIds } : {}),
        },
        parts,
      ),
  },
  "what one filter or the other selects": {
    select: (ordered, { ids, manufacturerIds }, { has }) =>
      ids === undefined && manufacturerIds === undefined
        ? ordered
        : ordered.filter((v) => has(ids ?? [], v.id) || has(manufacturerIds ?? [], v.manufacturer.id)),
  },

  "the count of the page": { count: (_, page) => page.length },
  "one vehicle more than asked for": {
    page: (found, { offset, limit }) => found.slice(offset, offset + limit + 1),
  },
  "pages by their number": {
    page: (found, { offset, limit }) => found.slice(offset * limit, (offset + 1) * limit),
  },
  "the last page for those beyond": {
    page: (found, { offset, limit }) => found.slice(Math.min(offset, found.length - 1)).slice(0, limit),
  },
  "pages that are ordered by themselves": {
    compare: () => 0,
    page: (found, { offset, limit }) => found.slice(offset, offset + limit).toSorted(compareVehicles),
  },

  "results that are alike backwards": { results: (found) => found.toReversed() },
  "results in the usual order in place of the best": {
    results: (found, ordered) => ordered.filter((one) => found.includes(one)),
  },
  "more results than twenty-five": {
    results: (found, ordered) => [
      ...found,
      ...ordered.filter((one) => found.length > 24 && !found.includes(one)),
    ],
  },
  "the last of what is alike": {
    results: (found, ordered) => {
      const alike = ordered.filter(({ model }) => model === found[0]?.model);
      return alike.length > found.length ? alike.slice(-found.length) : found;
    },
  },
  "everything for nonsense": {
    results: (found, ordered) => (found.length === 0 ? ordered.slice(0, 25) : found),
  },

  "conditions of which one holds": { together: (held) => held.length === 0 || held.some(Boolean) },
  "conditions of which only the last counts": { together: (held) => held.at(-1) ?? true },
  "null as nought": {
    holds: (condition, vehicle) => {
      const value = memberOf(vehicle, condition.attribute) ?? 0;
      return [value].flat().some((one) => compared(condition, one));
    },
  },
  "the first item of a list": {
    holds: (condition, vehicle) => compared(condition, [memberOf(vehicle, condition.attribute)].flat()[0]),
  },
  "texts as they are written": {
    holds: (condition, vehicle) => {
      const values = [memberOf(vehicle, condition.attribute)].flat().filter((value) => value !== undefined);
      return values.some((value) =>
        condition.is === "in" ? condition.values.includes(value as string) : compared(condition, value),
      );
    },
  },
  "bounds that are left out": {
    holds: (condition, vehicle) =>
      rightParts.holds(condition, vehicle) &&
      (condition.is === "in" || memberOf(vehicle, condition.attribute) !== condition.bound),
  },
  "bounds that are let in": {
    holds: (condition, vehicle) =>
      rightParts.holds(condition, vehicle) ||
      (condition.is !== "in" && memberOf(vehicle, condition.attribute) === condition.bound),
  },

  "a descending order with equals the other way round": {
    inOrder: (vehicles, order) =>
      order[0]?.isDescending
        ? rightParts.inOrder(vehicles.toReversed(), order)
        : rightParts.inOrder(vehicles, order),
  },
  "an order by the first attribute alone": {
    inOrder: (vehicles, order) => rightParts.inOrder(vehicles, order.slice(0, 1)),
  },
  "an order by the last attribute first": {
    inOrder: (vehicles, order) => rightParts.inOrder(vehicles, order.toReversed()),
  },
  "an order that never descends": {
    inOrder: (vehicles, order) =>
      rightParts.inOrder(
        vehicles,
        order.map((one) => ({ ...one, isDescending: false })),
      ),
  },
  "unknown values first where the order descends": {
    inOrder: (vehicles, order) => {
      const [first] = order;
      if (first?.isDescending !== true) return rightParts.inOrder(vehicles, order);
      const isUnknown = (vehicle: Vehicle): boolean => orderedBy(vehicle, first.attribute) === undefined;
      const known = vehicles.filter((vehicle) => !isUnknown(vehicle));
      return [...vehicles.filter(isUnknown), ...rightParts.inOrder(known, order)];
    },
  },
  "an order of texts as they are written": {
    inOrder: (vehicles, order) => {
      const [first] = order;
      if (order.length > 1 || first?.attribute !== "model") return rightParts.inOrder(vehicles, order);
      return vehicles.toSorted((a, b) => text(a.model, b.model));
    },
  },

  "what has changed later than a time, but not at it": { isSince: (changedAt, since) => changedAt > since },
  "what has changed in the same second": { isSince: (changedAt, since) => changedAt + 1000 > since },
  "all vehicles whenever they changed": { isSince: () => true },

  "a version that stays": { version: () => "always" },
  "a version that comes anew": { version: () => `version-${Math.random()}` },
  "a version of other characters": { version: (number) => `"${number}"` },
  "row versions that stay": { rowVersion: ({ id }) => id },
  "row versions of places": { rowVersion: (_, at) => `${at}` },
  "a restricted version that stays": { restrictedVersion: () => "always" },
  "a restricted version of everything": { restrictedVersion: (_, number) => `seen-${number}` },
  "old snapshots that answer what is there now": { stateOf: (_, present) => present },
};

describe("describeCatalogue", () => {
  test("passes a catalogue that is plainly right", async () => {
    for await (const failure of failuresOf((vehicles) => naiveCatalogue(vehicles))) expect.fail(failure);
  });

  test.each(Object.entries(wrong))("fails a catalogue that answers %s", async (_, parts) => {
    const first = await failuresOf((vehicles) => naiveCatalogue(vehicles, parts)).next();
    expect(first.value).toMatch(/: Error: expected .*, got /s);
  });
});

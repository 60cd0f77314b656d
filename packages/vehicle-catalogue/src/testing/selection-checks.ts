import { limits } from "../protocol.js";
import { type CatalogueCheck, firstPage, idOf, idsOf, same } from "./catalogue-check.js";

/** What is selected, and in which order. */
export const selectionChecks: readonly CatalogueCheck[] = [
  {
    title: "answers all vehicles in the documented order when nothing is filtered",
    async check({ catalogue, ordered }) {
      const found = await (await catalogue.snapshot()).find(firstPage);
      same(found.vehicles, ordered);
      same(found.overallCount, ordered.length);
    },
  },
  {
    title: "answers pages that neither overlap nor leave a vehicle out",
    async check({ catalogue, ordered }) {
      const seen: string[] = [];
      for (let offset = 0; offset < ordered.length; offset += 3) {
        const page = await (await catalogue.snapshot()).find({ offset, limit: 3 });
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
        const page = await (await catalogue.snapshot()).find({ offset, limit: 100 });
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
      const found = await (await catalogue.snapshot()).find({ ...firstPage, ids });
      same(idsOf(found), [b, a]);
      same(found.overallCount, 2);
    },
  },
  {
    title: "finds by brands, several at once, without regard to letter case",
    async check({ catalogue, ordered }) {
      const wanted = [...new Set(ordered.map((vehicle) => vehicle.manufacturer.id))].slice(0, 2);
      const found = await (await catalogue.snapshot()).find({
        ...firstPage,
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
      same(
        (await (await catalogue.snapshot()).find({ ...firstPage, ids, manufacturerIds })).overallCount,
        both.length,
      );
      const second = await (await catalogue.snapshot()).find({ ids, manufacturerIds, offset: 1, limit: 1 });
      same(idsOf(second), both.slice(1, 2).map(idOf));
      same(second.overallCount, both.length);
      const other = ordered.find(({ manufacturer }) => !manufacturerIds.includes(manufacturer.id));
      const some = [...both.slice(1, 3).map(idOf), other?.id ?? ""];
      const third = await (await catalogue.snapshot()).find({ ...firstPage, ids: some, manufacturerIds });
      same([idsOf(third), third.overallCount], [some.slice(0, 2), 2]);
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
        const found = await (await catalogue.snapshot()).find({ ...firstPage, ...filter });
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
        const found = await (await catalogue.snapshot()).search({ text, ...firstPage });
        const [first] = idsOf(found);
        const best = ordered.find((vehicle) => vehicle.id === first);
        same([text, best?.model.toLowerCase().startsWith(model)], [text, true]);
      }
    },
  },
  {
    title: `answers at most ${limits.searchResults} results of a search, on all pages together, and nothing for nonsense`,
    async check({ catalogue }) {
      const found = await (await catalogue.snapshot()).search({ text: "fleet", ...firstPage });
      same(found.vehicles.length, limits.searchResults);
      same(found.overallCount, limits.searchResults);
      const beyond = await (await catalogue.snapshot()).search({
        text: "fleet",
        offset: limits.searchResults,
        limit: 100,
      });
      same([idsOf(beyond), beyond.overallCount], [[], limits.searchResults]);
      const pages = [
        await (await catalogue.snapshot()).search({ text: "fleet", offset: 0, limit: 10 }),
        await (await catalogue.snapshot()).search({ text: "fleet", offset: 10, limit: 100 }),
      ];
      same(pages.flatMap(idsOf), idsOf(found));
      for (const text of ["!!!", "qqqxxx", "%_\\", "'; --", "\u0000"]) {
        same(
          [text, (await (await catalogue.snapshot()).search({ text, ...firstPage })).overallCount],
          [text, 0],
        );
      }
    },
  },
  {
    title: "answers the brands that have vehicles, each once, by name",
    async check({ catalogue, ordered }) {
      const brands = await (await catalogue.snapshot()).brands();
      const expected = new Map(ordered.map(({ manufacturer }) => [manufacturer.id, manufacturer]));
      same(brands, [...expected.values()]);
    },
  },
];

import { limits } from "../protocol.js";
import { compareBrands } from "../server/vehicle-order.js";
import type { Vehicle } from "../vehicle.js";
import { type CatalogueCheck, firstPage, idOf, idsOf, same } from "./catalogue-check.js";

/** The one order that there is, and every tie in it. */
export const orderChecks: readonly CatalogueCheck[] = [
  {
    title:
      "orders names without regard to case, accents, width and locale, unknown years last, equals by their ids",
    async check({ catalogue, ordered }) {
      const found = await (await catalogue.snapshot()).find(firstPage);
      same(found.vehicles, ordered);
      const pages: string[] = [];
      for (let offset = 0; offset < ordered.length; offset += 7) {
        pages.push(...idsOf(await (await catalogue.snapshot()).find({ offset, limit: 7 })));
      }
      same(pages, ordered.map(idOf));
    },
  },
  {
    title: "has the same order in what brands and ids select, however these are ordered",
    async check({ catalogue, ordered }) {
      const snapshot = await catalogue.snapshot();
      const ids = ordered.map(idOf).toReversed();
      same(idsOf(await snapshot.find({ ...firstPage, ids })), ids.toReversed());
      same(idsOf(await snapshot.find({ ids, offset: 5, limit: 20 })), ordered.slice(5, 25).map(idOf));
      const manufacturerIds = [...new Set(ordered.map(brandOf))].toReversed();
      const ofBrands = await snapshot.find({ ...firstPage, manufacturerIds });
      same(idsOf(ofBrands), ordered.map(idOf));
      for (const brand of manufacturerIds) {
        const expected = ordered.filter((vehicle) => brandOf(vehicle) === brand).map(idOf);
        const query = { manufacturerIds: [brand], ids, offset: 1, limit: 4 };
        const found = await snapshot.find(query);
        same([brand, idsOf(found), found.overallCount], [brand, expected.slice(1, 5), expected.length]);
      }
    },
  },
  {
    title:
      "answers brands by name without regard to case, accents and locale, those of equal names by their ids",
    async check({ catalogue, ordered }) {
      const brands = new Map(ordered.map(({ manufacturer }) => [manufacturer.id, manufacturer]));
      same(await (await catalogue.snapshot()).brands(), [...brands.values()].sort(compareBrands));
    },
  },
  {
    title: `has the same order in results of a search that are alike, and answers the first ${limits.searchResults} of these`,
    async check({ catalogue, ordered }) {
      const alike = ordered.filter(({ model }) => model === "Twin").map(idOf);
      const expected = alike.slice(0, limits.searchResults);
      const search = { text: "quartz twin" };
      const snapshot = await catalogue.snapshot();
      same(idsOf(await snapshot.search({ ...search, ...firstPage })), expected);
      const second = await snapshot.search({ ...search, offset: 10, limit: 10 });
      same([idsOf(second), second.overallCount], [expected.slice(10, 20), expected.length]);
    },
  },
];

function brandOf({ manufacturer }: Vehicle): string {
  return manufacturer.id;
}

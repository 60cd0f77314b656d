import Fuse from "fuse.js";
import MiniSearch from "minisearch";
import { bench, figures } from "../../../scripts/bench-harness.js";
import { catalogueFromVehicles } from "../src/server/index.js";
import type { Vehicle } from "../src/vehicle.js";
import { isAccepted, searchCases } from "../test/server/search-cases.js";
import { fleet, openDataSize } from "./fleet.js";

const cases = searchCases();
const answerable = cases.filter(({ accept }) => accept.length > 0);

type Search = (text: string) => readonly Vehicle[];

const engines = {
  wye(vehicles: readonly Vehicle[]): Search {
    const catalogue = catalogueFromVehicles(vehicles);
    return (text) => catalogue.snapshot().search({ text, offset: 0, limit: 25 }).vehicles;
  },
  MiniSearch(vehicles: readonly Vehicle[]): Search {
    const index = new MiniSearch<{ id: number }>({ fields: ["brand", "model", "variant"] });
    index.addAll(vehicles.map((vehicle, id) => ({ id, ...searched(vehicle) })));
    const options = { prefix: true, fuzzy: 0.2, boost: { model: 2, brand: 1.2 } };
    return (text) =>
      index
        .search(text, options)
        .slice(0, 25)
        .map(({ id }) => vehicles[id]!);
  },
  "Fuse.js"(vehicles: readonly Vehicle[]): Search {
    const list = vehicles.map((vehicle) => ({ text: Object.values(searched(vehicle)).join(" "), vehicle }));
    const fuse = new Fuse(list, { keys: ["text"], ignoreLocation: true, includeScore: true });
    return (text) => fuse.search(text, { limit: 25 }).map(({ item }) => item.vehicle);
  },
};

function searched({ manufacturer, model, variant }: Vehicle): {
  brand: string;
  model: string;
  variant: string;
} {
  return { brand: manufacturer.name, model, variant };
}

function firstRight(search: Search): number {
  const right = answerable.filter((one) =>
    search(one.q)
      .slice(0, 1)
      .some((vehicle) => isAccepted(vehicle, one)),
  );
  return (100 * right.length) / answerable.length;
}

/** The 95th percentile of the time of one query, in milliseconds. */
function p95(search: Search, rounds: number): number {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { q } of cases) {
      const from = performance.now();
      search(q);
      if (round > 0) times.push(performance.now() - from);
    }
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}

const small = fleet(openDataSize);
const [wye, mini, fuse] = [engines.wye(small), engines.MiniSearch(small), engines["Fuse.js"](small)];
figures(
  "first result right, of 87 queries on the open data",
  { wye: firstRight(wye), MiniSearch: firstRight(mini), "Fuse.js": firstRight(fuse) },
  {
    unit: "%",
    baseline: "MiniSearch",
    note: "MiniSearch with prefix, fuzzy 0.2 and boosts; Fuse.js over the joined text",
  },
);

const all = (search: Search) => () => {
  for (const { q } of cases) search(q);
};
await bench(
  "90 queries, 293 vehicles",
  { wye: all(wye), MiniSearch: all(mini), "Fuse.js": all(fuse) },
  { baseline: "MiniSearch", rounds: 9 },
);
figures(
  "95th percentile of one query, 293 vehicles",
  { wye: p95(wye, 11), MiniSearch: p95(mini, 11), "Fuse.js": p95(fuse, 3) },
  { unit: "ms", baseline: "MiniSearch" },
);

for (const count of [10_000, 100_000]) {
  const large = fleet(count);
  const engine = engines.wye(large);
  const other = engines.MiniSearch(large);
  figures(
    `95th percentile of one query, ${count} vehicles`,
    { wye: p95(engine, 6), MiniSearch: p95(other, 6) },
    { unit: "ms", baseline: "MiniSearch" },
  );
}

import type { Vehicle } from "@wye/vehicle-catalogue";
import {
  type Catalogue,
  catalogueFromVehicles,
  createVehicleRouter,
  type QueryAdditions,
  type VehicleRouter,
} from "@wye/vehicle-catalogue/server";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue } from "../src/index.js";
import { fleet, seeded } from "./fleet.js";
import { realDatabase } from "./real-database.js";

const database = realDatabase();
const vehicles = fleet(1000);

const routerOf = (catalogue: Catalogue, additions: QueryAdditions = {}): VehicleRouter =>
  createVehicleRouter({
    catalogue,
    additions,
    keys: [{ key: "key", groups: ["ReadVehicles", "ReadVehiclesFull"] }],
    cacheBytes: 0,
  });

async function answerOf(router: VehicleRouter, path: string): Promise<string> {
  const { status, body } = await router.respond({
    method: "GET",
    url: path,
    headers: new Headers({ "api-key": "key" }),
  });
  return `${status} ${new TextDecoder().decode(body)}`;
}

/** What a memory understands beyond a catalogue without one. */
const additions: QueryAdditions = { attributeFilters: true, sort: true };

/** A request as anyone may make it: lists, pages, ids, brands, fields; of a memory also searches with slips, filters on attributes, orders. */
function requestFrom(random: () => number, hasMemory: boolean): string {
  const whole = (below: number): number => Math.floor(random() * below);
  const anyVehicle = (): Vehicle => vehicles[whole(vehicles.length)] as Vehicle;
  const spoilt = (text: string): string => {
    const at = whole(text.length);
    return random() < 0.5 ? text : text.slice(0, at) + text.slice(at + 1);
  };
  const query = new URLSearchParams();
  const kind = random();
  if (hasMemory && kind < 0.4) {
    const { manufacturer, model, variant } = anyVehicle();
    query.set("q", spoilt([manufacturer.name, model, variant].slice(whole(2), 1 + whole(3)).join(" ")));
  } else if (kind < 0.6) {
    const ids = Array.from({ length: 1 + whole(8) }, () => anyVehicle().id);
    query.set(
      "filter[id]",
      [...ids, "unknown"].map((id) => (random() < 0.3 ? id.toUpperCase() : id)).join(","),
    );
  }
  if (!query.has("q") && random() < 0.4)
    query.set("filter[manufacturer.id]", `brand-${whole(11)},BRAND-${whole(11)}`);
  if (hasMemory && !query.has("q")) {
    const { release_year: year, model, variant } = anyVehicle();
    if (random() < 0.3)
      query.set(`filter[release_year][${random() < 0.5 ? "gte" : "lt"}]`, `${year ?? 2020}`);
    if (random() < 0.1) query.set("filter[model]", random() < 0.5 ? model : model.toUpperCase());
    if (random() < 0.2) query.set("filter[variant]", variant.replace(",", "\\,") || "\\e");
    if (random() < 0.4)
      query.set("sort", ["-release_year,model", "manufacturer.name,-variant", "type"][whole(3)] ?? "");
  }
  if (random() < 0.7) query.set("page[size]", `${1 + whole(100)}`);
  if (random() < 0.5) query.set("page[number]", `${1 + whole(40)}`);
  if (random() < 0.2) query.set("fields[car]", "model,release_year,manufacturer");
  return random() < 0.02 ? "/v2/vehicle_brands" : `/v2/vehicles?${query}`;
}

/** Asks two routers the same, a few at a time, and counts what they were asked. */
async function compare(
  one: VehicleRouter,
  other: VehicleRouter,
  count: number,
  hasMemory: boolean,
): Promise<void> {
  const random = seeded(17);
  for (let done = 0; done < count; done += 50) {
    const paths = Array.from({ length: 50 }, () => requestFrom(random, hasMemory));
    const answers = await Promise.all(
      paths.map(async (path) => [await answerOf(one, path), await answerOf(other, path)] as const),
    );
    for (const [at, [mine, theirs]] of answers.entries())
      expect([paths[at], mine === theirs]).toEqual([paths[at], true]);
  }
}

test("20,000 random requests get the answers of the catalogue in memory", async () => {
  const schema = await database.schemaWith(vehicles);
  const catalogue = database.follow(schema);
  await catalogue.ready();
  const memory = catalogueFromVehicles(vehicles);
  await compare(routerOf(catalogue, additions), routerOf(memory, additions), 20_000, true);
});

test("without memory, 1,000 random requests that do not search get them too", async () => {
  const schema = await database.schemaWith(vehicles);
  const catalogue = createDirectCatalogue({ connection: database.server.connection, schema });
  await compare(routerOf(catalogue), routerOf(catalogueFromVehicles(vehicles)), 1000, false);
  await catalogue.close();
});

test("without memory, requests get 200 and one version each while somebody writes without a pause", async () => {
  const schema = await database.schemaWith(fleet(30));
  const catalogue = createDirectCatalogue({ connection: database.server.connection, schema });
  const router = routerOf(catalogue);
  const writer = new pg.Client(database.server.connection);
  await writer.connect();
  let isAsking = true;
  const writing = (async () => {
    for (let size = 1; isAsking; size++) {
      await writer.query(
        `update ${schema}.vehicles set attributes = attributes || '{"usable_battery_size": ${size}}'`,
      );
    }
  })();
  onTestFinished(async () => {
    isAsking = false;
    await writing;
    await Promise.all([writer.end(), catalogue.close()]);
  });
  const paths = ["/v2/vehicles?page[size]=30", "/v2/vehicles?q=borealis", "/v2/vehicle_brands"];
  const sizes: ReadonlySet<string>[] = [];
  for (let round = 0; round < 30; round++) {
    const answers = await Promise.all(paths.map((path) => answerOf(router, path)));
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(["200", "200", "200"]);
    sizes.push(...answers.slice(0, 2).map((answer) => new Set(answer.match(/"usable_battery_size":\d+/g))));
  }
  expect(new Set(sizes.map(({ size }) => size))).toEqual(new Set([1]));
});

test("without memory, brand and model by their names find a vehicle of them first", async () => {
  const schema = await database.schemaWith(vehicles);
  const catalogue = createDirectCatalogue({ connection: database.server.connection, schema });
  const snapshot = await catalogue.snapshot();
  const named = vehicles.slice(0, 60).filter(({ variant }) => variant !== "");
  const missed: string[] = [];
  for (const { manufacturer, model, variant } of named) {
    const text = `${manufacturer.name} ${model} ${variant}`;
    const [first] = (await snapshot.search({ text, offset: 0, limit: 1 })).vehicles;
    if (first?.manufacturer.id !== manufacturer.id || first.model !== model) missed.push(text);
  }
  expect(missed.length / named.length, missed.join("; ")).toBeLessThan(0.05);
  await catalogue.close();
});

import type { Vehicle } from "@wye/vehicle-catalogue";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { PostgresCatalogue } from "../src/index.js";
import { fleet, seeded } from "./fleet.js";
import { realDatabase } from "./real-database.js";

const database = realDatabase();

/** Among them such as differ in letter case only, or in JavaScript alone do not differ in more than that. */
const vehicleIds = ["a", "A", "b", "é", "É", "ß", "K", "k", "\u212A", "i\u0307", "\u0130", "v1", "V1"];
const brandIds = ["m", "M", "n", "i\u0307", "\u0130"];

/** What somebody sees of a catalogue, or why it has nothing to show. */
async function seen(catalogue: PostgresCatalogue): Promise<unknown> {
  const refused = await catalogue.refresh().catch(({ code }: { readonly code: string }) => code);
  if (refused !== undefined) return refused;
  const { version, restrictedVersion, find, search, brands } = await catalogue.snapshot();
  const page = { offset: 0, limit: 100 };
  const found: unknown[] = [await find(page), await search({ ...page, text: "north borealis" })];
  for (const id of vehicleIds) found.push((await find({ ...page, ids: [id] })).vehicles);
  for (const id of brandIds) found.push((await find({ ...page, manufacturerIds: [id] })).overallCount);
  return { version, restrictedVersion, brands: await brands(), found };
}

test.each([1, 2, 3])(
  "whatever was done, one that follows shows what one shows that has just begun (seed %i)",
  {
    timeout: 300_000,
  },
  async (seed) => {
    const random = seeded(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const patterns: readonly Vehicle[] = fleet(40, seed);
    const schema = await database.schemaWith(patterns.slice(0, 3));
    const client = new pg.Client(database.server.connection);
    onTestFinished(() => client.end());
    await client.connect();
    await client.query(`set search_path = ${schema}`);
    /** What the database refuses is not done. */
    const attempt = async (text: string, ...values: readonly unknown[]): Promise<void> => {
      await client.query("savepoint attempt");
      const refused = await client.query(text, [...values]).then(
        () => false,
        () => true,
      );
      await client.query(refused ? "rollback to attempt" : "release attempt");
    };
    const attributes = (): string => {
      const { id, type, manufacturer, ...others } = pick(patterns);
      return JSON.stringify(random() < 0.15 ? { ...others, ac_phases: 7 } : others);
    };
    const add = async (): Promise<void> => {
      const brand = pick(brandIds);
      await attempt("insert into brands values ($1, $2)", brand, `N${brand}`);
      const values = [pick(vehicleIds), pick(["car", "motorbike"]), brand, attributes()];
      await attempt(
        "insert into vehicles (id, type, brand_id, attributes, sort_key) values ($1, $2, $3, $4, '')",
        ...values,
      );
    };
    const steps: readonly (() => Promise<void>)[] = [
      add,
      add,
      () => attempt("update vehicles set attributes = $1 where id = $2", attributes(), pick(vehicleIds)),
      () => attempt("update vehicles set id = $1 where id = $2", pick(vehicleIds), pick(vehicleIds)),
      () => attempt("update vehicles set brand_id = $1 where id = $2", pick(brandIds), pick(vehicleIds)),
      () => attempt("update brands set name = $1 where id = $2", pick(["X", "x", "Ä"]), pick(brandIds)),
      () => attempt("update brands set id = $1 where id = $2", pick(brandIds), pick(brandIds)),
      () => attempt("delete from vehicles where id = $1", pick(vehicleIds)),
      () => attempt("delete from vehicles where id like '0000%'"),
      () => attempt("delete from brands where id not in (select brand_id from vehicles)"),
      async () => {
        await client.query("savepoint undone");
        await add();
        await client.query("rollback to undone");
      },
      async () => {
        await client.query("set local session_replication_role = replica");
        await attempt("update vehicles set attributes = $1 where id = $2", attributes(), pick(vehicleIds));
        await attempt("delete from vehicles where id = $1", pick(vehicleIds));
        await client.query("set local session_replication_role = origin");
        await attempt("update vehicles set id = id where false");
      },
    ];
    const catalogue = database.follow(schema, { leastShare: 0, pollMs: 2 ** 30, timeoutMs: 300_000 });
    for (let round = 0; round < 40; round++) {
      await client.query("begin");
      for (let at = 0; at < 3; at++) await pick(steps)();
      await client.query(random() < 0.1 ? "rollback" : "commit");
      const late = database.follow(schema, { leastShare: 0, timeoutMs: 300_000 });
      expect([round, await seen(catalogue)]).toEqual([round, await seen(late)]);
      await late.close();
    }
  },
);

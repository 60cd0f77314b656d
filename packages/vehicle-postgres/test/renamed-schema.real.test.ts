import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, importVehicles, migrate } from "../src/index.js";
import { fleet } from "./fleet.js";
import { countOf, realDatabase, until } from "./real-database.js";

const database = realDatabase();

/** Has two schemas change places, in one transaction. */
const swapped = (one: string, other: string): string =>
  `begin; alter schema ${one} rename to on_the_way; alter schema ${other} rename to ${one};
    alter schema on_the_way rename to ${other}; commit`;

/** Changes one vehicle by hand. */
const written = (schema: string, variant: string): string =>
  `update ${schema}.vehicles set attributes = attributes || '{"variant": "${variant}"}' where id like '00000001%'`;

async function variantIn(catalogue: Pick<ReturnType<typeof database.follow>, "snapshot">): Promise<unknown> {
  const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 100 });
  return vehicles.find(({ id }) => id.startsWith("00000001"))?.variant;
}

describe("a schema that is renamed", () => {
  test("is served from memory while its name is gone, and followed again when it is back", async () => {
    const { sql } = database.server;
    const schema = await database.schemaWith(fleet(10));
    const catalogue = database.follow(schema, { pollMs: 20 });
    await catalogue.ready();
    await sql(`alter schema ${schema} rename to ${schema}_away`);
    await until(() => expect(catalogue.health().state).toBe("stale"));
    expect(catalogue.health().problem).toMatch(schema);
    expect(await countOf(catalogue)).toBe(10);
    await sql(written(`${schema}_away`, "while it was away"));
    await sql(`alter schema ${schema}_away rename to ${schema}`);
    await catalogue.refresh();
    expect(await variantIn(catalogue)).toBe("while it was away");
    expect(catalogue.health().state).toBe("live");
  });

  test("is as good under its new name: for who follows, writes, imports and migrates", async () => {
    const { connection, sql } = database.server;
    const before = await database.schemaWith(fleet(10));
    const schema = `${before}_renamed`;
    await sql(`alter schema ${before} rename to ${schema}`);
    const catalogue = database.follow(schema);
    await catalogue.ready();
    await sql(written(schema, "by hand"));
    await catalogue.refresh();
    expect(await variantIn(catalogue)).toBe("by hand");
    const renamed = fleet(12).map((one) => ({
      ...one,
      manufacturer: { ...one.manufacturer, name: `New ${one.manufacturer.name}` },
    }));
    expect(await importVehicles(connection, renamed, { schema })).toMatchObject({ added: 2, changed: 10 });
    await catalogue.refresh();
    expect(await countOf(catalogue)).toBe(12);
    expect(await migrate(connection, { schema, trigrams: true })).toEqual([]);
  });

  test("may change places with another one, and each is told of what is written into it alone", async () => {
    const { connection, sql } = database.server;
    const [blue, green] = [await database.schemaWith(fleet(10)), await database.schemaWith(fleet(16, 2))];
    const [one, other] = [database.follow(blue, { pollMs: 20 }), database.follow(green, { pollMs: 20 })];
    await Promise.all([one.ready(), other.ready()]);
    const direct = createDirectCatalogue({ connection, schema: blue });
    onTestFinished(() => direct.close());
    expect(await countOf(direct)).toBe(10);
    await sql(swapped(blue, green));
    await until(async () => expect([await countOf(one), await countOf(other)]).toEqual([16, 10]));
    expect(await countOf(direct)).toBe(16);
    const versions = () => Promise.all([one, other].map(async (it) => (await it.snapshot()).version));
    const [, untouched] = await versions();
    await sql(written(blue, "in the new blue"));
    await Promise.all([one.refresh(), other.refresh()]);
    expect([await variantIn(one), (await versions())[1]]).toEqual(["in the new blue", untouched]);
    await sql(written(green, "in the new green"));
    await Promise.all([one.refresh(), other.refresh()]);
    expect([await variantIn(one), await variantIn(other)]).toEqual(["in the new blue", "in the new green"]);
    // And back again, in a session of the server that has written into both.
    const both = (variant: string) => `${written(blue, variant)}; ${written(green, variant)};`;
    await sql(`begin; ${both("here")} commit; ${swapped(blue, green)}; ${both("there")}`);
    await Promise.all([one.refresh(), other.refresh()]);
    expect([await variantIn(one), await variantIn(other)]).toEqual(["there", "there"]);
  });

  test("and was made by an earlier version is mended by the next migration", async () => {
    const { connection, sql } = database.server;
    await migrate(connection, { schema: "made_before", upTo: 4 });
    await sql("alter schema made_before rename to named_anew");
    expect(await migrate(connection, { schema: "named_anew" })).toEqual([5, 6]);
    expect(await importVehicles(connection, fleet(3), { schema: "named_anew" })).toMatchObject({ added: 3 });
  });
});

test("the extension for searches may move while the catalogue without memory serves", async () => {
  const { connection, sql } = database.server;
  await sql("create database moving");
  const own = { ...connection, database: "moving" };
  const [{ model: text = "" } = {}] = fleet(3);
  await migrate(own, { trigrams: true });
  await importVehicles(own, fleet(3));
  const catalogue = createDirectCatalogue({ connection: own });
  onTestFinished(() => catalogue.close());
  const found = async (): Promise<number> => {
    const { overallCount } = await (await catalogue.snapshot()).search({ text, offset: 0, limit: 5 });
    return overallCount;
  };
  const before = await found();
  expect(before).toBeGreaterThan(0);
  const owner = new pg.Client(own);
  await owner.connect();
  await owner.query("create schema extensions; alter extension pg_trgm set schema extensions");
  await owner.end();
  await expect(found()).rejects.toMatchObject({ code: "unavailable" });
  expect(await found()).toBe(before);
});

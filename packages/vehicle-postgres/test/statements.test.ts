import { describe, expect, onTestFinished, test } from "vitest";
import {
  createDirectCatalogue,
  createPostgresCatalogue,
  exportVehicles,
  importVehicles,
  migrate,
} from "../src/index.js";
import { newestMigration } from "../src/migration-list.js";
import { fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

describe("a catalogue that follows", () => {
  test("asks whether what it has led to what is there", async () => {
    const { state, server } = await fakeDatabase({ vehicles: fleet(3) });
    const catalogue = createPostgresCatalogue({ connection: server.connection, schema: "cars" });
    onTestFinished(() => catalogue.close());
    await catalogue.ready();
    Object.assign(state, { number: 2, token: "two" });
    await catalogue.refresh();
    const asked = server.asked.filter(({ text }) => text.includes("from cars.lineage"));
    expect(asked.map(({ values }) => values)).toEqual([
      [null, null],
      ["1", "one"],
    ]);
  });

  test("takes out what is gone without reading everything", async () => {
    const { state, server } = await fakeDatabase({ vehicles: fleet(10) });
    const catalogue = createPostgresCatalogue({ connection: server.connection });
    onTestFinished(() => catalogue.close());
    await catalogue.ready();
    Object.assign(state, { number: 2, token: "two", vehicles: fleet(8) });
    await catalogue.refresh();
    const sinces = server.asked.flatMap(({ text }) => /v\.changed_in > (-?\d+)/.exec(text)?.[1] ?? []);
    expect([catalogue.health().vehicles, sinces]).toEqual([8, ["-1", "1"]]);
  });

  test("says so when the version has lost its row between two questions", async () => {
    const { state, server } = await fakeDatabase({ vehicles: fleet(3) });
    const catalogue = createPostgresCatalogue({ connection: server.connection });
    onTestFinished(() => catalogue.close());
    await catalogue.ready();
    Object.assign(state, { number: 2, token: "two" });
    state.override = (text) => (text.includes("vehicle_catalogue.lineage") ? [] : undefined);
    await expect(catalogue.refresh()).rejects.toMatchObject({
      code: "refused",
      message: "vehicle_catalogue.catalogue_version has lost its row",
    });
  });
});

describe("migrate", () => {
  test.each([-1, 0.5, Number.NEGATIVE_INFINITY])("refuses to end with migration %d", async (upTo) => {
    await expect(migrate({}, { upTo })).rejects.toThrow(
      new TypeError(`upTo must be the number of a migration; got ${upTo}`),
    );
  });

  test.each([
    [0, []],
    [2, ["1", "2"]],
    [Number.POSITIVE_INFINITY, ["1", "2", "3", "4", "5", "6"]],
  ])("ends with migration %d", async (upTo, numbers) => {
    const { server } = await fakeDatabase({ migration: 0 });
    expect((await migrate(server.connection, { upTo })).map(String)).toEqual(numbers);
  });

  test.each([
    [true, []],
    [false, ["create schema cars"]],
  ])("makes the list, and the schema unless it is there: %s", async (isThere, made) => {
    const { server } = await fakeDatabase({
      migration: 0,
      override: (text) =>
        text.includes("from pg_namespace where nspname = $1") && isThere ? [{}] : undefined,
    });
    await migrate(server.connection, { schema: "cars", upTo: 1 });
    const texts = server.asked.map(({ text }) => text.replace(/\s+/g, " "));
    expect(texts.filter((text) => text.startsWith("create schema"))).toEqual(made);
    expect(texts).toContain(
      "create table if not exists cars.migrations ( number integer primary key, name text not null, applied_at timestamptz not null default now())",
    );
    const [list, insert] = ["create table if not exists", "insert into migrations"].map((start) =>
      texts.findIndex((text) => text.startsWith(start)),
    );
    expect([list! > 0, insert! > list!]).toEqual([true, true]);
  });

  test("applies nothing that somebody else has applied while it waited for the lock", async () => {
    let isLocked = false;
    const { server } = await fakeDatabase({
      override: (text) => {
        if (text.includes("pg_advisory_xact_lock")) isLocked = true;
        return /^select number from \w+\.migrations/.test(text) && isLocked ? [{ number: 1 }] : undefined;
      },
    });
    expect(await migrate(server.connection, { upTo: 1 })).toEqual([]);
    expect(server.asked.filter(({ text }) => text.startsWith("insert into migrations"))).toEqual([]);
  });
});

describe("a migration", () => {
  /** A server on which a migration has failed so many times. */
  const failing = (times: number, failure: Error) => {
    let left = times;
    return fakeDatabase({
      migration: 0,
      override: (text) => (text.includes("create table brands") && left-- > 0 ? failure : undefined),
    });
  };
  const held = Object.assign(new Error("held"), { code: "55P03" });

  test("waits for who holds a table as long as it may, and no longer", async () => {
    const { server } = await failing(2, held);
    expect(await migrate(server.connection, { upTo: 1, timeoutMs: 20_000 })).toEqual([1]);
    const { server: other } = await failing(9, held);
    await expect(migrate(other.connection, { upTo: 1, timeoutMs: 400 })).rejects.toMatchObject({
      code: "unavailable",
      message: "migration 0001-brands-and-vehicles.sql of the schema vehicle_catalogue failed: held",
      cause: expect.objectContaining({ message: "held" }),
    });
  });

  test("that is refused is named", async () => {
    const { server } = await failing(1, Object.assign(new Error("denied"), { code: "42501" }));
    await expect(migrate(server.connection, { schema: "cars" })).rejects.toMatchObject({
      code: "refused",
      message: "migration 0001-brands-and-vehicles.sql of the schema cars failed: denied",
    });
    expect(server.asked.at(-1)?.text).toBe("rollback");
  });

  test("is noted by its number and name, under a lock of its schema, and has ten minutes", async () => {
    const { server } = await fakeDatabase({ migration: 0 });
    await migrate(server.connection, { schema: "cars", upTo: 1 });
    const valuesOf = (start: string) => server.asked.find(({ text }) => text.startsWith(start))?.values;
    expect(valuesOf("insert into migrations")).toEqual(["1", "0001-brands-and-vehicles.sql"]);
    expect(valuesOf("select pg_advisory_xact_lock")).toEqual(["@wye/vehicle-postgres cars"]);
    expect(server.asked[0]?.text).toMatch(/statement_timeout = 600000$/);
  });

  test("may be followed by the index for searches, from the third on", async () => {
    const { server } = await fakeDatabase({ migration: 0 });
    expect(await migrate(server.connection, { upTo: 3, trigrams: true })).toEqual([1, 2, 3]);
    const made = (): number => server.asked.filter(({ text }) => text.startsWith("create index v")).length;
    expect(made()).toBe(1);
    await migrate(server.connection, { upTo: 3 });
    expect(made()).toBe(1);
  });
});

describe("who only reads begins with one view of the data, and who writes does not:", () => {
  const reading = "begin isolation level repeatable read, read only";
  const writing = "begin isolation level read committed";
  type Database = Awaited<ReturnType<typeof fakeDatabase>>["server"];

  test.each<readonly [what: string, run: (server: Database) => unknown, beginnings: readonly string[]]>([
    [
      "a catalogue that follows: it looks for tables, for the version and for the data",
      async ({ connection }) => {
        const catalogue = createPostgresCatalogue({ connection });
        onTestFinished(() => catalogue.close());
        await catalogue.ready();
      },
      [reading, reading, reading],
    ],
    [
      "an export: it looks for tables, and for the data",
      async ({ connection }) => exportVehicles(connection).next(),
      [reading, reading],
    ],
    [
      "a migration where all was applied: it only looks",
      ({ connection }) => migrate(connection, { schema: "applied" }),
      [reading],
    ],
    ["an import", ({ connection }) => importVehicles(connection, fleet(1)), [writing]],
    [
      "a migration: it looks for what was applied",
      ({ connection }) => migrate(connection, { upTo: 1 }),
      [reading, writing],
    ],
  ])("%s", async (_, run, beginnings) => {
    const { server } = await fakeDatabase({
      vehicles: fleet(1),
      override: (text) =>
        text === "select number from applied.migrations"
          ? Array.from({ length: newestMigration }, (_, at) => ({ number: at + 1 }))
          : undefined,
    });
    await run(server);
    const begun = server.asked.filter(({ text }) => text.startsWith("begin"));
    const kinds = begun.map(({ text }) => text.split(";", 1)[0]);
    expect(kinds).toEqual(beginnings);
    expect(server.asked.filter(({ text }) => /; ?set local search_path/.test(text))).toEqual(begun);
  });
});

test("an export reads rows in order, of the schema that it is given, and has ten minutes", async () => {
  const { server } = await fakeDatabase({ vehicles: fleet(1) });
  expect(await exportVehicles(server.connection, { schema: "cars" }).next()).toMatchObject({ done: false });
  const texts = server.asked.map(({ text }) => text.replace(/\s+/g, " "));
  expect(texts).toContain("lock table cars.vehicles, cars.brands in access share mode");
  expect(texts).toContain(
    "declare piecewise no scroll cursor for select v.id, v.type, v.attributes, v.brand_id, b.name as brand_name from cars.vehicles v left join cars.brands b on b.id = v.brand_id order by left(v.sort_key, 600), v.sort_key, v.id",
  );
  expect(texts[0]).toMatch(/statement_timeout = 600000$/);
});

test("vehicles of brands that are twins go out with these", async () => {
  const { server } = await fakeDatabase({
    override: (text) =>
      text.startsWith("delete from incoming_brands") ? [{ id: "b1" }, { id: "b2" }] : undefined,
  });
  await importVehicles(server.connection, fleet(2));
  const asked = server.asked.find(({ text }) => text.startsWith("delete from incoming_vehicles"));
  expect(asked?.values).toEqual(['{"b1","b2"}']);
});

test("a question that nobody waits for any more is never put", async () => {
  const { server, state } = await fakeDatabase({ vehicles: fleet(3) });
  const catalogue = createDirectCatalogue({ connection: server.connection, connections: 1 });
  onTestFinished(() => catalogue.close());
  const snapshot = await catalogue.snapshot();
  const pages = (): number => server.asked.filter(({ text }) => text.includes("json_agg(page)")).length;
  const gone = AbortSignal.abort(new Error("gone"));
  await expect((async () => snapshot.find({ offset: 0, limit: 1 }, { signal: gone }))()).rejects.toThrow(
    "gone",
  );
  expect(pages()).toBe(0);
  let answer = (): void => {};
  state.override = (text) =>
    text.includes("json_agg(page)")
      ? new Promise((resolve) => {
          answer = () => resolve([{ token: "one", count: "0", page: [] }]);
        })
      : undefined;
  const first = (async () => snapshot.find({ offset: 0, limit: 1 }))();
  while (pages() === 0) await new Promise((resolve) => setImmediate(resolve));
  const leaving = new AbortController();
  const second = (async () => snapshot.find({ offset: 1, limit: 1 }, { signal: leaving.signal }))();
  leaving.abort(new Error("left"));
  await expect(second).rejects.toThrow("left");
  answer();
  await first;
  state.override = undefined;
  await snapshot.find({ offset: 0, limit: 2 });
  expect(pages()).toBe(2);
});

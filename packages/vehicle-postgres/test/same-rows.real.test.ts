import { expect, test } from "vitest";
import { fleet } from "./fleet.js";
import { countOf, realDatabase } from "./real-database.js";

const database = realDatabase();

/** What a catalogue answers with, and by which version. */
async function shown(catalogue: ReturnType<typeof database.follow>): Promise<unknown> {
  const { version, find } = await catalogue.snapshot();
  const { vehicles } = await find({ offset: 0, limit: 100 });
  return { version, vehicles: vehicles.map(({ id, manufacturer, model }) => [id, manufacturer.id, model]) };
}

const wrong = `update $.vehicles set attributes = attributes || '{"ac_phases": 7}'`;

/** Ways in which wrong rows become all that there is. */
const ways = [
  { way: "the last right one is taken out", sql: "delete from $.vehicles where id like '00000000%'" },
  { way: "the last right one is wrong now", sql: `${wrong} where id like '00000000%'` },
  {
    way: "the others are taken out, past the triggers",
    sql: `set session_replication_role = replica;
      delete from $.vehicles where id like '00000000%'; reset session_replication_role; update $.vehicles set id = id where false`,
  },
];

test.each(ways)(
  "where all rows are wrong because $way, what was there stays, and says so",
  async ({ sql }) => {
    const schema = await database.schemaWith(fleet(3));
    const run = (text: string) => database.server.sql(text.replaceAll("$", schema));
    await run(`${wrong} where id not like '00000000%'`);
    const catalogue = database.follow(schema, { leastShare: 0 });
    await catalogue.ready();
    expect(await countOf(catalogue)).toBe(1);
    await run(sql);
    await expect(catalogue.refresh()).rejects.toMatchObject({ code: "invalid_data" });
    const { state, problem } = catalogue.health();
    expect([await countOf(catalogue), state, problem]).toEqual([
      1,
      "stale",
      expect.stringContaining("ac_phases"),
    ]);
    const late = database.follow(schema, { leastShare: 0 });
    await expect(late.refresh()).rejects.toMatchObject({ code: "invalid_data" });
    await run("delete from $.vehicles");
    await catalogue.refresh();
    expect([await countOf(catalogue), catalogue.health().state]).toEqual([0, "live"]);
  },
);

/** PostgreSQL tells these apart, by whatever locale; in JavaScript they are one in small letters. */
const [first, second] = ["i\u0307", "\u0130"];

const copied = (id: string) =>
  `insert into $.vehicles select '${id}', type, brand_id, attributes || '{"model": "${id}"}', sort_key from $.vehicles where id like '00000000%'`;

const histories = [
  { name: "the second comes", steps: [copied(first), copied(second)] },
  { name: "the first comes later", steps: [copied(second), copied(first)] },
  { name: "both come at once", steps: [`${copied(second)}; ${copied(first)}`] },
  {
    name: "the shown one goes",
    steps: [copied(first), copied(second), `delete from $.vehicles where id = '${first}'`],
  },
  {
    name: "the other one goes",
    steps: [copied(first), copied(second), `delete from $.vehicles where id = '${second}'`],
  },
  {
    name: "one changes",
    steps: [
      copied(first),
      copied(second),
      `update $.vehicles set attributes = attributes || '{"model": "changed"}' where id = '${second}'`,
    ],
  },
  ...[first, second].map((gone) => ({
    name: `a brand's twin comes, and ${gone} loses its vehicles`,
    steps: [
      `insert into $.brands values ('${first}', 'One'), ('${second}', 'Two')`,
      `update $.vehicles set brand_id = '${second}' where id like '00000001%'`,
      `update $.vehicles set brand_id = '${first}' where id like '00000002%'`,
      `update $.vehicles set brand_id = '${first}' where id like '00000003%'`,
      `delete from $.vehicles where brand_id = '${gone}'`,
    ],
  })),
];

test.each(histories)(
  "ids that only the database tells apart are shown alike to all: $name",
  async ({ steps }) => {
    const schema = await database.schemaWith(fleet(5));
    const catalogue = database.follow(schema, { leastShare: 0 });
    await catalogue.ready();
    for (const step of steps) {
      await database.server.sql(step.replaceAll("$", schema));
      await catalogue.refresh();
      const late = database.follow(schema);
      await late.ready();
      expect(await shown(catalogue)).toEqual(await shown(late));
    }
  },
);

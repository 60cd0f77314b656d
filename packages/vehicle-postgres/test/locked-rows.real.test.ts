import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { importVehicles } from "../src/index.js";
import { fleet } from "./fleet.js";
import { realDatabase, until } from "./real-database.js";

const database = realDatabase();

test("who locks rows as the README says, and writes them later, is waited for by an import", async () => {
  const [one, ...others] = fleet(5);
  const schema = await database.schemaWith([one, ...others]);
  const { connection, sql } = database.server;
  const editor = new pg.Client(connection);
  editor.on("error", () => {});
  onTestFinished(() => editor.end());
  await editor.connect();
  await editor.query(`begin; update ${schema}.vehicles set id = id where false`);
  await editor.query(`select * from ${schema}.vehicles where id = $1 for update`, [one!.id]);
  const imported = importVehicles(connection, [{ ...one!, model: "Imported" }], { schema, mode: "merge" });
  await until(async () => expect(await sql("select from pg_locks where not granted")).not.toEqual([]));
  await editor.query(
    `update ${schema}.vehicles set attributes = attributes || '{"model": "Edited"}' where id = $1`,
    [one!.id],
  );
  await editor.query("commit");
  expect(await imported).toMatchObject({ changed: 1 });
});

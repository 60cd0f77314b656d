import { describe, expect, test } from "vitest";
import { notingClient } from "../test/noting-client.js";
import { newestMigration } from "./migration-list.js";
import { checkMigrated, readLineage, readVersion } from "./stored-version.js";

const version = { number: "9007199254740993", token: "t" };
const lost = { code: "refused", message: "fleet.catalogue_version has lost its row" };

test("a version is read with all of its digits", async () => {
  const { client, texts } = notingClient(() => [version]);
  expect(await readVersion(client, "fleet")).toEqual({ number: 9007199254740993n, token: "t" });
  expect(texts()).toEqual(["select number, token from fleet.catalogue_version"]);
  await expect(readVersion(notingClient().client, "fleet")).rejects.toMatchObject(lost);
});

describe("a version with where it has come from", () => {
  const row = { ...version, view: "3:3:", askedAt: 5, follows: true };

  test.each([
    [undefined, [null, null]],
    [{ number: 7n, token: "held" }, ["7", "held"]],
  ])("is read for one that is held: %o", async (held, values) => {
    const { client, asked } = notingClient(() => [row]);
    expect(await readLineage(client, "fleet", held)).toEqual({ ...row, number: 9007199254740993n });
    expect(asked).toEqual([
      {
        text: 'select number, token, pg_current_snapshot()::text as view, floor(extract(epoch from statement_timestamp()) * 1000)::float8 as "askedAt", exists(select from fleet.lineage l where l.number = $1 and l.token = $2) as follows from fleet.catalogue_version',
        values,
      },
    ]);
  });

  test("needs its row", async () => {
    await expect(readLineage(notingClient().client, "fleet", undefined)).rejects.toMatchObject(lost);
  });
});

describe("tables are known", () => {
  const outcomeOf = (isThere: boolean, applied: readonly object[]): Promise<unknown> => {
    const { client } = notingClient((text) => (text.includes("pg_class") ? (isThere ? [{}] : []) : applied));
    return checkMigrated(client, "fleet").then(
      () => "known",
      ({ code, message }) => [code, message],
    );
  };

  const old = (at: number) =>
    `the schema fleet is at migration ${at} of ${newestMigration}: run migrate() first`;
  test.each<readonly [newest: number | null, outcome: unknown]>([
    [newestMigration, "known"],
    [newestMigration - 1, ["refused", old(newestMigration - 1)]],
    [null, ["refused", old(0)]],
    [
      newestMigration + 1,
      [
        "refused",
        `the schema fleet is at migration ${newestMigration + 1}, and this package knows ${newestMigration}: update it`,
      ],
    ],
  ])("or not, at migration %s: %s", async (newest, outcome) => {
    expect(await outcomeOf(true, [{ newest }])).toEqual(outcome);
  });

  test("or not, where there are none", async () => {
    const absent = ["refused", "there is no catalogue in the schema fleet: run migrate() first"];
    expect(await outcomeOf(false, [])).toEqual(absent);
    expect(await outcomeOf(true, [])).toEqual(["refused", old(0)]);
  });

  test("by what was applied", async () => {
    const { client, asked } = notingClient(() => [{ newest: newestMigration }]);
    await checkMigrated(client, "fleet");
    expect(asked.map(({ values }) => values)).toEqual([["fleet", "migrations"], []]);
    expect(asked[1]?.text).toBe("select max(number) as newest from fleet.migrations");
  });
});

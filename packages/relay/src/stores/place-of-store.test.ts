import { expect, test } from "vitest";
import type { StoreDescription } from "./flag-store.js";
import { placeOfStore } from "./place-of-store.js";

test.each<[StoreDescription | undefined, string]>([
  [undefined, ""],
  [{ database: "redis" }, "redis: "],
  [{ database: "redis", dbServer: "redis://db", dbPrefix: "ld" }, 'redis at redis://db, prefix "ld": '],
  [{ database: "dynamodb", dbTable: "flags" }, 'dynamodb, table "flags": '],
  [
    { database: "dynamodb", dbServer: "http://db", dbTable: "flags", dbPrefix: "ld" },
    'dynamodb at http://db, table "flags", prefix "ld": ',
  ],
  // Stores of hosts say what they like.
  [null as unknown as StoreDescription, ""],
  ["redis" as unknown as StoreDescription, ""],
])("%j is told as %j", (about, expected) => {
  expect(placeOfStore(about)).toBe(expected);
});

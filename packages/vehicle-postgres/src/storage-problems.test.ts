import type { Vehicle } from "@wye/vehicle-catalogue";
import { catalogueTestVehicles } from "@wye/vehicle-catalogue/testing";
import { describe, expect, test } from "vitest";
import { storageProblems } from "./storage-problems.js";

const [pattern] = catalogueTestVehicles() as readonly [Vehicle];
const fieldsOf = (change: object): readonly string[] =>
  storageProblems({ ...pattern, ...change }, 7).map(({ field }) => field);

describe("what PostgreSQL cannot hold is told, with its field:", () => {
  test.each<[what: string, change: object, ...fields: string[]]>([
    ["nothing", {}],
    ["letters of every kind", { model: "Ä\u0001😀", hidden: { "\u0001": ["\n"] } }],
    ["the character NUL", { model: "a\u0000" }, "model"],
    ["the first half of a pair", { model: "a\ud83d" }, "model"],
    ["the second half of a pair", { model: "\ude00a" }, "model"],
    ["the id", { id: "\u0000" }, "id"],
    ["a brand", { manufacturer: { id: "\u0000", name: "\u0000" } }, "manufacturer.id", "manufacturer.name"],
    ["the name of a brand", { manufacturer: { id: "b", name: "\ud83d" } }, "manufacturer.name"],
    ["a list", { ac_ports: ["type2", "\u0000"] }, "ac_ports"],
    ["the first of a list", { ac_ports: ["\u0000", "type2"] }, "ac_ports"],
    ["the name of a member", { hidden: { "a\u0000": 1 } }, "hidden"],
    ["a member within members", { hidden: [{ a: { b: [null, 1, "\u0000"] } }] }, "hidden"],
    ["several", { id: "\u0000", variant: "\u0000" }, "id", "variant"],
  ])("%s", (_, change, ...fields) => expect(fieldsOf(change)).toEqual(fields));

  test("and with the place and the id of its record", () => {
    expect(storageProblems({ ...pattern, model: "\u0000" }, 7)).toEqual([
      { index: 7, id: pattern.id, field: "model", message: "has a character that PostgreSQL cannot hold" },
    ]);
  });
});

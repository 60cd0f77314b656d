import { expect, test } from "vitest";
import { catalogueTestVehicles } from "../../testing/catalogue-test-vehicles.js";
import { catalogueFromVehicles, type PlainQuery } from "../index.js";

const vehicles = catalogueTestVehicles();
const snapshot = catalogueFromVehicles(vehicles).snapshot();
const page = { offset: 0, limit: 5 };

test.each<unknown>([
  { offset: 0 },
  { limit: 5 },
  { offset: -0.5, limit: 5 },
  { offset: 0, limit: -1 },
  { offset: "0", limit: 5 },
  undefined,
])("whoever is asked says that it needs a page, and gets %j", (given) => {
  const query = given as typeof page;
  const needs = (name: string) => new TypeError(`${name} needs offset and limit, which are numbers from 0.`);
  expect(() => snapshot.find(query)).toThrow(needs("find"));
  expect(() => snapshot.search({ text: "x", ...query })).toThrow(needs("search"));
  expect(() => snapshot.explain({ text: "x", ...query })).toThrow(needs("explain"));
});

test.each([
  ["ids", "x", '"x"'],
  ["ids", [5], "a list"],
  ["manufacturerIds", null, "null"],
  ["manufacturerIds", ["x", undefined], "a list"],
])("that %s are a list of texts is said of %j", (name, given, shown) => {
  const query = { ...page, [name]: given } as unknown as PlainQuery;
  const message = `${name} of find must be a list of texts; got ${shown}.`;
  expect(() => snapshot.find(query)).toThrow(new TypeError(message));
});

test("another table of short names is another version, and so are fewer vehicles", () => {
  const versionOf = (...given: Parameters<typeof catalogueFromVehicles>) =>
    catalogueFromVehicles(...given).snapshot().version;
  const versions = [
    versionOf(vehicles),
    versionOf(vehicles, { brandAliases: { zz: vehicles[0]!.manufacturer.name } }),
    versionOf(vehicles.slice(1)),
    versionOf([]),
  ];
  expect(new Set(versions).size).toBe(4);
  expect(versionOf(vehicles)).toBe(versions[0]);
});

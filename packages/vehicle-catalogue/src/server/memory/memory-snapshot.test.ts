import { expect, test } from "vitest";
import { catalogueTestVehicles } from "../../testing/catalogue-test-vehicles.js";
import { catalogueFromVehicles, type PlainQuery } from "../index.js";

const vehicles = catalogueTestVehicles();
const snapshot = catalogueFromVehicles(vehicles).snapshot();
const page = { offset: 0, limit: 5 };
type Changed = ReturnType<typeof catalogueFromVehicles>;

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

test("a snapshot that was asked nothing before a change answers as if there had been none", async () => {
  const [first, ...others] = vehicles;
  const { manufacturer } = first!;
  const all = { offset: 0, limit: 100 };
  const answers = async ({ find, search, brands }: typeof snapshot) => [
    find({ ...all, manufacturerIds: [manufacturer.id] }),
    find({ ...all, manufacturerIds: brands().map(({ id }) => id) }),
    find({ ...all, ids: vehicles.map(({ id }) => id) }),
    await find({ ...all, order: [{ attribute: "variant", isDescending: true }] }),
    await find({ ...all, conditions: [{ attribute: "ac_max_power", is: "gt", bound: 1 }] }),
    ...["zephyr mistral", "borealis"].map((text) => search({ text, ...all })),
    brands(),
  ];
  const unchanged = await answers(snapshot);
  for (const change of [
    (to: Changed) => to.remove([first!.id]),
    (to: Changed) => to.upsert([{ ...first!, variant: "zz", ac_max_power: 1 }]),
    (to: Changed) => to.upsert([{ ...first!, manufacturer: { ...manufacturer, name: "Aaa" } }]),
    (to: Changed) => to.replace(others),
  ]) {
    const catalogue = catalogueFromVehicles(vehicles);
    const before = catalogue.snapshot();
    await change(catalogue);
    expect(await answers(before)).toEqual(unchanged);
    expect(await answers(catalogue.snapshot())).not.toEqual(unchanged);
  }
});

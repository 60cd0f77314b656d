import { expect, onTestFinished, test } from "vitest";
import { createPostgresCatalogue } from "../src/index.js";
import { type FakeState, fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

async function following(vehicles: FakeState["vehicles"]) {
  const { state, server } = await fakeDatabase({ vehicles });
  const catalogue = createPostgresCatalogue({ connection: server.connection });
  onTestFinished(() => catalogue.close());
  await catalogue.ready();
  const shown = async () => {
    const { vehicles: found } = await (await catalogue.snapshot()).find({ offset: 0, limit: 100 });
    return found.map(({ id, model, manufacturer }) => `${id} ${model} ${manufacturer.id}`).sort();
  };
  /** From which versions on rows were read. */
  const sinces = () => server.asked.flatMap(({ text }) => /v\.changed_in > (-?\d+)/.exec(text)?.[1] ?? []);
  return { state, catalogue, shown, sinces };
}

const [pattern] = fleet(1) as unknown as readonly [FakeState["vehicles"][number]];
const vehicle = (id: string, brand: string, changedIn = 1): FakeState["vehicles"][number] => ({
  ...pattern,
  id,
  model: `model ${id}`,
  manufacturer: { id: brand, name: `name of ${brand.toLowerCase()}` },
  changedIn,
});
const lines = (...vehicles: FakeState["vehicles"]) =>
  vehicles.map(({ id, model, manufacturer }) => `${id} ${model} ${manufacturer.id}`);

test("a brand whose vehicles all name it otherwise is shown so, and nothing else is read", async () => {
  const others = [vehicle("c", "two"), vehicle("d", "Three")];
  const { state, catalogue, shown, sinces } = await following([
    vehicle("a", "one"),
    vehicle("b", "one"),
    ...others,
  ]);
  const vehicles = [vehicle("a", "ONE", 2), vehicle("b", "ONE", 2), ...others];
  Object.assign(state, { number: 2, token: "two", vehicles });
  await catalogue.refresh();
  expect(await shown()).toEqual(lines(...vehicles));
  expect(sinces()).toEqual(["-1", "1"]);
});

test.each<[what: string, gone: FakeState["vehicles"][number], ...wrong: FakeState["vehicles"]]>([
  ["that named it before has gone", vehicle("b", "one")],
  ["with capitals in its id that named it before has gone", vehicle("B", "one")],
  ["of another brand has gone", vehicle("b", "two")],
  ["of another brand with capitals in its id has gone", vehicle("B", "two")],
  ["that named it before is wrong", vehicle("b", "one"), { ...vehicle("b", "ONE", 2), ac_phases: 7 as 3 }],
  ["with capitals in its id is wrong", vehicle("B", "two"), { ...vehicle("B", "two", 2), ac_phases: 7 as 3 }],
  [
    "with capitals in its id has others, and is wrong",
    vehicle("Bb", "two"),
    { ...vehicle("bB", "two", 2), ac_phases: 7 as 3 },
  ],
])(
  "a brand is shown so as well where a vehicle %s, which is not shown any more",
  async (_, gone, ...wrong) => {
    const others = [vehicle("C", "two"), vehicle("d", "Three")];
    const { state, catalogue, shown, sinces } = await following([vehicle("a", "one"), gone, ...others]);
    const vehicles = [vehicle("A", "ONE", 2), ...others];
    Object.assign(state, { number: 2, token: "two", vehicles: [...vehicles, ...wrong] });
    await catalogue.refresh();
    expect(await shown()).toEqual(lines(...vehicles));
    expect(sinces()).toEqual(["-1", "1"]);
  },
);

test("everything is read where vehicles that have not changed name the brand as before", async () => {
  const others = [vehicle("b", "one"), vehicle("c", "two")];
  const { state, catalogue, shown, sinces } = await following([vehicle("a", "one"), ...others]);
  const vehicles = [vehicle("a", "ONE", 2), ...others];
  Object.assign(state, { number: 2, token: "two", vehicles });
  await catalogue.refresh();
  expect(sinces()).toEqual(["-1", "1", "-1"]);
  // Two spellings of one brand are one too many: the first is shown.
  expect(await shown()).toEqual(lines(vehicle("a", "ONE"), vehicle("c", "two")));
});

test("vehicles with capitals in their ids are changed in place as others are, even all of them", async () => {
  const { state, catalogue, shown, sinces } = await following([
    vehicle("A", "one"),
    vehicle("Bb", "one"),
    vehicle("c", "two"),
  ]);
  const vehicles = [vehicle("A", "one", 2), vehicle("bB", "one", 2), vehicle("C", "two", 2)];
  Object.assign(state, { number: 2, token: "two", vehicles });
  await catalogue.refresh();
  expect([await shown(), sinces()]).toEqual([lines(...vehicles).sort(), ["-1", "1"]]);
});

test("brands that are named as before are changed in place", async () => {
  const others = [vehicle("b", "one"), vehicle("c", "two")];
  const { state, catalogue, shown, sinces } = await following([vehicle("a", "one"), ...others]);
  const vehicles = [{ ...vehicle("a", "one", 2), model: "other" }, ...others];
  Object.assign(state, { number: 2, token: "two", vehicles });
  await catalogue.refresh();
  expect([await shown(), sinces()]).toEqual([lines(...vehicles), ["-1", "1"]]);
});

test.each<[what: string, seen: readonly string[], ...vehicles: FakeState["vehicles"]]>([
  [
    "ids of vehicles",
    ["V1 model V1 one", "v2 model v2 one"],
    ...[vehicle("v1", "one"), vehicle("V1", "one"), vehicle("v2", "one")],
  ],
  [
    "ids of brands",
    ["v2 model v2 ONE"],
    ...[vehicle("v3", "one"), vehicle("v2", "ONE"), vehicle("v1", "One")],
  ],
])(
  "of what only the database tells apart the first is shown, in whatever order it comes: %s",
  async (...row) => {
    const [, seen, a, b, c] = row;
    if (a === undefined || b === undefined || c === undefined) throw new Error("there are three");
    for (const vehicles of [
      [a, b, c],
      [c, b, a],
      [b, a, c],
      [b, c, a],
    ]) {
      const { shown } = await following(vehicles);
      expect(await shown()).toEqual(seen);
    }
  },
);

test("as long as there are such ids, everything is read each time", async () => {
  const twins = [vehicle("v1", "one"), vehicle("V1", "one"), vehicle("v2", "one")];
  const { state, catalogue, sinces } = await following(twins);
  Object.assign(state, { number: 2, token: "two", vehicles: twins });
  await catalogue.refresh();
  Object.assign(state, { number: 3, token: "three", vehicles: twins.slice(1) });
  await catalogue.refresh();
  expect(sinces()).toEqual(["-1", "-1", "-1"]);
  Object.assign(state, { number: 4, token: "four", vehicles: twins.slice(1) });
  await catalogue.refresh();
  expect(sinces()).toEqual(["-1", "-1", "-1", "3"]);
});

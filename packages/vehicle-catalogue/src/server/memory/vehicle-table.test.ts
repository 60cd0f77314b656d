import { expect, test } from "vitest";
import { fleet } from "../../../bench/fleet.js";
import type { Vehicle } from "../../vehicle.js";
import { catalogueFromVehicles, compareVehicles } from "../index.js";

const vehicles = fleet(200);
const label = ({ id, variant }: Vehicle): string => `${id} ${variant}`;

/** A catalogue whose clock is told the time. */
function timed(first: Parameters<typeof catalogueFromVehicles>[0], start: number) {
  let time = start;
  const catalogue = catalogueFromVehicles(first, { now: () => time });
  const at = async (now: number, change: () => Promise<unknown>): Promise<number> => {
    time = now;
    await change();
    return catalogue.snapshot().updatedAt;
  };
  return { catalogue, at };
}

test("a catalogue is as old as its last change, and what changes nothing is none", async () => {
  const { catalogue, at } = timed(vehicles.slice(0, 3), 1000);
  const [one, two, three, four] = vehicles;
  expect(catalogue.snapshot().updatedAt).toBe(1000);
  expect(await at(2000, () => catalogue.replace([three, one, two]))).toBe(1000);
  expect(await at(3000, () => catalogue.upsert([two!]))).toBe(1000);
  expect(await at(4000, () => catalogue.remove(["unknown"]))).toBe(1000);
  expect(await at(5000, () => catalogue.replace([one, two]))).toBe(5000);
  expect(await at(6000, () => catalogue.upsert([four!]))).toBe(6000);
  expect(await at(6000, () => catalogue.remove([four!.id]))).toBe(6001);
});

test("a vehicle that was removed is there again when it is put in as it was", async () => {
  const { catalogue, at } = timed(vehicles.slice(0, 3), 1000);
  const [one] = vehicles;
  const ids = () => catalogue.vehicles().map(({ id }) => id);
  const all = ids();
  expect(await at(2000, () => catalogue.remove([one!.id]))).toBe(2000);
  expect(ids()).toEqual(all.filter((id) => id !== one!.id));
  expect(await at(3000, () => catalogue.upsert([one!]))).toBe(3000);
  expect(ids()).toEqual(all);
  expect(await at(4000, () => catalogue.replace(vehicles.slice(1, 3)))).toBe(4000);
  expect(await at(5000, () => catalogue.replace(vehicles.slice(0, 3)))).toBe(5000);
  expect(ids()).toEqual(all);
});

test("a catalogue that began empty is as old as its beginning", async () => {
  const { catalogue, at } = timed([], 1000);
  expect(catalogue.snapshot().updatedAt).toBe(1000);
  expect(await at(2000, () => catalogue.remove(["unknown"]))).toBe(1000);
});

test("small changes of a large catalogue, one after another, leave all that is there in order", async () => {
  const catalogue = catalogueFromVehicles(vehicles);
  const present = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]));
  const removed: number[] = [];
  for (const [place, { id }] of vehicles.slice(0, 9).entries()) {
    if (place % 3 === 0) {
      present.delete(id);
      removed.push(await catalogue.remove([id]), await catalogue.remove([id]));
    } else {
      const changed = { ...present.get(id)!, variant: `changed ${place % 2}` };
      present.set(id, changed);
      await catalogue.upsert([changed]);
    }
    const wanted = [...present.values()].sort(compareVehicles);
    expect(catalogue.vehicles().map(label)).toEqual(wanted.map(label));
  }
  expect(removed).toEqual([1, 0, 1, 0, 1, 0]);
});

test("a vehicle that renames its brand is as it was put in, and one that goes then has gone, also with capitals in ids", async () => {
  const [some] = vehicles;
  const { manufacturer } = some!;
  const [one, two] = ["ID-1", "Id-2"].map((id): Vehicle => ({ ...some!, id, variant: "old" }));
  const renamed = { ...one!, variant: "new", manufacturer: { ...manufacturer, name: "Other" } };
  for (const remove of [[], ["id-2"], ["ID-2"]]) {
    const catalogue = catalogueFromVehicles([one!, two!]);
    await catalogue.upsert([renamed], { remove });
    const left = remove.length > 0 ? ["ID-1 new"] : ["ID-1 new", "Id-2 old"];
    expect(catalogue.vehicles().map(label).toSorted()).toEqual(left);
    expect(catalogue.snapshot().brands()).toEqual([renamed.manufacturer]);
  }
});

test("a brand that has gone and comes again is spelled as it comes", async () => {
  const [one, two] = vehicles.map((vehicle, at): Vehicle => ({ ...vehicle, id: `${at}` }));
  const brand = (id: string) => ({ id, name: "Alpha" });
  const catalogue = catalogueFromVehicles([
    { ...one!, manufacturer: brand("AB") },
    { ...two!, manufacturer: { id: "other", name: "Beta" } },
  ]);
  const brands = () => catalogue.snapshot().brands();
  await catalogue.upsert([{ ...one!, id: "3", manufacturer: brand("ab") }]);
  expect(brands()[0]).toEqual(brand("AB"));
  await catalogue.remove([one!.id, "3"]);
  expect(brands()).toHaveLength(1);
  await catalogue.upsert([{ ...one!, manufacturer: brand("ab") }]);
  expect(brands()[0]).toEqual(brand("ab"));
  expect(catalogue.vehicles()[0]?.manufacturer).toEqual(brand("ab"));
});

test("vehicles that are being added are not found before all of them are there", async () => {
  const catalogue = catalogueFromVehicles(vehicles.slice(0, 100));
  const snapshot = catalogue.snapshot();
  const search = () => snapshot.search({ text: "tesla model 3", offset: 0, limit: 25 });
  const before = search();
  let isDone = false;
  const change = catalogue.upsert(fleet(2500).slice(300)).finally(() => {
    isDone = true;
  });
  const found: unknown[] = [];
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    found.push(search());
  }
  expect((await change).loaded).toBe(2200);
  expect(found.length).toBeGreaterThan(2);
  for (const one of found) expect(one).toEqual(before);
  expect(catalogue.snapshot().search({ text: "tesla model 3", offset: 0, limit: 25 })).not.toEqual(before);
});

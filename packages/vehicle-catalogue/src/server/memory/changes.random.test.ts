import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fleet } from "../../../bench/fleet.js";
import { catalogueTestVehicles } from "../../testing/index.js";
import type { Vehicle } from "../../vehicle.js";
import { catalogueFromVehicles, compareVehicles, type MemorySnapshot, type VehicleQuery } from "../index.js";

const all = { offset: 0, limit: 1000 };
const pool = catalogueTestVehicles();
const texts = [
  "borealis",
  "northwind borealis 2",
  "fleet 3 long",
  "kestrel",
  "zephyr sport",
  "60 kwh",
  "new works",
];

const refinements: readonly Partial<VehicleQuery>[] = [
  { order: [{ attribute: "variant", isDescending: true }] },
  {
    order: [
      { attribute: "usable_battery_size", isDescending: false },
      { attribute: "manufacturer.name", isDescending: true },
    ],
  },
  { conditions: [{ attribute: "usable_battery_size", is: "lte", bound: 1 }] },
  { conditions: [{ attribute: "variant", is: "in", values: ["", "sport"] }], ids: pool.map(({ id }) => id) },
];

/** Everything that a snapshot answers, as far as these vehicles go. */
async function answers(snapshot: MemorySnapshot): Promise<unknown> {
  const { vehicles, rowVersions, overallCount } = snapshot.find(all);
  const brands = snapshot.brands();
  return {
    version: snapshot.version,
    vehicles,
    rowVersions,
    overallCount,
    brands,
    byBrand: brands.map(({ id }) => snapshot.find({ ...all, manufacturerIds: [id.toUpperCase()] })),
    byId: snapshot.find({ offset: 1, limit: 3, ids: vehicles.map(({ id }) => id).reverse() }),
    found: texts.map((text) => snapshot.search({ text, ...all })),
    explained: texts.map((text) => snapshot.explain({ text, offset: 0, limit: 3 })),
    refined: await Promise.all(refinements.map((query) => snapshot.find({ ...all, ...query }))),
  };
}

/** What goes out in the same step. */
const out = fc.array(fc.nat(pool.length - 1), { maxLength: 3 });

const change = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    at: fc.array(fc.nat(pool.length - 1), { minLength: 1, maxLength: 4 }),
    size: fc.nat(2),
    variant: fc.constantFrom("", "60 kWh", "long", "Sport"),
    out,
  }),
  fc.record({ kind: fc.constant("out" as const), at: fc.array(fc.nat(pool.length - 1), { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant("rename" as const),
    at: fc.nat(pool.length - 1),
    name: fc.constantFrom("New Works", "acme"),
    out,
  }),
);

describe("upsert and remove", () => {
  test("lead to the same as loading the result anew, whatever the way; and old snapshots stay as they were", {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const catalogue = catalogueFromVehicles(pool.slice(0, 20));
        const model = new Map(pool.slice(0, 20).map((vehicle) => [vehicle.id, vehicle]));
        const rename = (id: string, name: string): void => {
          for (const [key, vehicle] of model) {
            if (vehicle.manufacturer.id === id) model.set(key, { ...vehicle, manufacturer: { id, name } });
          }
        };
        const seen: { snapshot: MemorySnapshot; answered: unknown }[] = [];
        const outcomes: (readonly [got: number, wanted: number])[] = [];
        for (const one of changes) {
          seen.push({ snapshot: catalogue.snapshot(), answered: await answers(catalogue.snapshot()) });
          if (one.kind === "out") {
            const ids = one.at.map((at) => pool[at]!.id);
            const there = new Set(ids.filter((id) => model.has(id))).size;
            outcomes.push([await catalogue.remove(ids.map((id) => id.toUpperCase())), there]);
            for (const id of ids) model.delete(id);
          } else {
            const put =
              one.kind === "put"
                ? one.at.map((at) => changed(pool[at]!, one, model))
                : [renamed(pool[one.at]!, one.name)];
            const distinct = [...new Map(put.map((vehicle) => [vehicle.id, vehicle])).values()];
            const sound = distinct.filter(
              ({ manufacturer }) =>
                manufacturer.name ===
                distinct.find((other) => other.manufacturer.id === manufacturer.id)?.manufacturer.name,
            );
            const remove = one.out.map((at) => pool[at]!.id.toUpperCase());
            outcomes.push([(await catalogue.upsert(sound, { remove })).loaded, sound.length]);
            for (const at of one.out) model.delete(pool[at]!.id);
            for (const vehicle of sound) {
              model.set(vehicle.id, vehicle);
              rename(vehicle.manufacturer.id, vehicle.manufacturer.name);
            }
          }
          const anew = catalogueFromVehicles([...model.values()]).snapshot();
          expect(await answers(catalogue.snapshot())).toEqual(await answers(anew));
        }
        expect(outcomes.map(([got]) => got)).toEqual(outcomes.map(([, wanted]) => wanted));
        for (const { snapshot, answered } of seen) expect(await answers(snapshot)).toEqual(answered);
      }),
      { seed: 17, numRuns: process.env.WYE_ALL_ROUNDS ? 80 : 8 },
    );
  });

  test("of wrong records are reported, and refused when strict", async () => {
    const [first] = pool;
    const wrong = { ...first!, ac_phases: 9 as never };
    const lenient = catalogueFromVehicles(pool);
    expect(await lenient.upsert([wrong])).toMatchObject({ loaded: 0, problems: [{ field: "ac_phases" }] });
    expect(lenient.snapshot().version).toBe(catalogueFromVehicles(pool).snapshot().version);
    const strict = catalogueFromVehicles(pool, { strict: true });
    await expect(strict.upsert([wrong])).rejects.toMatchObject({ code: "invalid_data" });
  });

  test("let what is removed and put stay as it was where the record is wrong", async () => {
    const [one, two] = catalogueTestVehicles();
    const catalogue = catalogueFromVehicles([one!, two!]);
    const wrong = { ...one!, id: one!.id.toUpperCase(), usable_battery_size: -1 };
    const { problems } = await catalogue.upsert([wrong], { remove: [one!.id, two!.id] });
    expect(problems).toMatchObject([{ field: "usable_battery_size" }]);
    expect(catalogue.vehicles()).toEqual([one]);
  });

  test("may be one step: what is removed and put goes out and comes at once, and what is both comes", async () => {
    const catalogue = catalogueFromVehicles(pool.slice(0, 10));
    const versions = new Set([catalogue.snapshot().version]);
    const [out, both] = pool;
    const put = [{ ...both!, usable_battery_size: 2 }, pool[12]!];
    const change = catalogue.upsert(put, { remove: [out!.id.toUpperCase(), both!.id, "unknown"] });
    versions.add(catalogue.snapshot().version);
    await change;
    versions.add(catalogue.snapshot().version);
    const anew = catalogueFromVehicles([...put, ...pool.slice(2, 10)]);
    expect(await answers(catalogue.snapshot())).toEqual(await answers(anew.snapshot()));
    expect(versions.size).toBe(2);
  });

  test("say what is wrong with a call", async () => {
    const catalogue = catalogueFromVehicles(pool);
    for (const wrong of [null, {}, "abc", [5], [null]] as never[]) {
      await expect(catalogue.remove(wrong)).rejects.toThrow(/ids must be a list of ids/);
      await expect(catalogue.upsert([], { remove: wrong ?? 5 })).rejects.toThrow(/remove must be a list/);
    }
    for (const wrong of [null, {}, "abc"] as never[]) {
      await expect(catalogue.upsert(wrong)).rejects.toThrow(/upsert needs a list/);
    }
    expect(catalogue.vehicles()).toHaveLength(pool.length);
  });

  test("take a brand's id in any case as the one that is there", async () => {
    const catalogue = catalogueFromVehicles(pool);
    const [first] = pool;
    const manufacturer = { ...first!.manufacturer, id: first!.manufacturer.id.toUpperCase() };
    await catalogue.upsert([{ ...first!, id: "new", manufacturer }]);
    expect(catalogue.snapshot().find({ ...all, ids: ["new"] }).vehicles[0]?.manufacturer).toEqual(
      first!.manufacturer,
    );
    expect(catalogue.snapshot().brands()).toHaveLength(3);
  });

  test("for a long time on few vehicles hold no memory of what went out", async () => {
    const catalogue = catalogueFromVehicles(pool);
    for (let round = 0; round < 60; round++) {
      await catalogue.upsert(pool.map((vehicle) => ({ ...vehicle, usable_battery_size: round })));
    }
    const anew = catalogueFromVehicles(pool.map((vehicle) => ({ ...vehicle, usable_battery_size: 59 })));
    expect(await answers(catalogue.snapshot())).toEqual(await answers(anew.snapshot()));
  });
});

describe("changes of a large catalogue", () => {
  const large = fleet(20_000);

  /** Looks on whenever everything else has its turn; resolves to how often that was. */
  async function during(work: Promise<unknown>, look: () => void): Promise<number> {
    let running = true;
    const ended = work.finally(() => {
      running = false;
    });
    let turns = 0;
    while (running) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
      look();
    }
    await ended;
    return turns;
  }

  test("are made in slices, while requests see the old version, whole, until all of it is there", {
    timeout: 300_000,
  }, async () => {
    const catalogue = catalogueFromVehicles(large);
    const first = large.toSorted(compareVehicles)[0]!;
    const query = { text: "tesla model 3", offset: 0, limit: 25 };
    const changed = large.map((vehicle): Vehicle => ({ ...vehicle, usable_battery_size: 1 }));
    const renamed = { ...first, manufacturer: { ...first.manufacturer, name: "Zzz" } };
    for (const { work, turnsAtLeast } of [
      { work: () => catalogue.replace(changed), turnsAtLeast: 10 },
      { work: () => catalogue.upsert(large.slice(0, 15_000)), turnsAtLeast: 10 },
      { work: () => catalogue.upsert(changed.slice(0, 3000)), turnsAtLeast: 3 },
      { work: () => catalogue.upsert([renamed]), turnsAtLeast: 0 },
      { work: () => catalogue.remove(large.slice(0, 3000).map(({ id }) => id)), turnsAtLeast: 0 },
      { work: () => catalogue.remove(large.slice(3000, 12_000).map(({ id }) => id)), turnsAtLeast: 10 },
    ]) {
      const before = catalogue.snapshot();
      const found = before.search(query);
      const versions = new Set<string>();
      const turns = await during(work(), () => {
        const now = catalogue.snapshot();
        versions.add(now.version);
        expect(before.search(query)).toEqual(found);
      });
      expect(versions.size).toBeLessThanOrEqual(2);
      expect(catalogue.snapshot().version).not.toBe(before.version);
      expect(turns).toBeGreaterThanOrEqual(turnsAtLeast);
    }
  });

  test("take effect in the order in which they were asked for", async () => {
    const catalogue = catalogueFromVehicles(large.slice(0, 10));
    const [one, two] = large;
    const done: string[] = [];
    const note = (name: string) => () => void done.push(name);
    await Promise.all([
      catalogue.replace(large).then(note("replace")),
      catalogue.remove([one!.id]).then(note("remove")),
      catalogue.replace([{}]).catch(note("refused")),
      catalogue.upsert([{ ...two!, usable_battery_size: 3 }]).then(note("upsert")),
    ]);
    expect(done).toEqual(["replace", "remove", "refused", "upsert"]);
    expect(catalogue.vehicles()).toHaveLength(large.length - 1);
    expect(catalogue.snapshot().find({ ...all, ids: [two!.id] }).vehicles[0]?.usable_battery_size).toBe(3);
  });
});

function changed(
  vehicle: Vehicle,
  { size, variant }: { size: number; variant: string },
  model: ReadonlyMap<string, Vehicle>,
): Vehicle {
  const present = [...model.values()].find(({ manufacturer }) => manufacturer.id === vehicle.manufacturer.id);
  return {
    ...vehicle,
    variant,
    usable_battery_size: size,
    manufacturer: present?.manufacturer ?? vehicle.manufacturer,
  };
}

test("what goes out in the step in which its brand is renamed is gone, whatever its id's letter case", async () => {
  const [first, second, third] = fleet(293).filter(({ manufacturer }) => manufacturer.name === "Tesla");
  for (const spelled of [second!.id, second!.id.toUpperCase()]) {
    const catalogue = catalogueFromVehicles([first!, second!, third!]);
    await catalogue.upsert([renamed(first!, "Tesla Motors")], { remove: [spelled] });
    const left = catalogue.vehicles().map(({ id, manufacturer }) => [id, manufacturer.name]);
    expect(left.sort()).toEqual([first!, third!].map(({ id }) => [id, "Tesla Motors"]).sort());
    expect(catalogue.snapshot().brands()).toHaveLength(1);
  }
  // A record wins over the removal of its id, as ever.
  const catalogue = catalogueFromVehicles([first!, second!]);
  await catalogue.upsert([renamed(first!, "Tesla Motors")], { remove: [first!.id] });
  expect(catalogue.vehicles()).toHaveLength(2);
});

function renamed(vehicle: Vehicle, name: string): Vehicle {
  return { ...vehicle, manufacturer: { ...vehicle.manufacturer, name } };
}

import { describe, expect, test } from "vitest";
import { fleet } from "../../../bench/fleet.js";
import type { Vehicle } from "../../vehicle.js";
import { catalogueFromVehicles, compareVehicles, type VehicleQuery } from "../index.js";

const large = fleet(20_000);
const ordered = large.toSorted(compareVehicles);
const page = { offset: 19_990, limit: 20 };
const ids = (vehicles: readonly Vehicle[]): readonly string[] => vehicles.map(({ id }) => id);

/** Counts the turns that others get while something is worked out. */
async function turnsDuring<Value>(work: PromiseLike<Value>): Promise<{ turns: number; value: Value }> {
  let done = false;
  const ended = Promise.resolve(work).finally(() => {
    done = true;
  });
  let turns = 0;
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  return { turns, value: await ended };
}

describe("questions about attributes of a large catalogue", () => {
  const byVariant: VehicleQuery = { ...page, order: [{ attribute: "variant", isDescending: false }] };
  const variants = ordered.toSorted((a, b) => {
    const [x, y] = [a.variant.toLowerCase(), b.variant.toLowerCase()];
    return x < y ? -1 : x > y ? 1 : 0;
  });

  test("are worked out in slices, several at once, with changes between, and answer for their version", async () => {
    const catalogue = catalogueFromVehicles(large);
    const snapshot = catalogue.snapshot();
    const asked = Promise.all([
      snapshot.find(byVariant),
      snapshot.find({ ...page, order: [{ attribute: "variant", isDescending: true }] }),
      snapshot.find({ ...page, conditions: [{ attribute: "variant", is: "in", values: ["sport 9"] }] }),
      snapshot.find(byVariant),
      catalogue.upsert(large.slice(0, 40).map((vehicle) => ({ ...vehicle, variant: "!" }))),
    ]);
    const { turns, value } = await turnsDuring(asked);
    expect(turns).toBeGreaterThan(5);
    const [up, down, some, again] = value;
    const wanted = variants.slice(19_990).map(({ variant }) => variant);
    expect(up.vehicles.map(({ variant }) => variant)).toEqual(wanted);
    expect(ids(up.vehicles)).toEqual(ids(variants.slice(19_990)));
    expect(again).toEqual(up);
    expect(down.vehicles.at(-1)?.variant).toBe(variants[0]?.variant);
    expect(some.overallCount).toBe(variants.filter(({ variant }) => /^sport 9$/i.test(variant)).length);
    const conditions = [{ attribute: "variant", is: "in", values: ["!"] }] as const;
    expect((await snapshot.find({ ...page, conditions })).overallCount).toBe(0);
    expect((await catalogue.snapshot().find({ ...page, conditions })).overallCount).toBe(40);
  });

  test("are given up when nobody waits for the answer any more", async () => {
    const controller = new AbortController();
    const answer = catalogueFromVehicles(large).snapshot().find(byVariant, controller);
    controller.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
  });

  test("need no second reading after a replacement: what was asked before is ready", async () => {
    const catalogue = catalogueFromVehicles(large);
    await catalogue.snapshot().find(byVariant);
    await catalogue.replace(large.map((vehicle) => ({ ...vehicle, usable_battery_size: 1 })));
    let read = 0;
    for (const vehicle of catalogue.vehicles().slice(0, 100)) {
      const { variant } = vehicle;
      const get = (): string => {
        read++;
        return variant;
      };
      Object.defineProperty(vehicle, "variant", { get, enumerable: true });
    }
    expect(ids((await catalogue.snapshot().find(byVariant)).vehicles)).toEqual(ids(variants.slice(19_990)));
    expect(read).toBe(0);
  });
});

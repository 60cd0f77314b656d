import type { CatalogueSnapshot, VehicleSelection } from "../server/catalogue.js";
import { newerSnapshot } from "../server/http/failure.js";
import type { Vehicle } from "../vehicle.js";
import { type CatalogueCheck, firstPage, idOf, idsOf, same } from "./catalogue-check.js";

/** Versions, changes, and what stands in the way of an answer. */
export const changeChecks: readonly CatalogueCheck[] = [
  {
    title: "names its version in characters that an ETag may hold, and keeps the name as long as the data",
    async check({ catalogue }) {
      const { version } = await catalogue.snapshot();
      same([version, /^[A-Za-z0-9._-]{1,64}$/.test(version)], [version, true]);
      same((await catalogue.snapshot()).version, version);
    },
  },
  {
    title: "gives a row version for each vehicle or for none, the same whichever way the vehicle was found",
    async check({ catalogue, ordered }) {
      const snapshot = await catalogue.snapshot();
      const all = rowVersionsOf(await snapshot.find(firstPage));
      const found = [
        await snapshot.find({ ...firstPage, ids: ordered.slice(0, 5).map(idOf) }),
        await snapshot.search({ text: "borealis", ...firstPage }),
      ];
      for (const [id, rowVersion] of found.flatMap((selection) => [...rowVersionsOf(selection)])) {
        same([id, rowVersion], [id, all.get(id)]);
      }
    },
  },
  {
    title: "has another version and only the new vehicles after a replacement",
    async check({ catalogue, replace, ordered }) {
      if (replace === undefined) return;
      const before = await catalogue.snapshot();
      const kept = ordered.slice(0, 3);
      await replace(kept);
      const snapshot = await catalogue.snapshot();
      same(idsOf(await snapshot.find(firstPage)), kept.map(idOf));
      same((await snapshot.search({ text: "kestrel", ...firstPage })).overallCount, 0);
      same((await snapshot.brands()).length, new Set(kept.map(({ manufacturer }) => manufacturer.id)).size);
      same(snapshot.version === before.version, false);
    },
  },
  {
    title: "has a restricted version, if any, that depends on nothing but what every key sees",
    async check({ catalogue, replace, ordered }) {
      const before = await catalogue.snapshot();
      const { restrictedVersion } = before;
      if (restrictedVersion === undefined || replace === undefined) return;
      same([restrictedVersion, /^[A-Za-z0-9._-]{1,64}$/.test(restrictedVersion)], [restrictedVersion, true]);
      const [first, ...others] = ordered as readonly [Vehicle, ...Vehicle[]];
      await replace([{ ...first, ac_power_per_charging_point: { "3.7": 1.5 } }, ...others]);
      const hidden = await catalogue.snapshot();
      same([hidden.restrictedVersion, hidden.version === before.version], [restrictedVersion, false]);
      await replace([{ ...first, ac_max_power: 1.5 }, ...others]);
      same((await catalogue.snapshot()).restrictedVersion === restrictedVersion, false);
    },
  },
  {
    title: "answers the old version from an old snapshot, or says that it is superseded",
    async check({ catalogue, replace, ordered }) {
      if (replace === undefined) return;
      const before = await catalogue.snapshot();
      await replace(ordered.slice(0, 3));
      await sameOrRefused(["superseded"], () => before.find(firstPage), ordered);
      await sameOrRefused(
        ["superseded"],
        () => before.search({ text: "kestrel", ...firstPage }),
        ordered.filter(({ model }) => model === "Kestrel"),
      );
    },
  },
  {
    title:
      "has a snapshot that takes the place of a superseded one, if any, answer the same question as it is now",
    async check({ catalogue, replace, ordered }) {
      if (replace === undefined) return;
      const before = await catalogue.snapshot();
      const kept = ordered.slice(0, 3);
      await replace(kept);
      const outcome = await settled(async () => before.find(firstPage));
      const newer = outcome.status === "rejected" ? newerSnapshot(outcome.reason) : undefined;
      if (newer === undefined) return;
      same(idsOf(await newer.find(firstPage)), kept.map(idOf));
      same(newer.version, (await catalogue.snapshot()).version);
      await sameOrRefused(["superseded"], () => newer.find({ ...firstPage, offset: 1 }), kept.slice(1));
      await replace(ordered);
      await sameOrRefused(["superseded"], () => newer.find({ ...firstPage, offset: 1 }), kept.slice(1));
    },
  },
  {
    title: "gives a vehicle that changed another row version, and shows the change everywhere",
    async check({ catalogue, replace, ordered }) {
      if (replace === undefined) return;
      const [first, ...others] = ordered;
      if (first === undefined) return;
      const before = rowVersionsOf(await (await catalogue.snapshot()).find(firstPage));
      await replace([...others, { ...first, usable_battery_size: first.usable_battery_size + 1 }]);
      const snapshot = await catalogue.snapshot();
      const found = await snapshot.find({ ...firstPage, ids: [first.id] });
      same(found.vehicles[0]?.usable_battery_size, first.usable_battery_size + 1);
      const after = rowVersionsOf(found).get(first.id);
      same(after !== undefined && after === before.get(first.id), false);
    },
  },
  {
    title: "renames a brand, in its list and on its vehicles",
    async check({ catalogue, replace, ordered }) {
      if (replace === undefined) return;
      const [first] = ordered;
      if (first === undefined) return;
      const manufacturer = { ...first.manufacturer, name: "Zzz Works" };
      const renamed = ordered.map(
        (vehicle): Vehicle =>
          vehicle.manufacturer.id === manufacturer.id ? { ...vehicle, manufacturer } : vehicle,
      );
      const before = await catalogue.snapshot();
      await replace(renamed);
      const snapshot = await catalogue.snapshot();
      same(snapshot.version === before.version, false);
      same((await snapshot.brands()).at(-1), manufacturer);
      const last = (await snapshot.find(firstPage)).vehicles.at(-1);
      same(last?.manufacturer, manufacturer);
      same((await snapshot.search({ text: "zzz works", ...firstPage })).overallCount > 0, true);
    },
  },
  {
    title: "lets a vehicle go in the step in which its brand is renamed",
    async check({ catalogue, replace, ordered }) {
      if (replace === undefined) return;
      const brandOf = ({ manufacturer }: Vehicle): string => manufacturer.id;
      const shared = ordered.find(
        (vehicle, at) => ordered.findIndex((one) => brandOf(one) === brandOf(vehicle)) < at,
      );
      if (shared === undefined) return;
      const manufacturer = { ...shared.manufacturer, name: "Zzz Works" };
      const left = ordered
        .filter(({ id }) => id !== shared.id)
        .map(
          (vehicle): Vehicle =>
            brandOf(vehicle) === manufacturer.id ? { ...vehicle, manufacturer } : vehicle,
        );
      await replace(left);
      const snapshot = await catalogue.snapshot();
      same((await snapshot.find({ ...firstPage, ids: [shared.id] })).overallCount, 0);
      same((await snapshot.find(firstPage)).overallCount, left.length);
    },
  },
  {
    title: "ends a call whose signal is aborted, by an answer or by a rejection",
    async check({ catalogue }) {
      const call = { signal: AbortSignal.abort() };
      const ended = await Promise.allSettled([
        settled(async () => (await catalogue.snapshot(call)).find(firstPage, call)),
        settled(async () =>
          (await catalogue.snapshot(call)).search({ text: "borealis", ...firstPage }, call),
        ),
        settled(async () => (await catalogue.snapshot(call)).brands(call)),
      ]);
      same(ended.length, 3);
    },
  },
  {
    title: "says that it is unavailable while its source is away, or answers all the same; and recovers",
    async check({ catalogue, interrupt, ordered }) {
      if (interrupt === undefined) return;
      const restore = await interrupt();
      const find = async (): Promise<VehicleSelection> => (await catalogue.snapshot()).find(firstPage);
      await sameOrRefused(["unavailable"], find, ordered);
      await restore();
      same(idsOf(await answered(catalogue.snapshot.bind(catalogue))), ordered.map(idOf));
    },
  },
];

function rowVersionsOf({ vehicles, rowVersions }: VehicleSelection): ReadonlyMap<string, string | undefined> {
  if (rowVersions !== undefined) same(rowVersions.length, vehicles.length);
  return new Map(vehicles.map(({ id }, at) => [id, rowVersions?.[at]]));
}

/** An answer has to be of these vehicles; a refusal has to have one of these codes. */
async function sameOrRefused(
  codes: readonly string[],
  ask: () => PromiseLike<VehicleSelection> | VehicleSelection,
  expected: readonly Vehicle[],
): Promise<void> {
  const outcome = await settled(async () => ask());
  if (outcome.status === "fulfilled") {
    same(idsOf(outcome.value), expected.map(idOf));
  } else {
    const code: unknown = (outcome.reason as { readonly code?: unknown } | undefined)?.code;
    same([String(outcome.reason), codes.some((known) => known === code)], [String(outcome.reason), true]);
  }
}

async function settled<Value>(ask: () => Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [outcome] = await Promise.allSettled([ask()]);
  return outcome;
}

/** Asks until there is an answer: what has come back may take a while to be noticed. */
async function answered(
  snapshot: () => PromiseLike<CatalogueSnapshot> | CatalogueSnapshot,
): Promise<VehicleSelection> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const outcome = await settled(async () => (await snapshot()).find(firstPage));
    if (outcome.status === "fulfilled") return outcome.value;
    if (Date.now() > deadline) throw outcome.reason;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

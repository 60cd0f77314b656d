import type { AdditionalQuery, VehicleCondition, VehicleOrder } from "../server/catalogue.js";
import { foldText } from "../server/search/fold-text.js";
import type { Vehicle } from "../vehicle.js";
import {
  type CatalogueCheck,
  type CheckedCatalogue,
  firstPage,
  idOf,
  idsOf,
  same,
} from "./catalogue-check.js";

/** What a catalogue that says it understands a question beyond the documented API has to answer. */
export const additionalChecks: readonly CatalogueCheck[] = [
  {
    title: "finds by conditions on attributes, if it says that it understands them",
    async check(checked) {
      if (!understands(checked, "conditions")) return;
      const size = ({ usable_battery_size }: Vehicle): number => usable_battery_size;
      const bound = median(checked.ordered.map(size));
      for (const [condition, holds] of [
        [{ attribute: "usable_battery_size", is: "gte", bound }, (v) => size(v) >= bound],
        [{ attribute: "usable_battery_size", is: "gt", bound }, (v) => size(v) > bound],
        [{ attribute: "usable_battery_size", is: "lt", bound }, (v) => size(v) < bound],
        [{ attribute: "usable_battery_size", is: "lte", bound }, (v) => size(v) <= bound],
        [{ attribute: "ac_phases", is: "in", values: [1, 2] }, (v) => v.ac_phases < 3],
        [{ attribute: "dc_ports", is: "in", values: ["ccs"] }, (v) => v.dc_ports.includes("ccs")],
        [{ attribute: "dc_ports", is: "in", values: ["chademo"] }, (v) => v.dc_ports.includes("chademo")],
        [{ attribute: "type", is: "in", values: [] }, () => false],
        [{ attribute: "model", is: "in", values: ["mistral"] }, (v) => v.model.toLowerCase() === "mistral"],
        [
          { attribute: "manufacturer.name", is: "in", values: ["łódź"] },
          (v) => v.manufacturer.name === "Łódź",
        ],
        [{ attribute: "release_year", is: "in", values: [0, 2019] }, (v) => v.release_year === 2019],
        [{ attribute: "release_year", is: "lt", bound: 2020 }, (v) => v.release_year === 2019],
        [{ attribute: "dc_max_power", is: "gte", bound: 0 }, (v) => v.dc_max_power !== null],
        [
          { attribute: "energy_consumption.average_consumption", is: "lt", bound: 16 },
          (v) => v.energy_consumption.average_consumption < 16,
        ],
      ] as const satisfies readonly (readonly [VehicleCondition, (vehicle: Vehicle) => boolean])[]) {
        const snapshot = await checked.catalogue.snapshot();
        const found = await snapshot.find({ ...firstPage, conditions: [condition] });
        const expected = checked.ordered.filter(holds);
        same([condition, found.overallCount, idsOf(found)], [condition, expected.length, expected.map(idOf)]);
      }
    },
  },
  {
    title: "finds by several conditions, which must all hold, among what ids select, page by page",
    async check(checked) {
      if (!understands(checked, "conditions")) return;
      const { catalogue, ordered } = checked;
      const conditions: readonly VehicleCondition[] = [
        { attribute: "type", is: "in", values: ["car"] },
        { attribute: "ac_phases", is: "in", values: [1, 2] },
        { attribute: "dc_max_power", is: "lte", bound: 120 },
        { attribute: "dc_default_charging_curve", is: "in", values: [false] },
      ];
      const ids = ordered.filter((_, at) => at % 5 > 0).map(idOf);
      const expected = ordered.filter(
        (v) =>
          ids.includes(v.id) &&
          v.type === "car" &&
          v.ac_phases < 3 &&
          v.dc_max_power !== null &&
          v.dc_max_power <= 120,
      );
      const query = { conditions, ids: ids.toReversed(), offset: 1, limit: 3 };
      const found = await (await catalogue.snapshot()).find(query);
      same([idsOf(found), found.overallCount], [expected.slice(1, 4).map(idOf), expected.length]);
      same(expected.length > 4, true);
    },
  },
  {
    title: "orders as it is asked to, equals in the usual order, if it says that it understands that",
    async check(checked) {
      if (!understands(checked, "order")) return;
      const { catalogue, ordered } = checked;
      for (const order of orders) {
        const snapshot = await catalogue.snapshot();
        const expected = inOrder(ordered, order).map(idOf);
        same([order, idsOf(await snapshot.find({ ...firstPage, order }))], [order, expected]);
        const second = await snapshot.find({ order, offset: 3, limit: 9 });
        same([order, idsOf(second), second.overallCount], [order, expected.slice(3, 12), ordered.length]);
        const ids = ordered.filter((_, at) => at % 3 > 0).map(idOf);
        const some = await snapshot.find({ order, ids, offset: 2, limit: 9 });
        same([order, idsOf(some)], [order, expected.filter((id) => ids.includes(id)).slice(2, 11)]);
      }
    },
  },
  {
    title: "finds what has changed since a time, if it says that it understands that",
    async check(checked) {
      if (!understands(checked, "updatedSince")) return;
      const { catalogue, replace, ordered } = checked;
      const before = (await catalogue.snapshot()).updatedAt ?? Number.NaN;
      same(Number.isFinite(before), true);
      const all = await (await catalogue.snapshot()).find({ ...firstPage, updatedSince: 0 });
      same(idsOf(all), ordered.map(idOf));
      const [first] = ordered;
      if (replace === undefined || first === undefined) return;
      await replace(
        ordered.map((vehicle) => (vehicle === first ? { ...vehicle, ac_max_power: 1 } : vehicle)),
      );
      const snapshot = await catalogue.snapshot();
      const updatedSince = snapshot.updatedAt ?? Number.NaN;
      same(updatedSince > before, true);
      same(idsOf(await snapshot.find({ ...firstPage, updatedSince })), [first.id]);
      same(idsOf(await snapshot.find({ ...firstPage, updatedSince: before })), ordered.map(idOf));
      const later = await snapshot.find({ ...firstPage, updatedSince: updatedSince + 1 });
      same([idsOf(later), later.overallCount], [[], 0]);
      const other = await snapshot.find({ ...firstPage, updatedSince, ids: [ordered[1]?.id ?? ""] });
      same([idsOf(other), other.overallCount], [[], 0]);
    },
  },
];

function understands({ catalogue }: CheckedCatalogue, query: AdditionalQuery): boolean {
  return catalogue.understands?.includes(query) ?? false;
}

/** Numbers that may be missing, texts that differ in case and accents, ties, and several keys. */
const orders: readonly (readonly VehicleOrder[])[] = [
  [{ attribute: "dc_max_power", isDescending: true }],
  [{ attribute: "dc_max_power", isDescending: false }],
  [{ attribute: "usable_battery_size", isDescending: false }],
  [{ attribute: "model", isDescending: false }],
  [{ attribute: "variant", isDescending: true }],
  [{ attribute: "manufacturer.name", isDescending: true }],
  [{ attribute: "energy_consumption.average_consumption", isDescending: false }],
  [
    { attribute: "release_year", isDescending: true },
    { attribute: "type", isDescending: true },
    { attribute: "usable_battery_size", isDescending: false },
  ],
];

/** Vehicles in the usual order, ordered anew: what is equal stays as it was. */
function inOrder(ordered: readonly Vehicle[], order: readonly VehicleOrder[]): readonly Vehicle[] {
  return ordered.toSorted((a, b) => {
    for (const { attribute, isDescending } of order) {
      const [one, other] = [keyOf(a, attribute), keyOf(b, attribute)];
      if (one === other) continue;
      if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
      return one < other === isDescending ? 1 : -1;
    }
    return 0;
  });
}

function keyOf(vehicle: Vehicle, attribute: string): string | number | undefined {
  const members: Readonly<Record<string, string | number | null>> = {
    dc_max_power: vehicle.dc_max_power ?? null,
    usable_battery_size: vehicle.usable_battery_size,
    model: foldText(vehicle.model),
    variant: foldText(vehicle.variant),
    "manufacturer.name": foldText(vehicle.manufacturer.name),
    "energy_consumption.average_consumption": vehicle.energy_consumption.average_consumption,
    release_year: vehicle.release_year,
    type: vehicle.type,
  };
  return members[attribute] ?? undefined;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

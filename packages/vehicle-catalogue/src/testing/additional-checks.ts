import type { AdditionalQuery, VehicleCondition } from "../server/catalogue.js";
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
        [{ attribute: "type", is: "in", values: [] }, () => false],
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
    title: "orders as it is asked to, equals in the usual order, if it says that it understands that",
    async check(checked) {
      if (!understands(checked, "order")) return;
      const { catalogue, ordered } = checked;
      const power = ({ dc_max_power }: Vehicle): number => dc_max_power ?? Number.NEGATIVE_INFINITY;
      const order = [{ attribute: "dc_max_power", isDescending: true }];
      const expected = ordered.toSorted((a, b) => (power(a) === power(b) ? 0 : power(b) - power(a)));
      same(idsOf(await (await catalogue.snapshot()).find({ ...firstPage, order })), expected.map(idOf));
      const second = await (await catalogue.snapshot()).find({ order, offset: 3, limit: 2 });
      same(idsOf(second), expected.slice(3, 5).map(idOf));
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
    },
  },
];

function understands({ catalogue }: CheckedCatalogue, query: AdditionalQuery): boolean {
  return catalogue.understands?.includes(query) ?? false;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

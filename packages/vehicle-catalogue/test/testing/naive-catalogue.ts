import type { Brand, Vehicle } from "../../src/index.js";
import {
  type CatalogueSnapshot,
  catalogueFromVehicles,
  compareBrands,
  compareVehicles,
  type VehicleCondition,
  type VehicleOrder,
  type VehicleQuery,
  type VehicleSearch,
  type VehicleSelection,
} from "../../src/server/index.js";
import { foldText } from "../../src/server/search/fold-text.js";
import type { CatalogueUnderTest } from "../../src/testing/index.js";

/** What a catalogue is made of, each as short as can be; any part can be put in another's place. */
export interface Parts {
  compare(a: Vehicle, b: Vehicle): number;
  compareBrands(a: Brand, b: Brand): number;
  /** The brands of all vehicles, each once. */
  brandsOf(vehicles: readonly Vehicle[], former: readonly Vehicle[]): readonly Brand[];
  /** Whether a list of ids has one. */
  has(list: readonly string[], id: string): boolean;
  /** What ids and brands select. */
  select(ordered: readonly Vehicle[], query: VehicleQuery, parts: Parts): readonly Vehicle[];
  holds(condition: VehicleCondition, vehicle: Vehicle): boolean;
  /** Whether conditions hold, which each do or not. */
  together(held: readonly boolean[]): boolean;
  inOrder(vehicles: readonly Vehicle[], order: readonly VehicleOrder[]): readonly Vehicle[];
  isSince(changedAt: number, since: number): boolean;
  page(vehicles: readonly Vehicle[], query: { offset: number; limit: number }): readonly Vehicle[];
  count(found: readonly Vehicle[], page: readonly Vehicle[]): number;
  /** All that a search finds. */
  results(found: readonly Vehicle[], ordered: readonly Vehicle[], query: VehicleSearch): readonly Vehicle[];
  rowVersion(vehicle: Vehicle, at: number): string;
  version(number: number): string;
  restrictedVersion(vehicles: readonly Vehicle[], number: number): string;
  /** Which state a snapshot answers from. */
  stateOf<State>(taken: State, present: State): State;
}

export const rightParts: Parts = {
  compare: compareVehicles,
  compareBrands,
  brandsOf: (vehicles) => [...new Map(vehicles.map(({ manufacturer: m }) => [m.id, m])).values()],
  has: (list, id) => list.some((one) => one.toLowerCase() === id.toLowerCase()),
  select: (ordered, { ids, manufacturerIds }, { has }) =>
    ordered.filter(
      ({ id, manufacturer }) =>
        (ids === undefined || has(ids, id)) &&
        (manufacturerIds === undefined || has(manufacturerIds, manufacturer.id)),
    ),
  holds(condition, vehicle) {
    const values = [memberOf(vehicle, condition.attribute)].flat().filter((value) => value !== undefined);
    return values.some((value) => compared(condition, value));
  },
  together: (held) => held.every(Boolean),
  inOrder: (vehicles, order) =>
    vehicles.toSorted((a, b) => {
      for (const { attribute, isDescending } of order) {
        const [one, other] = [orderedBy(a, attribute), orderedBy(b, attribute)];
        if (one === other) continue;
        if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
        return one < other === isDescending ? 1 : -1;
      }
      return 0;
    }),
  isSince: (changedAt, since) => changedAt >= since,
  page: (vehicles, { offset, limit }) => vehicles.slice(offset, offset + limit),
  count: (found) => found.length,
  results: (found) => found,
  rowVersion: (vehicle) => JSON.stringify({ ...vehicle, manufacturer: vehicle.manufacturer.id }),
  version: (number) => `version-${number}`,
  restrictedVersion: (vehicles) =>
    digest(
      vehicles
        .toSorted(compareVehicles)
        .map(({ ac_power_per_charging_point: _, dc_charging_curve: __, ...seen }) => seen),
    ),
  stateOf: (taken) => taken,
};

/** A value of a vehicle by the name that conditions have for it; null is none. */
export function memberOf(vehicle: Vehicle, attribute: string): unknown {
  let value: unknown = vehicle;
  for (const name of attribute.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
  return value ?? undefined;
}

export function orderedBy(vehicle: Vehicle, attribute: string): string | number | undefined {
  const value = memberOf(vehicle, attribute);
  return typeof value === "string" ? foldText(value) : (value as number | undefined);
}

export function compared(condition: VehicleCondition, value: unknown): boolean {
  if (condition.is === "in") {
    return condition.values.includes(typeof value === "string" ? value.toLowerCase() : (value as number));
  }
  const [number, { bound, is }] = [value as number, condition];
  if (is === "gt" || is === "gte") return number > bound || (is === "gte" && number === bound);
  return number < bound || (is === "lte" && number === bound);
}

function digest(value: unknown): string {
  let hash = 7;
  for (const unit of JSON.stringify(value)) hash = (Math.imul(hash, 31) + unit.charCodeAt(0)) | 0;
  return `seen${hash >>> 0}`;
}

/** The contract as a program that is plainly so, with some parts in place of the right ones. */
export function naiveCatalogue(
  vehicles: readonly Vehicle[],
  others: Partial<Parts> = {},
): CatalogueUnderTest {
  const parts = { ...rightParts, ...others };
  interface State {
    readonly given: readonly Vehicle[];
    readonly former: readonly Vehicle[];
    readonly changedAt: ReadonlyMap<string, number>;
    readonly number: number;
  }
  const stateWith = (given: readonly Vehicle[], before?: State): State => {
    const number = (before?.number ?? 0) + 1;
    const known = new Map(before?.given.map((vehicle) => [vehicle.id, JSON.stringify(vehicle)]));
    const changedAt = new Map(
      given.map((vehicle) => {
        const isSame = known.get(vehicle.id) === JSON.stringify(vehicle);
        return [vehicle.id, isSame ? (before?.changedAt.get(vehicle.id) ?? 0) : number * 1000];
      }),
    );
    return { given, former: before?.given ?? [], changedAt, number };
  };
  let present = stateWith(vehicles);

  const snapshot = (): CatalogueSnapshot => {
    const taken = present;
    const state = (): State => parts.stateOf(taken, present);
    const ordered = (): readonly Vehicle[] => state().given.toSorted(parts.compare);
    const selection = (
      found: readonly Vehicle[],
      query: { offset: number; limit: number },
    ): VehicleSelection => {
      const page = parts.page(found, query);
      return {
        vehicles: page,
        rowVersions: page.map(parts.rowVersion),
        overallCount: parts.count(found, page),
      };
    };
    return {
      version: parts.version(taken.number),
      restrictedVersion: parts.restrictedVersion(taken.given, taken.number),
      updatedAt: taken.number * 1000,
      find(query) {
        const { conditions = [], order = [], updatedSince } = query;
        const found = parts
          .select(ordered(), query, parts)
          .filter((vehicle) => parts.together(conditions.map((condition) => parts.holds(condition, vehicle))))
          .filter(
            ({ id }) =>
              updatedSince === undefined || parts.isSince(state().changedAt.get(id) ?? 0, updatedSince),
          );
        return selection(order.length === 0 ? found : parts.inOrder(found, order), query);
      },
      search(query) {
        const all = catalogueFromVehicles(state().given).snapshot();
        const found = all.search({ text: query.text, offset: 0, limit: 25 }).vehicles;
        return selection(parts.results(found, ordered(), query), query);
      },
      brands: () => parts.brandsOf(state().given, state().former).toSorted(parts.compareBrands),
    };
  };
  return {
    catalogue: { snapshot, understands: ["conditions", "order", "updatedSince"] },
    replace(given) {
      present = stateWith(given, present);
    },
  };
}

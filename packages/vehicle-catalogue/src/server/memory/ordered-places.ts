import { itemsPerStep, type Sliced } from "../../records/sliced.js";
import type { Vehicle } from "../../vehicle.js";
import { foldText } from "../search/fold-text.js";
import { compareNames, compareWithinModel, keyOf, type OrderKey } from "../vehicle-order.js";
import { sorted } from "./sorted.js";

/** Vehicles of one brand and model, however these are written. */
interface Group extends Pick<OrderKey, "brand" | "model"> {
  /** Where they stand in the list. */
  readonly places: number[];
}

interface Member {
  readonly place: number;
  readonly key: OrderKey;
}

/**
 * The places of vehicles in a list, in the order of vehicles. Brands and models recur, so they are ordered first, once each;
 * then the vehicles of one model among themselves.
 */
export function* orderedPlaces(vehicles: readonly Vehicle[]): Sliced<readonly number[]> {
  const ordered: number[] = [];
  for (const group of yield* sorted(yield* grouped(vehicles), compareNames)) {
    const members: Member[] = [];
    for (const place of group.places) {
      members.push({ place, key: keyOf(vehicles[place] as Vehicle, group) });
      if (members.length % itemsPerStep === 0) yield;
    }
    for (const { place } of yield* sorted(members, compareMembers)) ordered.push(place);
  }
  return ordered;
}

function* grouped(vehicles: readonly Vehicle[]): Sliced<readonly Group[]> {
  const groups = new Map<string, Group>();
  /** The same by brand and model as they are written, so that few are folded. */
  const written = new Map<string, Map<string, Group>>();
  for (let place = 0; place < vehicles.length; place++) {
    if (place % itemsPerStep === 0) yield;
    const vehicle = vehicles[place] as Vehicle;
    const { manufacturer, model } = vehicle;
    const models = written.get(manufacturer.name) ?? new Map<string, Group>();
    let group = models.get(model);
    if (group === undefined) {
      group = groupOf(vehicle, groups);
      written.set(manufacturer.name, models.set(model, group));
    }
    group.places.push(place);
  }
  return [...groups.values()];
}

function groupOf({ manufacturer, model }: Vehicle, groups: Map<string, Group>): Group {
  const names = { brand: foldText(manufacturer.name), model: foldText(model) };
  const key = JSON.stringify(names);
  const group = groups.get(key) ?? { ...names, places: [] };
  groups.set(key, group);
  return group;
}

function compareMembers(a: Member, b: Member): number {
  return compareWithinModel(a.key, b.key);
}

import type { Vehicle } from "../../vehicle.js";
import type { VehicleQuery } from "../catalogue.js";
import { type Column, columnOf, orderedBy, satisfying } from "./column.js";
import type { TableState, VehicleTable } from "./vehicle-table.js";

/** Narrows places in the usual order down and orders them anew; undefined stands for all places, as they are. */
export type Refine = (
  places: ArrayLike<number> | undefined,
  query: VehicleQuery,
) => ArrayLike<number> | undefined;

/** Makes it for one state of a table. The columns that are asked about are made once: there are as many as attributes. */
export function refiner(table: VehicleTable, state: TableState): Refine {
  const { order } = state;
  const columns = new Map<string, Column>();
  const column = (attribute: string): Column => {
    const known = columns.get(attribute) ?? columnOf(vehiclesOf(table, state), order.length, attribute);
    columns.set(attribute, known);
    return known;
  };

  return (given, { conditions = [], order: by = [], updatedSince }) => {
    if (conditions.length === 0 && by.length === 0 && updatedSince === undefined) return given;
    let places: Uint32Array = given === undefined ? Uint32Array.from(order.keys()) : Uint32Array.from(given);
    for (const condition of conditions) {
      const asked = column(condition.attribute);
      const satisfied = satisfying(asked, condition);
      places = places.filter((place) => satisfied[asked.codes[place] ?? 0] === 1);
    }
    if (updatedSince !== undefined) {
      places = places.filter((place) => (table.times[order[place] ?? 0] ?? 0) >= updatedSince);
    }
    // The last key first: each pass keeps what the one before has ordered.
    for (const { attribute, isDescending } of by.toReversed()) {
      places = orderedBy(column(attribute), places, isDescending);
    }
    return places;
  };
}

function* vehiclesOf({ vehicles }: VehicleTable, { order }: TableState): Iterable<Vehicle> {
  for (const row of order) {
    const vehicle = vehicles[row];
    if (vehicle !== undefined) yield vehicle;
  }
}

import type { Sliced } from "../../records/sliced.js";
import type { VehicleQuery } from "../catalogue.js";
import type { Column } from "./column.js";
import type { TableState, VehicleTable } from "./vehicle-table.js";

/** Whether a query asks for more than what ids select. */
export function isRefined({ conditions, order, updatedSince }: VehicleQuery): boolean {
  return (conditions?.length ?? 0) > 0 || (order?.length ?? 0) > 0 || updatedSince !== undefined;
}

/** Narrows places in the usual order of one state of a table down, and orders them anew; undefined stands for all places. */
export function* refined(
  table: VehicleTable,
  { order: rows, rows: known }: TableState,
  given: ArrayLike<number> | undefined,
  { conditions = [], order = [], updatedSince }: VehicleQuery,
): Sliced<Uint32Array> {
  function* column(attribute: string): Sliced<Column> {
    const found = table.column(attribute);
    yield* found.grow(table.vehicles, known);
    return found;
  }
  let places = given === undefined ? upTo(rows.length) : Uint32Array.from(given);
  for (const condition of conditions) {
    places = yield* (yield* column(condition.attribute)).satisfying(places, rows, condition);
    yield;
  }
  if (updatedSince !== undefined) {
    places = places.filter((place) => (table.times[rows[place] ?? 0] ?? 0) >= updatedSince);
  }
  // The last key first: each pass keeps what the one before has ordered.
  for (const { attribute, isDescending } of order.toReversed()) {
    places = yield* (yield* column(attribute)).ordered(places, rows, isDescending);
  }
  return places;
}

function upTo(length: number): Uint32Array {
  const places = new Uint32Array(length);
  for (let place = 0; place < length; place++) places[place] = place;
  return places;
}

import type { Vehicle } from "../vehicle.js";
import { BoundedReport } from "./bounded-report.js";
import type { Report } from "./check-value.js";
import type { CorrectionSheet } from "./corrections.js";
import { ListedBrands, manufacturerOf } from "./listed-brands.js";
import type { RecordProblem, RecordRepair } from "./record-problem.js";
import { itemsPerStep, type Sliced } from "./sliced.js";
import type { ReportRepair } from "./tidy.js";
import { VehicleReader } from "./vehicle-reader.js";
import type { VehicleRules } from "./vehicle-rules.js";

/** What came of reading a list of records. */
export interface ReadVehicles {
  /** The records without problems, in the order of the list. */
  readonly vehicles: readonly Vehicle[];
  /** Per vehicle: the position of its record in the list, from 0. */
  readonly indexes: readonly number[];
  /** What is wrong, a thousand entries at most; a record with a problem is left out. */
  readonly problems: readonly RecordProblem[];
  /** The values that were mended, a thousand entries at most. */
  readonly repairs: readonly RecordRepair[];
  /** How many more problems and repairs there were. */
  readonly omitted: Readonly<Record<"problems" | "repairs", number>>;
}

/** Checks records of unknown origin, in steps. Ids may differ in more than letter case only, and a brand has one name. */
export function* readingVehicles(
  records: Iterable<unknown>,
  rules?: VehicleRules,
  corrections?: Pick<CorrectionSheet, "apply">,
): Sliced<ReadVehicles> {
  const vehicles: Vehicle[] = [];
  const indexes: number[] = [];
  const problems = new BoundedReport<RecordProblem>();
  const repairs = new BoundedReport<RecordRepair>();
  const seen = new Map<string, number>();
  const brands = new ListedBrands();
  /**
   * Places of vehicles whose brand has another id by a correction, if only in other letters. How that is spelled, and what the brand is
   * called, is for its own vehicles to say.
   */
  const moved: number[] = [];
  let index = -1;
  let record: unknown;
  const mended: ReportRepair = (field, message, from, to) =>
    repairs.add({ index, ...idOf(record), field, message, from, to });
  const failed: Report = (field, message) => problems.add({ index, ...idOf(record), field, message });
  const reader = new VehicleReader(failed, mended, rules);
  const isShared = (vehicle: Vehicle, at: number, isCorrected = false): boolean => {
    const odd = brands.share(vehicle, at, isCorrected);
    if (odd !== undefined) problems.add({ index: at, id: vehicle.id, ...odd });
    return odd === undefined;
  };
  for (const given of records) {
    if (++index % itemsPerStep === 0) yield;
    record = given;
    if (corrections !== undefined) record = corrections.apply(given, mended);
    const vehicle = reader.read(record);
    const change = record === given ? undefined : brandChange(given, record);
    // A record that is wrong says what its brand is called all the same.
    if (change?.isOther === false) brands.rename(change.to, change.from.name);
    if (vehicle === undefined) continue;
    const key = vehicle.id.toLowerCase();
    const before = seen.get(key);
    if (before !== undefined) {
      problems.add({ index, id: vehicle.id, field: "id", message: `is the id of record ${before} already` });
      continue;
    }
    if (change !== undefined && change.from.id !== change.to.id) moved.push(vehicles.length);
    else if (!isShared(vehicle, index)) continue;
    seen.set(key, index);
    vehicles.push(vehicle);
    indexes.push(index);
  }
  const odd = moved.filter((place) => !isShared(vehicles[place] as Vehicle, indexes[place] as number, true));
  for (const place of odd.reverse()) {
    vehicles.splice(place, 1);
    indexes.splice(place, 1);
    yield;
  }
  const omitted = { problems: problems.omitted, repairs: repairs.omitted };
  return { vehicles, indexes, problems: problems.items, repairs: repairs.items, omitted };
}

/** How a correction changed the brand of a record: to another one, or to another name of it. */
function brandChange(before: unknown, after: unknown) {
  const [from, to] = [manufacturerOf(before), manufacturerOf(after)];
  if (from === undefined || to === undefined) return undefined;
  return { from, to, isOther: from.id.toLowerCase() !== to.id.toLowerCase() };
}

function idOf(record: unknown): { readonly id?: string } {
  if (typeof record !== "object" || record === null || !("id" in record)) return {};
  return typeof record.id === "string" && record.id.length <= 200 ? { id: record.id } : {};
}

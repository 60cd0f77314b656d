import { CatalogueError } from "../catalogue-error.js";
import { BoundedReport, mostReported } from "../records/bounded-report.js";
import { isRecord } from "../records/check-value.js";
import type { CorrectionSheet } from "../records/corrections.js";
import { type ReadVehicles, readingVehicles } from "../records/read-vehicles.js";
import type { RecordProblem, RecordRepair } from "../records/record-problem.js";
import { atOnce, type Sliced } from "../records/sliced.js";
import type { VehicleRules } from "../records/vehicle-rules.js";

/** What came of reading an Open EV Data file. Fields in problems and repairs are spelled as in the file. */
export interface OpenEvData extends ReadVehicles {
  /** `meta.updated_at` of the file. */
  readonly updatedAt?: string;
}

/** Whether a parsed JSON file looks like an Open EV Data file: two lists, vehicles under `data` and `brands`. */
export function isOpenEvData(
  file: unknown,
): file is { data: readonly unknown[]; brands: readonly unknown[] } {
  return isRecord(file) && Array.isArray(file.data) && Array.isArray(file.brands);
}

/**
 * Maps a parsed Open EV Data file (`ev-data.json`) to vehicles and mends what is known to be wrong in such files: blanks
 * around texts, ports out of order, and consumption in Wh/km where kWh/100 km is meant.
 */
export function vehiclesFromOpenEvData(file: unknown): OpenEvData {
  return atOnce(readingOpenEvData(file));
}

/** The same, in steps. */
export function* readingOpenEvData(
  file: unknown,
  rules?: VehicleRules,
  corrections?: CorrectionSheet,
): Sliced<OpenEvData> {
  if (!isOpenEvData(file)) {
    throw new CatalogueError(
      "invalid_data",
      'not an Open EV Data file: the lists "data" and "brands" are missing',
    );
  }
  const consumptions = new BoundedReport<RecordRepair>();
  const { vehicles, indexes, problems, repairs, omitted } = yield* readingVehicles(
    records(file.data, namesOf(file.brands), consumptions, rules),
    rules,
    corrections && { apply: (record, report) => corrections.apply(record, report, inKwh) },
  );
  const updatedAt = member(member(file, "meta"), "updated_at");
  const mended = [...consumptions.items, ...repairs.map(inTermsOfTheFile)].sort((a, b) => a.index - b.index);
  const more = Math.max(0, mended.length - mostReported) + consumptions.omitted;
  return {
    vehicles,
    indexes,
    problems: problems.map(inTermsOfTheFile),
    repairs: mended.slice(0, mostReported),
    omitted: { ...omitted, repairs: omitted.repairs + more },
    ...(typeof updatedAt === "string" ? { updatedAt } : {}),
  };
}

/** The entries as records, each when it is its turn. */
function* records(
  entries: readonly unknown[],
  brandNames: ReadonlyMap<unknown, unknown>,
  consumptions: BoundedReport<RecordRepair>,
  rules: VehicleRules | undefined,
): Generator<unknown> {
  for (const [index, entry] of entries.entries()) {
    const record = isRecord(entry) ? toRecord(entry, brandNames, rules) : entry;
    if (!isRecord(record)) {
      yield record;
      continue;
    }
    const mended = consumptionInKwh(record.energy_consumption);
    if (mended !== undefined) consumptions.add({ index, ...idOf(entry), ...mended });
    yield inKwh(record, mended);
  }
}

/** The record with its consumption as the API has it. */
function inKwh(
  record: Readonly<Record<string, unknown>>,
  mended = consumptionInKwh(record.energy_consumption),
): Readonly<Record<string, unknown>> {
  if (mended === undefined) return record;
  return {
    ...record,
    energy_consumption: { ...Object(record.energy_consumption), average_consumption: mended.to },
  };
}

/** Where the file has what the API calls differently. */
const fileFields: Readonly<Record<string, string>> = {
  type: "vehicle_type",
  ev_type: "type",
  ac_phases: "ac_charger.usable_phases",
  ac_ports: "ac_charger.ports",
  ac_max_power: "ac_charger.max_power",
  ac_power_per_charging_point: "ac_charger.power_per_charging_point",
  dc_ports: "dc_charger.ports",
  dc_max_power: "dc_charger.max_power",
  dc_charging_curve: "dc_charger.charging_curve",
  dc_default_charging_curve: "dc_charger.is_default_charging_curve",
  "manufacturer.id": "brand_id",
  "manufacturer.name": "brand",
};

function toRecord(
  entry: Readonly<Record<string, unknown>>,
  brandNames: ReadonlyMap<unknown, unknown>,
  rules: VehicleRules | undefined,
): Readonly<Record<string, unknown>> {
  const brandId = member(entry, "brand_id");
  const record: Record<string, unknown> = {
    manufacturer: { id: brandId, name: brandNames.get(brandId) ?? member(entry, "brand") },
  };
  const same = ["id", "model", "release_year", "variant", "usable_battery_size", "energy_consumption"];
  for (const name of [...same, ...(rules?.added ?? [])]) record[name] = member(entry, name);
  for (const { name, path } of movedAttributes) record[name] = path.reduce(member, entry);
  return record;
}

const movedAttributes: readonly { readonly name: string; readonly path: readonly string[] }[] =
  Object.entries(fileFields)
    .filter(([name]) => !name.startsWith("manufacturer."))
    .map(([name, path]) => ({ name, path: path.split(".") }));

/** An own member of an object, or undefined where there is no object or no such member. */
function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function namesOf(brands: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  return new Map(brands.map((brand) => [member(brand, "id"), member(brand, "name")]));
}

/** Ten values of the last file are ten times what any vehicle needs; divided by ten they agree with their siblings. */
function consumptionInKwh(
  consumption: unknown,
):
  | { readonly field: string; readonly message: string; readonly from: number; readonly to: number }
  | undefined {
  const value = member(consumption, "average_consumption");
  if (typeof value !== "number" || value <= 60 || value > 600) return undefined;
  return {
    field: "energy_consumption.average_consumption",
    message: "was in Wh/km, not in kWh/100 km",
    from: value,
    // Through a text, because 187 / 10 need not be the number that is written 18.7.
    to: Number((value / 10).toPrecision(12)),
  };
}

function idOf(entry: unknown): { readonly id?: string } {
  const id = member(entry, "id");
  return typeof id === "string" ? { id } : {};
}

function inTermsOfTheFile<Problem extends RecordProblem>(problem: Problem): Problem {
  for (const [name, path] of Object.entries(fileFields)) {
    if (
      problem.field === name ||
      problem.field.startsWith(`${name}[`) ||
      problem.field.startsWith(`${name}.`)
    ) {
      return { ...problem, field: path + problem.field.slice(name.length) };
    }
  }
  return problem;
}

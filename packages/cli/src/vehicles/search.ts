import { resolve } from "node:path";
import type { Vehicle } from "@wye/vehicle-catalogue";
import { readCatalogueFile } from "@wye/vehicle-catalogue/server";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { printable } from "../printable.js";
import { orUsageError } from "./catalogue-file.js";
import { readCorrections, staleHint } from "./corrections.js";

/** Prints the vehicles of a file that match best; ends with 1 when none does. */
export async function searchVehicles(
  file: string,
  text: string,
  options: { readonly size: number; readonly json?: boolean; readonly corrections?: string },
  host: Host,
): Promise<ExitCode> {
  const { size, json } = options;
  const how = await readCorrections(options.corrections, host);
  const catalogue = await orUsageError(() => readCatalogueFile(resolve(host.cwd, file), how));
  const hint = staleHint(catalogue.report);
  if (hint !== undefined) host.err.write(`${hint}\n`);
  const { vehicles: found } = catalogue.snapshot().search({ text, offset: 0, limit: size });
  if (json) host.out.write(`${JSON.stringify(found, undefined, 2)}\n`);
  else if (found.length > 0) host.out.write(table(found));
  else host.err.write("wye: nothing is like that\n");
  return found.length > 0 ? 0 : 1;
}

function table(vehicles: readonly Vehicle[]): string {
  const rows = vehicles.map(({ id, manufacturer, model, variant, usable_battery_size: size }) => [
    [manufacturer?.name, model, variant].filter((part) => part).join(" "),
    size === undefined || size === null ? "" : `${size} kWh`,
    id,
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((cell, i) => printable(cell).padEnd(widths[i] ?? 0)).join("  ")}\n`)
    .join("");
}

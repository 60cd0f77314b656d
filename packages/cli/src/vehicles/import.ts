import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readCatalogueFile } from "@wye/vehicle-catalogue/server";
import { type ExitCode, UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { orUsageError } from "./catalogue-file.js";
import { reportText } from "./check.js";

/** The options of `wye vehicles import`. */
export interface ImportOptions {
  readonly to?: string;
  readonly merge?: boolean;
}

/** Imports a file into a database, or writes it as a plain list. Ends with 1 when records were left out. */
export async function importVehicleFile(
  file: string,
  { to, merge }: ImportOptions,
  host: Host,
): Promise<ExitCode> {
  const catalogue = await orUsageError(() => readCatalogueFile(resolve(host.cwd, file)));
  const { report } = catalogue;
  if (to === undefined) {
    const { added, changed, removed } = await intoDatabase(file, merge === true, host);
    host.err.write(`${added} added, ${changed} changed, ${removed} removed\n`);
  } else {
    const text = `${JSON.stringify({ vehicles: catalogue.vehicles() }, undefined, 2)}\n`;
    if (to === "-") host.out.write(text);
    else await writeText(resolve(host.cwd, to), text);
  }
  host.err.write(reportText(report));
  return report.problems.length > 0 ? 1 : 0;
}

async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${messageOf(error)}`);
  }
}

async function intoDatabase(file: string, merge: boolean, { cwd, env }: Host) {
  const { DATABASE_URL: connectionString } = env;
  if (!connectionString) throw new UsageError("set DATABASE_URL to the database, or write a list with --to");
  const { importVehicles, migrate } = await loadPostgres();
  const connection = { connectionString };
  const data: unknown = JSON.parse(await readFile(resolve(cwd, file), "utf8"));
  try {
    await migrate(connection);
    return await importVehicles(connection, data, merge ? { mode: "merge" } : {});
  } catch (error) {
    throw new UsageError(`the database: ${messageOf(error)}`);
  }
}

async function loadPostgres() {
  try {
    return await import("@wye/vehicle-postgres");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    throw new UsageError("PostgreSQL needs a package of its own: npm install @wye/vehicle-postgres");
  }
}

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Vehicle } from "@wye/vehicle-catalogue";
import { CatalogueError, readCatalogueFile } from "@wye/vehicle-catalogue/server";
import { type ExitCode, UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { loadOptional } from "../load-optional.js";
import { messageOf } from "../message-of.js";
import { printable } from "../printable.js";
import { replaceFile } from "../replace-file.js";
import { orUsageError, refuseNoneRight } from "./catalogue-file.js";
import { reportText } from "./check.js";
import { readCorrections } from "./corrections.js";

/** The options of `wye vehicles import`. */
export interface ImportOptions {
  readonly corrections?: string;
  readonly to?: string;
  readonly merge?: boolean;
  readonly leastShare?: number;
  readonly json?: boolean;
}

/** Imports a file into a database, or writes it as a plain list. Ends with 1 when records were left out. */
export async function importVehicleFile(file: string, options: ImportOptions, host: Host): Promise<ExitCode> {
  const { to, json } = options;
  if (to === "-" && json)
    throw new UsageError("--json prints the report where --to - prints the list: leave out one");
  if (to !== undefined && options.merge)
    throw new UsageError(
      "--merge is for a database: a list written with --to has what is in the file, no more",
    );
  const how = await readCorrections(options.corrections, host);
  // Before a long report of which nothing comes.
  if (to === undefined && !host.env.DATABASE_URL)
    throw new UsageError("set DATABASE_URL to the database, or write a list with --to");
  const catalogue = await orUsageError(() => readCatalogueFile(resolve(host.cwd, file), how));
  const { report } = catalogue;
  // Before anything that may fail because of what it says.
  if (!json) host.err.write(reportText(report));
  refuseNoneRight(file, report);
  if (to === undefined) {
    const imported = await intoDatabase(catalogue.vehicles(), options, host);
    if (json) host.out.write(reportJson({ report, imported }));
    else host.err.write(importText(imported));
    return report.problems.length + imported.problems.length > 0 ? 1 : 0;
  }
  if (report.loaded === 0 && options.leastShare !== 0)
    throw new UsageError(
      `${printable(file)} has no vehicles; --least-share 0 writes an empty list nevertheless`,
    );
  if (to !== "-") await refuseFewer(report.loaded, resolve(host.cwd, to), options);
  const text = `${JSON.stringify({ vehicles: catalogue.vehicles() }, undefined, 2)}\n`;
  if (to === "-") host.out.write(text);
  else await writeText(resolve(host.cwd, to), text);
  if (json) host.out.write(reportJson({ report }));
  return report.problems.length > 0 ? 1 : 0;
}

const reportJson = (all: object) => `${JSON.stringify(all, undefined, 2)}\n`;

function importText({ added, changed, removed, problems }: Imported): string {
  const wrong = problems.map(
    ({ id, field, message }) => `wrong: ${printable(`${id}: ${field} ${message}`)}\n`,
  );
  return `${wrong.join("")}${added} added, ${changed} changed, ${removed} removed\n`;
}

/** Of a list that is written, a share is only asked for where one was given: it may be a file of any other kind. */
async function refuseFewer(loaded: number, to: string, { leastShare = 0 }: ImportOptions): Promise<void> {
  if (leastShare === 0 || !existsSync(to)) return;
  const present = (await orUsageError(() => readCatalogueFile(to))).report.loaded;
  if (loaded >= present * leastShare) return;
  throw new UsageError(
    `${loaded} vehicles would replace the ${present} of ${printable(to)}; --least-share 0 takes them nevertheless`,
  );
}

async function writeText(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${messageOf(error)}`);
  }
}

type Imported = Awaited<ReturnType<typeof intoDatabase>>;

async function intoDatabase(
  vehicles: readonly Vehicle[],
  { merge = false, leastShare }: ImportOptions,
  { env }: Host,
) {
  const { DATABASE_URL: connectionString = "" } = env;
  const { importVehicles, migrate } = await loadPostgres();
  const connection = { connectionString };
  try {
    await migrate(connection);
    return await importVehicles(connection, vehicles, {
      mode: merge ? "merge" : "replace",
      ...(leastShare === undefined ? {} : { leastShare }),
    });
  } catch (error) {
    const isShrunk = error instanceof CatalogueError && error.code === "shrunk";
    const remedy = isShrunk ? "; --least-share 0 takes them nevertheless" : "";
    throw new UsageError(`the database: ${messageOf(error)}${remedy}`);
  }
}

function loadPostgres() {
  return loadOptional("PostgreSQL", ["@wye/vehicle-postgres"], () => import("@wye/vehicle-postgres"));
}

import { type Command, InvalidArgumentError } from "commander";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { portNumber } from "../port-number.js";

/** What a command of vehicles is added to, and what it needs. */
interface CommandParts {
  readonly vehicles: Command;
  readonly host: Host;
  readonly end: (code: ExitCode) => void;
}

const file = "a JSON file: Open EV Data, or a list of vehicles";
const corrections = [
  "--corrections <file>",
  "a JSON file of corrections of it: [{ id, set: { field: value } }, …]",
] as const;

/** Adds `wye vehicles …`. */
export function addVehicleCommands(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const vehicles = program.command("vehicles").description("a catalogue of electric vehicles");
  for (const add of [addServe, addSearch, addCheck, addImport]) add({ vehicles, host, end });
}

function addServe({ vehicles, host, end }: CommandParts): void {
  vehicles
    .command("serve")
    .summary("serve a file as the documented API")
    .description(
      "Serves a file as the documented API, and reads it anew whenever it changes. Keys come from a file, which is followed, too, or from the variable WYE_VEHICLE_KEYS with commas between them. Corrections are read once, at the start.",
    )
    .argument("<file>", file)
    .option(...corrections)
    .option("--keys <file>", "a file of keys: one a line, with its groups if it has not all of them")
    .option("--port <n>", "listen on this port", portNumber, 8080)
    .option("--host <address>", "listen on this interface only")
    .option("--prefix <path>", "a path such as /api under which everything is")
    .option(
      "--rate-limit <n>",
      "how many requests a key may make in a minute; five times as many after a rest",
      wholeNumber,
    )
    .option("--additions", "also take what the API does not document: attribute filters, sort, updated_since")
    .option("--json", "print where it listens and what it serves as a line of JSON, once it does")
    .addHelpText(
      "after",
      "\nExamples:\n  WYE_VEHICLE_KEYS=secret wye vehicles serve ev-data.json\n  WYE_VEHICLE_KEYS=secret wye vehicles serve ev-data.json --port 0 --json\n",
    )
    .action(async (path: string, options) => {
      const { serveVehicles } = await import("./serve.js");
      end(await serveVehicles(path, options, host));
    });
}

function addSearch({ vehicles, host, end }: CommandParts): void {
  vehicles
    .command("search")
    .summary("search a file from the terminal")
    .description("Prints the vehicles of a file that match best, as the API would answer them.")
    .argument("<file>", file)
    .argument("<words...>", "what to look for; mistakes of typing are forgiven")
    .option(...corrections)
    .option("--size <n>", "how many are printed, 25 at most", sizeOfSearch, 10)
    .option("--json", "as JSON, with all attributes")
    .addHelpText("after", "\nExample:\n  wye vehicles search ev-data.json VW ID3\n")
    .action(async (path: string, words: string[], options) => {
      const { searchVehicles } = await import("./search.js");
      end(await searchVehicles(path, words.join(" "), options, host));
    });
}

function addCheck({ vehicles, host, end }: CommandParts): void {
  vehicles
    .command("check")
    .summary("find what is wrong with a file, and what would be mended")
    .description(
      "Finds what is wrong with the records of a file, and what would be mended when it is loaded. Ends with 1 when a record is wrong, or when there is none.",
    )
    .argument("<file>", file)
    .option(...corrections)
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  wye vehicles check ev-data.json\n  wye vehicles check ev-data.json --corrections corrections.json\n",
    )
    .action(async (path: string, options) => {
      const { checkVehicles } = await import("./check.js");
      end(await checkVehicles(path, options, host));
    });
}

function addImport({ vehicles, host, end }: CommandParts): void {
  vehicles
    .command("import")
    .summary("import a file into a database, or make a plain list of it")
    .description(
      "Imports a file into the PostgreSQL database that the variable DATABASE_URL names, or writes it as a plain list of vehicles, checked and mended. Ends with 1 when a record is wrong.",
    )
    .argument("<file>", file)
    .option(...corrections)
    .option("--to <file>", "write a plain list instead; - is the standard output")
    .option("--merge", "take nothing out of the database")
    .option(
      "--least-share <share>",
      "least share of the vehicles that are there; 0 for any (default: 0.5; with --to, where it is given)",
      share,
    )
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  DATABASE_URL=postgres://localhost/cars wye vehicles import ev-data.json\n  wye vehicles import ev-data.json --to vehicles.json\n",
    )
    .action(async (path: string, options) => {
      const { importVehicleFile } = await import("./import.js");
      end(await importVehicleFile(path, options, host));
    });
}

function share(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError("It is a number from 0 to 1.");
  return value;
}

/** The API gives no more of a search. */
const mostFound = 25;

function sizeOfSearch(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > mostFound)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${mostFound}.`);
  return value;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It is a whole number from 1.");
  return value;
}

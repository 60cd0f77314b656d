import { invalidOptions } from "../error.js";
import { unusableNames } from "./environment-names.js";
import { OptionReader } from "./option-reader.js";
import type { EnvironmentChanges, EnvironmentOptions } from "./options.js";
import { environmentFrom, newEnvironment } from "./read-environment.js";
import type { ResolvedEnvironment } from "./resolved-options.js";

/** What may be changed while the environment runs. */
const changeableNames = [
  "sdkKey",
  "mobileKey",
  "furtherSdkKeys",
  "furtherMobileKeys",
  "secureMode",
  "ttl",
  "allowedOrigins",
  "allowedHeaders",
  "filters",
  "clientStream",
  "about",
] satisfies (keyof EnvironmentChanges)[];
/** What an environment is made of from its start to its end. */
const lastingNames = ["envId", "source", "store", "bigSegments"] satisfies (keyof EnvironmentOptions)[];

/** The options of each environment that a relay starts with. */
export function environmentsFrom(options: OptionReader): Map<string, ResolvedEnvironment> {
  const reader = options.section("environments", undefined);
  return new Map(
    reader.names().map((name) => {
      const section = reader.section(name, [...changeableNames, ...lastingNames]);
      section.demandObject();
      return [name, environmentFrom(section, newEnvironment)];
    }),
  );
}

/** Checks the options of one environment that joins a running relay. */
export function resolveEnvironment(name: string, options: EnvironmentOptions): ResolvedEnvironment {
  const reader = new OptionReader(options, placeOf(name));
  reader.demandObject();
  reader.onlyThese([...changeableNames, ...lastingNames]);
  return checked(name, reader, environmentFrom(reader, newEnvironment));
}

/** Checks what is to be changed of an environment and gives all of its options as they are afterwards. */
export function resolveChanges(
  name: string,
  changes: EnvironmentChanges,
  present: ResolvedEnvironment,
): ResolvedEnvironment {
  const reader = new OptionReader(changes, placeOf(name));
  reader.demandObject();
  for (const lasting of reader.names().filter((one) => lastingNames.some((known) => known === one)))
    reader.report(
      lasting,
      "cannot be changed while the environment runs; remove the environment and add it again",
    );
  reader.onlyThese(changeableNames, lastingNames);
  return checked(name, reader, environmentFrom(reader, present));
}

function placeOf(name: string): string {
  return `environment ${JSON.stringify(name)}`;
}

function checked(name: string, reader: OptionReader, resolved: ResolvedEnvironment): ResolvedEnvironment {
  const problems = [...reader.problems, ...unusableNames([[name, resolved]])];
  if (problems.length > 0) throw invalidOptions(problems);
  return resolved;
}

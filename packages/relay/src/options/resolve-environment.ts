import type { AcceptedKey, EnvironmentKeys } from "../credentials.js";
import { invalidOptions } from "../error.js";
import { unusableNames } from "./environment-names.js";
import { OptionReader } from "./option-reader.js";
import type { EnvironmentChanges, EnvironmentOptions } from "./options.js";
import { headerProblem, originProblem } from "./page-rules.js";
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

/** What an environment is as long as nothing is set. */
const newEnvironment: ResolvedEnvironment = {
  keys: { sdkKey: "", further: [] },
  secureMode: false,
  ttlMs: 0,
  allowedOrigins: [],
  allowedHeaders: [],
  filters: [],
  clientStream: "evaluated",
};

/** Reads the options of an environment; what is not there stays as it is. */
function environmentFrom(reader: OptionReader, present: ResolvedEnvironment): ResolvedEnvironment {
  const source = reader.function<EnvironmentOptions["source"]>("source", present.source);
  const store = reader.function<EnvironmentOptions["store"]>("store", present.store);
  const bigSegments = reader.function<EnvironmentOptions["bigSegments"]>("bigSegments", present.bigSegments);
  return {
    keys: keysFrom(reader, present.keys),
    secureMode: reader.boolean("secureMode", present.secureMode),
    ttlMs: reader.duration("ttl", present.ttlMs),
    allowedOrigins: reader.strings("allowedOrigins", present.allowedOrigins, originProblem),
    allowedHeaders: reader.strings("allowedHeaders", present.allowedHeaders, headerProblem),
    filters: reader.strings("filters", present.filters, filterProblem),
    clientStream: reader.oneOf("clientStream", ["evaluated", "ping"], present.clientStream),
    ...(source === undefined ? {} : { source }),
    ...(store === undefined ? {} : { store }),
    ...(bigSegments === undefined ? {} : { bigSegments }),
  };
}

/** A filter stands in addresses. */
function filterProblem(filter: string): string | undefined {
  return filter.isWellFormed() ? undefined : "half a character stands in no address";
}

function keysFrom(reader: OptionReader, present: EnvironmentKeys): EnvironmentKeys {
  const required = present.sdkKey === "" ? "is required: the key of server-side SDKs" : undefined;
  const mobileKey = reader.isNull("mobileKey")
    ? undefined
    : (reader.credential("mobileKey") ?? present.mobileKey);
  const envId = reader.credential("envId") ?? present.envId;
  const sdkKey = reader.credential("sdkKey", required) ?? present.sdkKey;
  const further = (["sdkKey", "mobileKey"] as const).flatMap((kind): readonly AcceptedKey[] => {
    const name = kind === "sdkKey" ? "furtherSdkKeys" : "furtherMobileKeys";
    const first = kind === "sdkKey" ? sdkKey : mobileKey;
    const given = reader.keys(name)?.map((key) => ({ ...key, kind }));
    if (given === undefined) return present.further.filter((key) => key.kind === kind && key.value !== first);
    const values = [first, ...given.map(({ value }) => value)];
    if (new Set(values).size < values.length) reader.report(name, "lists a key that is there already");
    return given;
  });
  return {
    sdkKey,
    ...(mobileKey === undefined ? {} : { mobileKey }),
    ...(envId === undefined ? {} : { envId }),
    further,
  };
}

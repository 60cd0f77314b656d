import type { AcceptedKey, EnvironmentKeys, OwnKeys } from "../credentials.js";
import { aboutNames, type EnvironmentAbout } from "../environment-about.js";
import { hasOwnFlags } from "../sources/own-flags.js";
import { OptionReader } from "./option-reader.js";
import { headerProblem, originProblem } from "./page-rules.js";
import type { EnvironmentDefaults, ResolvedEnvironment } from "./resolved-options.js";

/** What an environment is as long as nothing is set. */
export const newEnvironment: ResolvedEnvironment = {
  keys: { sdkKey: "", further: [] },
  secureMode: false,
  ttlMs: 0,
  allowedOrigins: [],
  allowedHeaders: [],
  filters: [],
  clientStream: "evaluated",
  about: {},
};

/** Stands for keys that come later. */
const anyKeys: EnvironmentKeys = { sdkKey: "later", further: [] };

/** Reads the options of an environment; what is not there stays as it is. */
export function environmentFrom(reader: OptionReader, present: ResolvedEnvironment): ResolvedEnvironment {
  const source = reader.function<EnvironmentDefaults["source"]>("source", present.source);
  const store = reader.function<EnvironmentDefaults["store"]>("store", present.store);
  const bigSegments = reader.function<EnvironmentDefaults["bigSegments"]>("bigSegments", present.bigSegments);
  const filters = reader.strings("filters", present.filters, filterProblem);
  if (filters.length > 0 && hasOwnFlags(source))
    reader.report(
      "filters",
      "can be had of upstream only: what flagFile and createFixedSource have is served whole",
    );
  return {
    keys: keysFrom(reader, present.keys),
    secureMode: reader.boolean("secureMode", present.secureMode),
    ttlMs: reader.duration("ttl", present.ttlMs),
    allowedOrigins: reader.strings("allowedOrigins", present.allowedOrigins, originProblem),
    allowedHeaders: reader.strings("allowedHeaders", present.allowedHeaders, headerProblem),
    filters,
    clientStream: reader.oneOf("clientStream", ["evaluated", "ping"], present.clientStream),
    about: aboutFrom(reader, present.about),
    ...(source === undefined ? {} : { source }),
    ...(store === undefined ? {} : { store }),
    ...(bigSegments === undefined ? {} : { bigSegments }),
  };
}

/** What can be read of the options of an environment that may be wrong. */
export function readableEnvironment(options: unknown): ResolvedEnvironment {
  return environmentFrom(new OptionReader(options, ""), newEnvironment);
}

/** What holds for environments that are still to be named. */
export function environmentDefaultsFrom<Name extends keyof EnvironmentDefaults>(
  reader: OptionReader,
  names: readonly Name[],
): Pick<EnvironmentDefaults, Name> {
  const { keys: _, ...settings } = environmentFrom(reader, { ...newEnvironment, keys: anyKeys });
  const given: Partial<EnvironmentDefaults> = settings;
  // All of them are optional.
  return Object.fromEntries(
    names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  ) as Pick<EnvironmentDefaults, Name>;
}

/** The keys of an environment whose other options stand elsewhere. */
export function environmentKeysFrom(reader: OptionReader): OwnKeys {
  const { further: _, refused: __, ...keys } = keysFrom(reader, newEnvironment.keys);
  return keys;
}

function aboutFrom(reader: OptionReader, present: EnvironmentAbout): EnvironmentAbout {
  if (!reader.names().includes("about")) return present;
  const section = reader.section("about", aboutNames);
  return Object.fromEntries(
    aboutNames.flatMap((name) => {
      const value = section.string(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
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
  const names = { sdkKey: "furtherSdkKeys", mobileKey: "furtherMobileKeys" } as const;
  const listed = { sdkKey: reader.keys(names.sdkKey), mobileKey: reader.keys(names.mobileKey) };
  const first = { sdkKey, mobileKey };
  const without = (keys: readonly AcceptedKey[], kind: AcceptedKey["kind"]) =>
    keys.filter((key) => key.kind === kind && key.value !== first[kind]);
  const further = (["sdkKey", "mobileKey"] as const).flatMap((kind): readonly AcceptedKey[] => {
    const given = listed[kind]?.map((key) => ({ ...key, kind }));
    const others = without(present.further, kind);
    if (given === undefined) return others;
    const values = new Set([first[kind], ...given.map(({ value }) => value)]);
    if (values.size <= given.length) reader.report(names[kind], "lists a key that is there already");
    return [...given, ...others.filter(({ value, replaced }) => replaced && !values.has(value))];
  });
  return {
    sdkKey,
    ...(mobileKey === undefined ? {} : { mobileKey }),
    ...(envId === undefined ? {} : { envId }),
    further,
    refused: listed.sdkKey === undefined ? without(present.refused ?? [], "sdkKey") : [],
  };
}

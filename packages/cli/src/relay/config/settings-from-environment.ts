import type { Config } from "./config.js";
import type { Nearest } from "./nearest.js";
import type { Problem } from "./parse-file.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./sections.js";
import type { Setting } from "./setting.js";
import { suspectVariables } from "./suspect-variables.js";
import { boolean } from "./value-types.js";

/** The variables of a process. */
export type Variables = { readonly [name: string]: string | undefined };

/** What variables set, over what the file says. Those of a database count only if it is used. */
export function settingsFromEnvironment(
  variables: Variables,
  file: Config,
  nearest: Nearest,
): {
  readonly settings: readonly Setting[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
} {
  const set = new Map(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
  const used = sectionNames.filter((section) => isUsed(section, set, file));
  const mode = modeOf(set, file);
  const environments = [...file.namesOf("Environment"), ...namesAfter("LD_ENV_", set)];
  const settings = used.flatMap((section) =>
    sectionOf(section).named ? namedSettings(section, set) : plainSettings(section, set, mode),
  );
  return {
    settings,
    problems: obsolete(set, used),
    warnings: [
      ...withoutEnvironment(set),
      ...ofUnusedDatabases(set, used),
      ...suspectVariables([...set.keys()], environments, nearest),
    ],
  };
}

/** The variable that switches a section on, if it can be off. */
function switchOf(section: SectionName): string | undefined {
  const { enabledBy: [first] = [] } = sectionOf(section);
  return propertiesOf(section).find(([key]) => key === first)?.[1].variable;
}

/** Whether variables of a section count. */
function isUsed(section: SectionName, set: ReadonlyMap<string, string>, file: Config): boolean {
  const switched = switchOf(section);
  if (switched === undefined) return true;
  const text = set.get(switched);
  // What is no truth at all is to be reported.
  const parsed = text === undefined || text === "" ? { value: false } : boolean.parse(text, "variable");
  return file.isEnabled(section) || "problem" in parsed || parsed.value;
}

/** Two modes have the same variables: they belong to the one that is on, and to the first when none is. */
function modeOf(set: ReadonlyMap<string, string>, file: Config): "AutoConfig" | "OfflineMode" {
  const isOffline = (set.get("FILE_DATA_SOURCE") ?? file.of("OfflineMode").fileDataSource ?? "") !== "";
  const isAutomatic = (set.get("AUTO_CONFIG_KEY") ?? file.of("AutoConfig").key ?? "") !== "";
  return isOffline && !isAutomatic ? "OfflineMode" : "AutoConfig";
}

function plainSettings(
  section: SectionName,
  set: ReadonlyMap<string, string>,
  mode: SectionName,
): readonly Setting[] {
  return propertiesOf(section).flatMap(([key, { variable }]): readonly Setting[] => {
    if (section === "Datadog" && key === "tag") return tags(set);
    const text = set.get(variable);
    const isOfOtherMode = variable.startsWith("ENV_") && section !== mode;
    if (text === undefined || isOfOtherMode) return [];
    if (section === "Redis" && key === "port") return redisPort(text, variable);
    return [setting(section, key, text, variable)];
  });
}

/** A link between containers sets `tcp://HOST:PORT`. */
function redisPort(text: string, variable: string): readonly Setting[] {
  const [, host, port] = /^tcp:\/\/([^/:[\]]+|\[[^\]]*\]):([^:]*)$/.exec(text) ?? [];
  if (host === undefined || port === undefined) return [setting("Redis", "port", text, variable)];
  return [setting("Redis", "host", host, variable), setting("Redis", "port", port, variable)];
}

/** `DATADOG_TAG_name=value`, in the order of names. */
function tags(set: ReadonlyMap<string, string>): readonly Setting[] {
  const prefix = "DATADOG_TAG_";
  const names = [...set.keys()].filter((name) => name.startsWith(prefix) && name !== prefix).sort();
  return names.map((name) =>
    setting("Datadog", "tag", `${name.slice(prefix.length)}:${set.get(name)}`, name),
  );
}

/** An environment is there when its first variable is; a list of filters stands for itself. */
function namedSettings(section: SectionName, set: ReadonlyMap<string, string>): readonly Setting[] {
  const [first] = propertiesOf(section);
  const names = namesAfter(first?.[1].variable ?? "", set);
  return names.flatMap((name) =>
    propertiesOf(section).flatMap(([key, { variable }]) => {
      const text = set.get(variable + name);
      return text === undefined ? [] : [setting(section, key, text, variable + name, name)];
    }),
  );
}

function namesAfter(prefix: string, set: ReadonlyMap<string, string>): readonly string[] {
  return [...set.keys()]
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => name.slice(prefix.length) || []);
}

function setting(section: SectionName, key: string, text: string, origin: string, name = ""): Setting {
  return { section, name, key, text, medium: "variable", origin };
}

/** As with ld-relay, `LD_MOBILE_KEY_x` counts for nothing without `LD_ENV_x`; unlike it, this says so. */
function withoutEnvironment(set: ReadonlyMap<string, string>): readonly Problem[] {
  const [first, ...others] = propertiesOf("Environment").map(([, { variable }]) => variable);
  return others.flatMap((prefix) =>
    namesAfter(prefix, set)
      .filter((name) => !set.has(`${first}${name}`) && !isObsoleteTtl(prefix, name))
      .map((name) => ({ at: prefix + name, message: `is passed over, because there is no ${first}${name}` })),
  );
}

/**
 * As with ld-relay, `REDIS_HOST` counts for nothing without `USE_REDIS`, and flags would be in memory alone. Where the switch is
 * there it says so itself; what links between containers set, and what several databases have, was not meant for this one.
 */
function ofUnusedDatabases(
  set: ReadonlyMap<string, string>,
  used: readonly SectionName[],
): readonly Problem[] {
  return (["Redis", "Consul", "DynamoDB"] as const).flatMap((section) => {
    const switched = switchOf(section);
    if (switched === undefined || used.includes(section) || set.has(switched)) return [];
    return propertiesOf(section)
      .map(([, { variable }]) => variable)
      .filter((variable) => variable !== "CACHE_TTL" && !/^(?:tcp:|$)/.test(set.get(variable) ?? ""))
      .map((at) => ({ at, message: `is passed over, because ${switched} is not set` }));
  });
}

function isObsoleteTtl(prefix: string, name: string): boolean {
  return prefix === "LD_TTL_" && name.startsWith("MINUTES_");
}

function obsolete(set: ReadonlyMap<string, string>, used: readonly SectionName[]): readonly Problem[] {
  const gone = "this variable is no longer supported";
  const ttls = namesAfter("LD_ENV_", set).map((name) => ({
    at: `LD_TTL_MINUTES_${name}`,
    message: `${gone}; use LD_TTL_${name}`,
  }));
  const all = [
    { at: "EVENTS_SAMPLING_INTERVAL", message: gone },
    ...(used.includes("Redis") ? [{ at: "REDIS_TTL", message: `${gone}; use CACHE_TTL` }] : []),
    ...ttls,
  ];
  return all.filter(({ at }) => (set.get(at) ?? "") !== "");
}

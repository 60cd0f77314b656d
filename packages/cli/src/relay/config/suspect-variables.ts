import type { Nearest } from "./nearest.js";
import type { Problem } from "./parse-file.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./sections.js";

const isNamed = (name: SectionName) => sectionOf(name).named === true;
const known = sectionNames.filter((name) => !isNamed(name)).flatMap(variablesOf);
/** What stands before the name of an environment, a project or a tag. */
const prefixes = [...sectionNames.filter(isNamed).flatMap(variablesOf), "DATADOG_TAG_"];
const [sdkKeyPrefix = "", ...otherPrefixes] = variablesOf("Environment");
const idPrefix = propertiesOf("Environment").find(([key]) => key === "envId")?.[1].variable ?? "";
/** Obsolete ones are reported elsewhere. */
const obsolete = /^(?:EVENTS_SAMPLING_INTERVAL|REDIS_TTL)$/;
/** What orchestrators set for every service that they know, and what the linker looks at. */
const ofOthers = /_PORT$|_PORT_\d+_|_SERVICE_(?:HOST|PORT)|^LD_LIBRARY_PATH$/;
const firstWords = new Set(known.filter((name) => name.includes("_")).map(firstWord));
/** The variables of properties by the names that those have in files; databases and the like share theirs with every program. */
const byProperty = new Map(
  sectionNames
    .filter((name) => sectionOf(name).enabledBy === undefined && !isNamed(name))
    .flatMap(propertiesOf)
    .filter(([key]) => /[A-Z]/.test(key) && key !== "logFormat")
    .map(([key, { variable }]) => [key.toLowerCase(), variable]),
);
const prefixByProperty = new Map(
  propertiesOf("Environment").map(([key, { variable }]) => [`ld${key.toLowerCase()}`, variable]),
);
/** Shorter names are a letter away from too many others. */
const shortest = 8;

function variablesOf(name: SectionName): readonly string[] {
  return propertiesOf(name).map(([, { variable }]) => variable);
}

function firstWord(name: string): string {
  return name.slice(0, name.indexOf("_") + 1);
}

/**
 * Warns of variables that look like misspelled ones. Most variables of a process are none of ours, and orchestrators make
 * some that resemble them (`REDIS_SERVICE_HOST`): suspect are those of the same beginning and about the same length, those that lack
 * a letter or have one too many, those named as a property is, and those that begin with `LD_` and end in the name of an environment.
 */
export function suspectVariables(
  names: readonly string[],
  environments: readonly string[],
  nearest: Nearest,
): readonly Problem[] {
  const set = new Set(names);
  return names.flatMap((name) => {
    const message = suspicion(name, { set, environments, nearest });
    return message === undefined ? [] : [{ at: name, message }];
  });
}

/** What a variable is seen beside. */
interface Surroundings {
  readonly set: ReadonlySet<string>;
  readonly environments: readonly string[];
  readonly nearest: Nearest;
}

function suspicion(name: string, { set, environments, nearest }: Surroundings): string | undefined {
  if (prefixes.includes(name)) return `means nothing without a name behind it, as in ${name}production`;
  if (known.includes(name) || obsolete.test(name) || ofOthers.test(name)) return undefined;
  if (prefixes.some((one) => name.startsWith(one))) return idAsKey(name, environments);
  const isOfEnvironment = name.startsWith("LD_");
  const meant = isOfEnvironment ? meantByPrefixed(name, nearest) : meantBy(name, nearest);
  // Somebody who has set it knows how it is written.
  if (meant !== undefined && !set.has(meant)) return `is not known; did you mean ${meant}?`;
  const environment = isOfEnvironment ? environments.find((one) => name.endsWith(`_${one}`)) : undefined;
  if (environment === undefined) return undefined;
  const there = [sdkKeyPrefix, ...otherPrefixes].map((one) => one + environment).join(", ");
  return `is not known; for the environment ${JSON.stringify(environment)} there are ${there}`;
}

/** `LD_ENV_ID_x` beside `LD_ENV_x`. */
function idAsKey(name: string, environments: readonly string[]): string | undefined {
  const [, environment] = /^LD_ENV_ID_(.+)$/i.exec(name) ?? [];
  if (environment === undefined || !environments.includes(environment)) return undefined;
  const [own, other] = [name.slice(sdkKeyPrefix.length), environment].map((one) => JSON.stringify(one));
  return `is the SDK key of an environment ${own}; the ID of ${other} is ${idPrefix}${environment}`;
}

function meantBy(name: string, nearest: Nearest): string | undefined {
  const plain = withoutLines(name);
  const alike = byProperty.get(plain) ?? known.find((one) => isOneLetterAway(plain, withoutLines(one)));
  if (alike !== undefined || !firstWords.has(firstWord(name).toUpperCase())) return alike;
  const alikes = known.filter((one) => firstWord(one) === firstWord(name).toUpperCase());
  return near(name, alikes, nearest);
}

/** `LD_MOBILEKEY_x` for `LD_MOBILE_KEY_x`; `LD_LIBRARY_PATH` is the linker's. */
function meantByPrefixed(name: string, nearest: Nearest): string | undefined {
  for (let end = name.indexOf("_", 3); end > 0; end = name.indexOf("_", end + 1)) {
    const begin = name.slice(0, end + 1);
    // An ID in the place of a key would be sent to whoever is asked for flags.
    const candidates = /ID_$/i.test(begin) ? prefixes.filter((one) => one !== sdkKeyPrefix) : prefixes;
    const prefix = prefixByProperty.get(withoutLines(begin)) ?? near(begin, candidates, nearest);
    if (prefix !== undefined) return prefix + name.slice(end + 1);
  }
  return undefined;
}

function near(name: string, candidates: readonly string[], nearest: Nearest): string | undefined {
  const possible = candidates.filter((one) => Math.abs(one.length - name.length) <= 2);
  return possible.length === 0 ? undefined : nearest(name, possible);
}

function withoutLines(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Whether the same is left when one letter, or none, is taken out of the longer. */
function isOneLetterAway(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (shorter.length < shortest || longer.length > shorter.length + 1) return false;
  if (shorter === longer) return true;
  const letters = [...longer];
  return letters.some((_, index) => letters.toSpliced(index, 1).join("") === shorter);
}

import { didYouMean } from "@wye/pipeline-spec";
import type { Problem } from "./parse-file.js";
import { propertiesOf, sectionNames, sectionOf } from "./sections.js";

const known = new Set(sectionNames.flatMap((name) => (sectionOf(name).named ? [] : variablesOf(name))));
/** What stands before the name of an environment, a project or a tag. */
const prefixes = [
  ...sectionNames.filter((name) => sectionOf(name).named).flatMap(variablesOf),
  "DATADOG_TAG_",
];
/** Obsolete ones are reported elsewhere. */
const obsolete = /^(?:EVENTS_SAMPLING_INTERVAL|REDIS_TTL|LD_TTL_MINUTES_.*)$/;
/** What orchestrators set for every service that they know. */
const ofServices = /_PORT$|_PORT_\d+_|_SERVICE_(?:HOST|PORT)/;
const firstWords = new Set([...known].filter((name) => name.includes("_")).map(firstWord));

function variablesOf(name: (typeof sectionNames)[number]): readonly string[] {
  return propertiesOf(name).map(([, { variable }]) => variable);
}

function firstWord(name: string): string {
  return name.slice(0, name.indexOf("_") + 1);
}

/**
 * Warns of variables that look like misspelled ones. Most variables of a process are none of ours, and orchestrators make
 * some that resemble them (`REDIS_SERVICE_HOST`): only those of the same beginning and about the same length are suspect.
 */
export function suspectVariables(names: readonly string[]): readonly Problem[] {
  return names.flatMap((name) => {
    const meant = meantBy(name);
    return meant === undefined ? [] : [{ at: name, message: `is not known; did you mean ${meant}?` }];
  });
}

function meantBy(name: string): string | undefined {
  if (
    known.has(name) ||
    obsolete.test(name) ||
    ofServices.test(name) ||
    prefixes.some((one) => name.startsWith(one) && name !== one)
  )
    return;
  if (name.startsWith("LD_")) return meantByPrefixed(name);
  if (!firstWords.has(firstWord(name).toUpperCase())) return;
  return near(
    name,
    [...known].filter((one) => firstWord(one) === firstWord(name).toUpperCase()),
  );
}

/** `LD_MOBILEKEY_x` for `LD_MOBILE_KEY_x`; `LD_LIBRARY_PATH` is the linker's. */
function meantByPrefixed(name: string): string | undefined {
  for (let end = name.indexOf("_", 3); end > 0; end = name.indexOf("_", end + 1)) {
    const prefix = near(name.slice(0, end + 1), prefixes);
    if (prefix !== undefined) return prefix + name.slice(end + 1);
  }
  return undefined;
}

function near(name: string, candidates: readonly string[]): string | undefined {
  return didYouMean(
    name,
    candidates.filter((one) => Math.abs(one.length - name.length) <= 2),
  );
}

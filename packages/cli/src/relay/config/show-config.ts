import type { Config } from "./config.js";
import type { Property } from "./property.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./sections.js";

/** A value as people may see it, and where it comes from. */
export interface ShownValue {
  readonly section: SectionName;
  readonly name?: string;
  readonly key: string;
  readonly value: string;
  /** `default`, `relay.conf:3`, or the name of a variable. */
  readonly origin: string;
}

/** Everything that holds, secrets masked. Of sections that are off nothing is shown. */
export function showConfig(config: Config): readonly ShownValue[] {
  return sectionNames.flatMap((section) => {
    const { named, enabledBy } = sectionOf(section);
    if (named) return config.namesOf(section).flatMap((name) => shownValues(config, section, name));
    const isOff = enabledBy === undefined ? isUnusedMode(config, section) : !config.isEnabled(section);
    return isOff ? [] : shownValues(config, section, "");
  });
}

function isUnusedMode(config: Config, section: SectionName): boolean {
  return (section === "AutoConfig" || section === "OfflineMode") && !config.isSet(section);
}

function shownValues(config: Config, section: SectionName, name: string): readonly ShownValue[] {
  const values: Readonly<Record<string, unknown>> = config.of(section, name);
  return propertiesOf(section).flatMap(([key, property]) => {
    const value = values[key];
    const { variableOnly, unless } = property;
    const isReplaced = unless !== undefined && values[unless] !== undefined;
    if (value === undefined || isReplaced || (variableOnly && value === false)) return [];
    const origin = config.originsOf(section, key, name).join(", ") || "default";
    const shown = mask(property, property.type.print(value));
    return [{ section, ...(name === "" ? {} : { name }), key, value: shown, origin }];
  });
}

function mask({ secret }: Property, text: string): string {
  if (secret === undefined) return maskHost(text);
  if (secret === "key") return maskKey(text);
  return secret === "url" ? maskAddress(text) : "********";
}

/** What was written before a host as in an address, with a scheme or without. */
function maskHost(text: string): string {
  if (text.includes("://")) return URL.canParse(text) ? maskAddress(text) : text;
  return text.replace(/^[^\s/]*:[^\s/]*@/, "xxxxx:xxxxx@");
}

/** Of a key its kind and the last four characters, never more than a quarter, as far as they can be told from text. */
function maskKey(key: string): string {
  const prefix = /^(?:sdk|mob|rel|api)-/.exec(key)?.[0] ?? "";
  const visible = Math.min(4, Math.floor((key.length - prefix.length) / 4));
  return `${prefix}****${visible === 0 ? "" : key.slice(-visible)}`;
}

/** An address without user and password. */
export function maskAddress(text: string): string {
  const url = new URL(text);
  if (url.username === "" && url.password === "") return text;
  if (url.username !== "") url.username = "xxxxx";
  url.password = "xxxxx";
  return url.href;
}

/** The values as an aligned list under the headings of their sections. */
export function printConfig(values: readonly ShownValue[]): string {
  const width = Math.max(...values.map(({ key }) => key.length));
  const shown = (text: string) => (text === "" ? '""' : text);
  const valueWidth = Math.min(48, Math.max(...values.map(({ value }) => shown(value).length)));
  let heading = "";
  let text = "";
  for (const { section, name, key, value, origin } of values) {
    const next = name === undefined ? `[${section}]` : `[${section} ${JSON.stringify(name)}]`;
    if (next !== heading) text += `${heading === "" ? "" : "\n"}${next}\n`;
    heading = next;
    text += `  ${key.padEnd(width)}  ${shown(value).padEnd(valueWidth)}  ${origin}\n`;
  }
  return text;
}

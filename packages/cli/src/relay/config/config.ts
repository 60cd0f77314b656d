import type { Problem } from "./parse-file.js";
import type { Property, ValuesOf } from "./property.js";
import { propertiesOf, type SectionName, sectionOf, type sections } from "./sections.js";
import type { Setting } from "./setting.js";

/** A value that something has set. */
interface Entry {
  readonly value: unknown;
  /** The value itself if it is a list, to add to. */
  readonly list: unknown[];
  /** Where, all of them for a list that was added to. */
  readonly origins: string[];
}

/** The values of a section by key. */
type Entries = Map<string, Entry>;

/** What holds: what was set, and defaults for the rest. */
export class Config {
  /** Whether all that was written could be read as settings: of what is not there nothing is known otherwise. */
  readonly isWhole: boolean;
  readonly #sections = new Map<SectionName, Map<string, Entries>>();
  /** What was set to something that is no value of it. */
  readonly #unread = new Set<string>();
  /** Where what was set last to nothing was set to it. */
  readonly #emptied = new Map<string, string>();

  private constructor(isWhole: boolean) {
    this.isWhole = isWhole;
  }

  /** Takes settings one after another; later ones win, lists grow. Those without a proper value are problems. */
  static from(
    settings: readonly Setting[],
    { isWhole = true }: { readonly isWhole?: boolean } = {},
  ): {
    readonly config: Config;
    readonly problems: readonly Problem[];
  } {
    const config = new Config(isWhole);
    const problems = settings.flatMap((setting) => {
      const problem = config.#take(setting);
      if (problem === undefined) return [];
      config.#unread.add(placeOf(setting.section, setting.key, setting.name));
      // A variable is named by its place, a line of a file is not.
      const message = setting.medium === "file" ? `${setting.key}: ${problem}` : problem;
      return [{ at: setting.origin, message }];
    });
    return { config, problems };
  }

  #take({ section, name, key, text, medium, origin }: Setting): string | undefined {
    const type = typeOf(section, key);
    const entries = this.#entries(section, name);
    const present = entries.get(key);
    if (text === undefined && type.blank === undefined) return "needs a value after =";
    // As in ld-relay: what would switch something off must say so.
    if (text === "" && medium === "variable" && (type.blank !== undefined || type.appends)) return undefined;
    if (text === "" && type.blank === undefined) {
      // As if it had never been set; an empty environment is there all the same.
      entries.delete(key);
      this.#emptied.set(placeOf(section, key, name), origin);
      return undefined;
    }
    const parsed = text === undefined ? { value: type.blank } : type.parse(text, medium);
    if ("problem" in parsed) return parsed.problem;
    if (type.appends && present !== undefined && Array.isArray(parsed.value)) {
      for (const one of parsed.value) present.list.push(one);
      present.origins.push(origin);
    } else {
      const list = Array.isArray(parsed.value) ? [...parsed.value] : [];
      entries.set(key, { value: Array.isArray(parsed.value) ? list : parsed.value, list, origins: [origin] });
    }
    return undefined;
  }

  #entries(section: SectionName, name: string): Entries {
    const byName = this.#sections.get(section) ?? new Map<string, Entries>();
    this.#sections.set(section, byName);
    const entries = byName.get(name) ?? new Map<string, Entry>();
    byName.set(name, entries);
    return entries;
  }

  /** The values of a section, defaults filled in. */
  of<Name extends SectionName>(section: Name, name = ""): ValuesOf<(typeof sections)[Name]> {
    const entries = this.#sections.get(section)?.get(name);
    const values = propertiesOf(section).map(([key, property]) => {
      const entry = entries?.get(key);
      return [key, entry === undefined ? defaultOf(property) : entry.value];
    });
    // The table says which type each property has.
    return Object.fromEntries(values) as ValuesOf<(typeof sections)[Name]>;
  }

  /** The names of a section that has several. */
  namesOf(section: SectionName): readonly string[] {
    return [...(this.#sections.get(section)?.keys() ?? [])].filter((name) => name !== "");
  }

  /** Where a value was set; empty when it was not. */
  originsOf(section: SectionName, key: string, name = ""): readonly string[] {
    return this.#sections.get(section)?.get(name)?.get(key)?.origins ?? [];
  }

  /** Whether it is certain that nothing has set a property: it may be what could not be read. */
  lacks(section: SectionName, key: string, name = ""): boolean {
    const isSet = this.#sections.get(section)?.get(name)?.has(key) ?? false;
    return this.isWhole && !isSet && !this.#unread.has(placeOf(section, key, name));
  }

  /** Where a value was set to nothing, as if it had never been set. */
  emptiedAt(section: SectionName, key: string, name = ""): string | undefined {
    return this.#emptied.get(placeOf(section, key, name));
  }

  /** Where an environment, or another section that has a name, was first spoken of. */
  firstOriginOf(section: SectionName, name: string): string | undefined {
    const [first] = this.#sections.get(section)?.get(name)?.values() ?? [];
    return first?.origins[0];
  }

  /** Whether anything has set one of these properties, or any. */
  isSet(section: SectionName, ...keys: readonly string[]): boolean {
    const entries = this.#sections.get(section)?.get("");
    return keys.length === 0 ? (entries?.size ?? 0) > 0 : keys.some((key) => entries?.has(key));
  }

  /** Whether a section that can be off is on. */
  isEnabled(section: SectionName): boolean {
    const entries = this.#sections.get(section)?.get("");
    return (sectionOf(section).enabledBy ?? []).some((key) => (entries?.get(key)?.value ?? false) !== false);
  }
}

function placeOf(section: SectionName, key: string, name: string): string {
  return JSON.stringify([section, key, name]);
}

function typeOf(section: SectionName, key: string) {
  const property = sectionOf(section).properties[key];
  if (property === undefined) throw new TypeError(`there is no property ${key} in [${section}]`);
  return property.type;
}

const defaults = new Map<Property, unknown>();

/** Defaults are written as in files, and are right. */
function defaultOf(property: Property): unknown {
  const { default: text, type } = property;
  if (text === undefined) return undefined;
  if (!defaults.has(property)) {
    const parsed = type.parse(text, "file");
    defaults.set(property, "value" in parsed ? parsed.value : undefined);
  }
  return defaults.get(property);
}

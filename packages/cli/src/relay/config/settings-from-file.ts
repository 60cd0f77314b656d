import type { Nearest } from "./nearest.js";
import { type FileEntry, type Problem, parseConfigFile } from "./parse-file.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./sections.js";
import type { Setting } from "./setting.js";

/** What a file sets; lines that cannot be understood are problems. */
export function settingsFromFile(
  text: string,
  file: string,
  nearest: Nearest,
): { readonly settings: readonly Setting[]; readonly problems: readonly Problem[] } {
  const { entries, problems: unreadable } = parseConfigFile(text);
  const place = (line: number) => `${file}:${line}`;
  const problems = unreadable.map(({ line, message }): Problem => ({ at: place(line), message }));
  const settings = entries.flatMap((entry): readonly Setting[] => {
    const found = settingFrom(entry, place(entry.line), nearest);
    if (typeof found !== "string") return [found];
    problems.push({ at: place(entry.line), message: found });
    return [];
  });
  return { settings, problems };
}

/** The setting that a line is, or what is wrong with it. */
function settingFrom(entry: FileEntry, origin: string, nearest: Nearest): Setting | string {
  const section = sectionNames.find((name) => isSame(name, entry.section));
  if (section === undefined) {
    const near = nearest(entry.section, sectionNames);
    const misspelled = `unsupported or misspelled section ${JSON.stringify(entry.section)}`;
    return `${misspelled}; ${near ? `did you mean [${near}]?` : `there are ${sectionNames.join(", ")}`}`;
  }
  const { named = false } = sectionOf(section);
  if (named && !entry.subsection) return `this section needs a name: [${section} "name"]`;
  if (!named && entry.subsection !== undefined) return `this section has no name: [${section}]`;
  const property = propertiesOf(section).find(
    ([key, { variableOnly }]) => isSame(key, entry.key) && !variableOnly,
  );
  if (property === undefined) return unknownKey(section, entry.key, nearest);
  const [key] = property;
  return { section, name: entry.subsection ?? "", key, text: entry.value, medium: "file", origin };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function unknownKey(section: SectionName, key: string, nearest: Nearest): string {
  const keysOf = (name: SectionName) =>
    propertiesOf(name).flatMap(([one, { variableOnly }]) => (variableOnly ? [] : [one]));
  const keys = keysOf(section);
  const misspelled = `unsupported or misspelled section "${section}", variable ${JSON.stringify(key)}`;
  const near = nearest(key, keys);
  const other = sectionNames.find((name) => keysOf(name).some((one) => isSame(one, key)));
  if (other !== undefined && near === undefined) return `${misspelled}; it belongs to [${other}]`;
  return `${misspelled}; ${near ? `did you mean ${near}?` : `there are ${keys.join(", ")}`}`;
}

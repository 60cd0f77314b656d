import type { Nearest } from "./nearest.js";
import { type FileEntry, type FileHeader, type Problem, parseConfigFile } from "./parse-file.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./sections.js";
import type { Setting } from "./setting.js";

/** What a file sets; lines that cannot be understood are problems. */
export function settingsFromFile(
  text: string,
  file: string,
  nearest: Nearest,
): { readonly settings: readonly Setting[]; readonly problems: readonly Problem[] } {
  const { headers, entries, problems: unreadable } = parseConfigFile(text);
  const place = (line: number) => `${file}:${line}`;
  const problems = unreadable.map(({ line, message }): Problem => ({ at: place(line), message }));
  const taken = <Line extends FileHeader>(
    lines: readonly Line[],
    settingOf: (line: Line, origin: string, nearest: Nearest) => Setting | string | undefined,
  ): readonly Setting[] =>
    lines.flatMap((line) => {
      const found = settingOf(line, place(line.line), nearest);
      if (typeof found === "string") problems.push({ at: place(line.line), message: found });
      return typeof found === "object" ? [found] : [];
    });
  const settings = taken(entries, settingFrom);
  const filled = new Set(entries.map(nameOf));
  const empty = headers.filter((header) => !filled.has(nameOf(header)));
  return { settings: [...settings, ...taken(empty, emptySection)], problems };
}

/** What the lines of one section have in common. */
function nameOf({ section, subsection }: FileHeader): string {
  return JSON.stringify([section.toLowerCase(), subsection]);
}

/** As in ld-relay an environment of which nothing is said is there, without its key. */
function emptySection(header: FileHeader, origin: string, nearest: Nearest): Setting | string | undefined {
  const section = sectionFrom(header, nearest);
  if (typeof section === "object") return section.problem;
  const [first] = propertiesOf(section);
  if (header.subsection === undefined || first === undefined) return undefined;
  return { section, name: header.subsection, key: first[0], text: "", medium: "file", origin };
}

/** The section that a line belongs to, or what is wrong with its header. */
function sectionFrom(entry: FileHeader, nearest: Nearest): SectionName | { readonly problem: string } {
  const section = sectionNames.find((name) => isSame(name, entry.section));
  if (section === undefined) {
    const near = nearest(entry.section, sectionNames);
    const misspelled = `unsupported or misspelled section ${JSON.stringify(entry.section)}`;
    return {
      problem: `${misspelled}; ${near ? `did you mean [${near}]?` : `there are ${sectionNames.join(", ")}`}`,
    };
  }
  const { named = false } = sectionOf(section);
  if (named && !entry.subsection) return { problem: `this section needs a name: [${section} "name"]` };
  if (!named && entry.subsection !== undefined) return { problem: `this section has no name: [${section}]` };
  return section;
}

/** The setting that a line is, or what is wrong with it. */
function settingFrom(entry: FileEntry, origin: string, nearest: Nearest): Setting | string {
  const section = sectionFrom(entry, nearest);
  if (typeof section === "object") return section.problem;
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

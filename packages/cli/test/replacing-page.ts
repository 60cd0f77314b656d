import { readFileSync } from "node:fs";
import type { Property } from "../src/relay/config/property.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "../src/relay/config/sections.js";

/** The guide is written by hand up to this line; what follows is made of the table that the program reads. */
const tablesBelow =
  "<!-- The tables below are made of the table that the program reads: WYE_UPDATE_PAGES=1 npm test -->";

/** The guide as it should be, from what is written by hand in a file. */
export function replacingPage(file: URL): string {
  const [written = ""] = readFileSync(file, "utf8").split(tablesBelow);
  return `${written}${tablesBelow}\n\n${sectionNames.map(sectionTable).join("\n")}`;
}

function sectionTable(name: SectionName): string {
  const { named } = sectionOf(name);
  const rows = propertiesOf(name).map(([key, property]) => row(key, property, named === true));
  const title = named ? `[${name} "NAME"]` : `[${name}]`;
  return `### ${title}\n\n| property | variable | type | default | sets | |\n|---|---|---|---|---|---|\n${rows.join("")}`;
}

function row(key: string, property: Property, named: boolean): string {
  const { variable, variableOnly, type, default: usual, sets, about } = property;
  const name = named || variable.endsWith("_") ? `${variable}NAME` : variable;
  const cells = [
    variableOnly ? "" : `\`${key}\``,
    `\`${name}\``,
    type.name,
    usual === undefined ? "" : `\`${usual}\``,
    /^[a-zA-Z]+(?:\.[a-zA-Z]+)*$/.test(sets) ? `\`${sets}\`` : sets,
    about,
  ];
  return `| ${cells.join(" | ")} |\n`;
}

import type { Parameter } from "./parameter-table.js";

/** Says what is wrong with a parameter that is not in the table, and what to write instead. */
export function explainUnknown(name: string, table: readonly Parameter[]): string {
  const names = table.map((row) => row.name);
  const start = `There is no parameter "${name}".`;
  if (name.endsWith("[]") && names.includes(name.slice(0, -2))) {
    return `${start} Write one list, separated by commas: ${name.slice(0, -2)}=a,b.`;
  }
  if (name === "sort") return `${start} The order cannot be chosen.`;
  const family = name.split("[", 1)[0] ?? "";
  const attribute = name.slice(0, name.indexOf("]") + 1);
  const bounds = names.filter((known) => known.startsWith(`${attribute}[`));
  if (bounds.length > 0) return `${start} Known are ${attribute} and ${bounds.join(", ")}.`;
  // Bounds are told to who has the attribute right: all of them would be a long list.
  const relatives = names.filter((known) => known.startsWith(`${family}[`) && !known.includes("]["));
  if (relatives.length > 0) return `${start} Known of this family: ${relatives.join(", ")}.`;
  return `${start} Known are ${names.join(", ")}.`;
}

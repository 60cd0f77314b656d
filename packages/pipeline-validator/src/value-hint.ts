import { fitsKind, type ParameterKind } from "./parameter-kind.js";

/** Texts that are looked at as values. */
const longest = 200;

/** What to write in the place of a value of another type: that what stands in quotes, or a list of it. */
export function valueHint(value: unknown, kind: ParameterKind): string | undefined {
  const meant = typeof value === "string" ? valueIn(value) : undefined;
  if (meant !== undefined && fitsKind(meant, kind))
    return `write ${JSON.stringify(meant)} without the quotes around it`;
  return kind === "LIST" && typeof value !== "object" ? "make it a list of one item" : undefined;
}

/** The value that stands in a text as JSON or Python writes it. */
function valueIn(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > longest) return undefined;
  if (/^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  try {
    return JSON.parse(trimmed);
  } catch {
    // It is a text, as most are.
    return undefined;
  }
}

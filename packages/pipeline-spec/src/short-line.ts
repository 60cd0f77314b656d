import { yamlLine } from "./print-yaml.js";

/** A value on one line of YAML, cut where it is long. */
export function shortLine(json: unknown): string {
  const line = yamlLine(json);
  return line.length > 60 ? "…" : line;
}

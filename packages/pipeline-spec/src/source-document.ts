import type { Span } from "./line-table.js";

/** A document inside a text: its value, and where each part of it stands. */
export interface SourceDocument {
  /** As `JSON.parse` would give it. Parts may be shared, so it is to be copied, not changed. */
  readonly value: unknown;
  /**
   * Where the value at `path` stands, or the key that leads to it; the nearest enclosing value when there is nothing.
   * Field names may be in either spelling.
   */
  spanOf(path: readonly string[], part: "key" | "value"): Span;
  /** True when there is something at `path`. */
  has(path: readonly string[]): boolean;
  /** The integer at `path` with all its digits. */
  exactInteger(path: readonly string[]): bigint | undefined;
}

/** True when two names are one field in its two spellings, `pipelineInfo` and `pipeline_info`. */
export function isSameField(a: string, b: string): boolean {
  return a.replaceAll("_", "").toLowerCase() === b.replaceAll("_", "").toLowerCase();
}

import type { Places } from "./places.js";

/** A document inside a text. */
export interface SourceDocument {
  /** As `JSON.parse` would give it. Parts may be shared, so it is to be copied, not changed. */
  readonly value: unknown;
  /** Where each part of it stands. Holds on to the text, not to the value. */
  readonly places: () => Places;
}

import { show } from "../../records/check-value.js";
import type { SearchHit } from "./best-hits.js";
import { GrowingIndex, type SearchView } from "./growing-index.js";
import type { SearchedTexts } from "./postings.js";
import type { SearchExplanation } from "./search-explanation.js";

/** An index over a list. */
export interface SearchIndex {
  /** The best `limit` hits, best first, equals in the order of the list. */
  search(text: string, limit: number): readonly SearchHit[];
  /** Tells how the vehicle at a position scores for a query, whether it is a result or not. */
  explain(text: string, position: number): SearchExplanation | undefined;
}

/** Indexes a list. `aliases` are short names of brands; `searchAliases()` has the common ones. */
export function createSearchIndex(
  entries: readonly SearchedTexts[],
  aliases: ReadonlyMap<string, string>,
): SearchIndex {
  if (!Array.isArray(entries)) throw new TypeError(`createSearchIndex needs a list; got ${show(entries)}.`);
  if (!(aliases instanceof Map)) {
    throw new TypeError("createSearchIndex needs a map of short names; searchAliases() makes one.");
  }
  const index = new GrowingIndex(aliases);
  for (const entry of entries) index.add(entry);
  const all: SearchView = { length: entries.length, rank: (position) => position };
  return {
    search: (text, limit) => index.search(text, limit, all),
    explain: (text, position) =>
      position < 0 || position >= entries.length ? undefined : index.explain(text, position, all),
  };
}

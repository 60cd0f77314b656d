import { show } from "../../records/check-value.js";
import { checkOption } from "../check-option.js";
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
  for (const [name, brand] of aliases) {
    checkOption("A short name", name, "a text");
    checkOption(`What the short name ${name} stands for`, brand, "a text");
  }
  const index = new GrowingIndex(aliases);
  for (const [place, entry] of entries.entries()) {
    checkOption(`entries[${place}]`, entry, "an object");
    for (const name of ["brand", "model", "variant"] as const) {
      checkOption(`entries[${place}].${name}`, entry[name], "a text");
    }
    index.add(entry);
  }
  const all: SearchView = { length: entries.length, rank: (position) => position };
  return {
    search(text, limit) {
      if (!(typeof limit === "number" && limit >= 0))
        throw new TypeError(`limit must be a number from 0; got ${show(limit)}.`);
      return index.search(text, limit, all);
    },
    explain: (text, position) =>
      position >= 0 && position < entries.length ? index.explain(text, position, all) : undefined,
  };
}

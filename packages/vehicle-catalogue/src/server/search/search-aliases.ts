import { checkOption } from "../check-option.js";
import { blankFree, wordsOf } from "./fold-text.js";
import { brandAliases } from "./vocabulary.js";

/**
 * What the search takes short names of brands for: the common ones, and a program's own, which win over them. Both sides
 * are compared as the search folds texts.
 */
export function searchAliases(own: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  checkOption("The short names of brands", own, "an object");
  const folded = Object.entries(own).map(([name, brand]) => {
    checkOption(`The short name ${name}`, brand, "a text");
    return [blankFree(name), wordsOf(brand).join(" ")] as const;
  });
  return new Map([...brandAliases, ...folded]);
}

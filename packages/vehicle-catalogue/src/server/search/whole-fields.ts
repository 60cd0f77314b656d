import { blankFree } from "./fold-text.js";
import type { SearchedTexts } from "./postings.js";
import type { ranking } from "./ranking.js";

/** A field that a query may spell out; `brandModel` is both in one word. */
export type WholeField = keyof typeof ranking.whole;

/** Which whole fields of a vehicle the query spells out. */
export interface WholeFields {
  /** Calls back for every field of the vehicle that is spelled by one of the runs. */
  match(runs: ReadonlySet<string>): (vehicle: number, visit: (field: WholeField) => void) => void;
}

/** Numbers every distinct blank-free field, so that a query is compared with thousands of vehicles by numbers. */
export function indexWholeFields(entries: readonly SearchedTexts[]): WholeFields {
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const form = blankFree(text);
    const known = numbers.get(form);
    if (known !== undefined) return known;
    numbers.set(form, numbers.size);
    return numbers.size - 1;
  };
  const column = (text: (entry: SearchedTexts) => string): Uint32Array =>
    Uint32Array.from(entries, (entry) => numberOf(text(entry)));
  const columns: readonly (readonly [field: WholeField, numbers: Uint32Array])[] = [
    ["model", column((entry) => entry.model)],
    ["brand", column((entry) => entry.brand)],
    ["variant", column((entry) => entry.variant)],
    ["brandModel", column((entry) => entry.brand + entry.model)],
  ];
  return {
    match(runs) {
      const spelled = new Set<number>();
      for (const run of runs) {
        const number = numbers.get(run);
        if (number !== undefined) spelled.add(number);
      }
      if (spelled.size === 0) return () => {};
      return (vehicle, visit) => {
        for (const [field, fieldNumbers] of columns) {
          if (spelled.has(fieldNumbers[vehicle] ?? -1)) visit(field);
        }
      };
    },
  };
}

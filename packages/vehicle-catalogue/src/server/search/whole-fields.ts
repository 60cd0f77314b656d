import { blankFree } from "./fold-text.js";
import { GrowingList } from "./growing-list.js";
import type { SearchedTexts } from "./postings.js";
import type { ranking } from "./ranking.js";

/** A field that a query may spell out; `brandModel` is both in one word. */
export type WholeField = keyof typeof ranking.whole;

/** A field of a group. */
export type GroupField = Exclude<WholeField, "variant">;

/** Which whole fields the words of a query spell out. */
export interface SpelledFields {
  /** Calls back for every group and field of it that is spelled. */
  eachGroup(visit: (group: number, field: GroupField) => void): void;
  /** Whether the variant of a vehicle is spelled. */
  variant(position: number): boolean;
}

/** The distinct blank-free forms of fields, and who has them. */
export class WholeFields {
  readonly #groups: Readonly<Record<GroupField, Map<string, number[]>>> = {
    model: new Map(),
    brand: new Map(),
    brandModel: new Map(),
  };
  readonly #variantNumbers = new Map<string, number>();
  /** Per vehicle: the number of its variant. */
  readonly #variantOf = new GrowingList();

  /** Adds the next group. */
  addGroup(group: number, { brand, model }: SearchedTexts): void {
    for (const [field, text] of [
      ["model", model],
      ["brand", brand],
      ["brandModel", brand + model],
    ] as const) {
      const form = blankFree(text);
      const groups = this.#groups[field].get(form);
      if (groups === undefined) this.#groups[field].set(form, [group]);
      else groups.push(group);
    }
  }

  /** Adds the next vehicle, whose variant has this blank-free form. */
  addVariant(form: string): void {
    const known = this.#variantNumbers.get(form);
    const number = known ?? this.#variantNumbers.size;
    if (known === undefined) this.#variantNumbers.set(form, number);
    this.#variantOf.push(number);
  }

  spelled(runs: ReadonlySet<string>): SpelledFields {
    const variants = new Set<number>();
    for (const run of runs) {
      const number = this.#variantNumbers.get(run);
      if (number !== undefined) variants.add(number);
    }
    const variantOf = this.#variantOf.items;
    return {
      eachGroup: (visit) => {
        for (const field of ["model", "brand", "brandModel"] as const) {
          for (const run of runs) {
            for (const group of this.#groups[field].get(run) ?? []) visit(group, field);
          }
        }
      },
      variant: (position) => variants.size > 0 && variants.has(variantOf[position] ?? -1),
    };
  }
}

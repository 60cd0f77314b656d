import type { Item } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { knownOf, placeOf } from "./compare-contents.js";

/** How many removed items are remembered. */
const maxRemoved = 10_000;

/**
 * What others have brought into a store that several write. A flag that upstream has removed leaves no trace in a full set: who hears of that later, or
 * never, writes it again, and it is not to come back from there.
 */
export class ItemsOfOthers {
  /** What upstream has removed, with its last version. */
  readonly #removed = new Map<string, number>();
  /** What was taken over from the store and upstream has not told of yet, with its version. */
  readonly #added = new Map<string, number>();

  /** Upstream has delivered a change; `before` is what was served before a full set. */
  noteDelivery({ extent, items }: Change, before: readonly Item[]): void {
    if (extent === "full") this.#added.clear();
    const told = new Set(items.map(placeOf));
    for (const place of told) {
      this.#removed.delete(place);
      this.#added.delete(place);
    }
    for (const item of before) if (!told.has(placeOf(item))) this.#removed.set(placeOf(item), item.version);
    for (const place of this.#removed.keys()) {
      if (this.#removed.size <= maxRemoved) break;
      this.#removed.delete(place);
    }
  }

  /** Of what the store has, what upstream has not removed, or only in an older version. */
  withoutRemoved(items: readonly Item[]): readonly Item[] {
    return items.filter(
      (item) => item.version > (this.#removed.get(placeOf(item)) ?? Number.NEGATIVE_INFINITY),
    );
  }

  /** What the store has is served from now on, beside what is served already. */
  noteAdoption(items: readonly Item[], served: readonly Item[]): void {
    const known = new Set(knownOf(items, served));
    for (const item of items) if (!known.has(item)) this.#added.set(placeOf(item), item.version);
  }

  /** What is served without what only the store had and has no more; nothing if that is all of it. */
  withoutGone(served: readonly Item[], kept: readonly Item[]): readonly Item[] | undefined {
    if (this.#added.size === 0) return undefined;
    const places = new Set(kept.map(placeOf));
    const gone = served.filter((item) => this.has(item) && !places.has(placeOf(item)));
    if (gone.length === 0) return undefined;
    const isGone = new Set(gone);
    for (const item of gone) this.#added.delete(placeOf(item));
    return served.filter((item) => !isGone.has(item));
  }

  /** Whether it is served only because the store had it: where it is gone, those who wrote it know better. */
  has(item: Item): boolean {
    return this.#added.get(placeOf(item)) === item.version;
  }
}

import type { Change, Item, Selector } from "@wye/relay";

/** The flags and segments that changes have led to: the newest of each, for whoever has missed the changes themselves. */
export class ItemSet {
  readonly #items = new Map<string, Item>();
  #extent: Change["extent"] = "partial";
  #selector: Selector | undefined;

  /** Whether it began with a full set: then it is all that there is. */
  get isFull(): boolean {
    return this.#extent === "full";
  }

  take({ extent, items, selector }: Change): void {
    if (extent === "full") {
      this.#items.clear();
      this.#extent = "full";
    }
    this.#selector = selector;
    for (const item of items) {
      const place = `${item.kind}/${item.key}`;
      const kept = this.#items.get(place);
      if (extent === "full" || kept === undefined || item.version > kept.version)
        this.#items.set(place, item);
    }
  }

  /** One change that leads to the same. */
  change(): Change {
    return { extent: this.#extent, items: [...this.#items.values()], selector: this.#selector };
  }
}

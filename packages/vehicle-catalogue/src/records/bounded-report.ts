/** So many entries of a kind are reported one by one. Data that are wrong throughout would fill the memory otherwise. */
export const mostReported = 1000;

/** A list of what was found, of bounded length. */
export class BoundedReport<Item> {
  readonly items: Item[] = [];
  /** How many more there were. */
  omitted = 0;

  add(item: Item): void {
    if (this.items.length < mostReported) this.items.push(item);
    else this.omitted++;
  }
}

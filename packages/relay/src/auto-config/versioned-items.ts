interface Known<Item> {
  readonly version: number;
  /** Absent when it was deleted: the version stays, so that a late message does not bring it back. */
  readonly item: Item | undefined;
}

/** Items with versions that only rise, until they are forgotten. */
export class VersionedItems<Item> {
  readonly #known = new Map<string, Known<Item>>();

  get(id: string): Item | undefined {
    return this.#known.get(id)?.item;
  }

  /** The items that are not deleted, with their IDs. */
  *entries(): Generator<readonly [id: string, item: Item]> {
    for (const [id, { item }] of this.#known) if (item !== undefined) yield [id, item];
  }

  /** Takes an item unless one that is as new is known, deleted or not. Tells whether it was taken. */
  upsert(id: string, version: number, item: Item): boolean {
    if (!this.isNewer(id, version)) return false;
    this.#known.set(id, { version, item });
    return true;
  }

  /** Deletes an item unless one that is as new is known. Gives the item that is gone, if there was one. */
  delete(id: string, version: number): Item | undefined {
    if (!this.isNewer(id, version)) return undefined;
    const gone = this.get(id);
    this.#known.set(id, { version, item: undefined });
    return gone;
  }

  /** Forgets everything but these, deletions too: what comes under another ID is new, whatever its version. */
  retain(ids: { has(id: string): boolean }): (readonly [id: string, item: Item])[] {
    const gone = [...this.entries()].filter(([id]) => !ids.has(id));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    return gone;
  }

  /** Whether nothing that is known of an ID, a deletion neither, is as new. */
  isNewer(id: string, version: number): boolean {
    return version > (this.#known.get(id)?.version ?? Number.NEGATIVE_INFINITY);
  }
}

/** Finds by kind and key who lists a context: one look-up instead of one for each flag. */
export class KeyIndex<T extends object> {
  readonly #byKind: (Map<string, T | T[]> | undefined)[] = [];

  /** Lists the keys. */
  add(kind: number, keys: readonly string[], listing: T): void {
    let byKey = this.#byKind[kind];
    if (byKey === undefined) {
      byKey = new Map();
      this.#byKind[kind] = byKey;
    }
    for (const key of keys) {
      const found = byKey.get(key);
      if (found === undefined) byKey.set(key, listing);
      else if (Array.isArray(found)) found.push(listing);
      else byKey.set(key, [found, listing]);
    }
  }

  /** Calls back with all that list the key, in no order. */
  find(kind: number, key: string, visit: (listing: T) => void): void {
    const found = this.#byKind[kind]?.get(key);
    if (found === undefined) return;
    if (Array.isArray(found)) for (const listing of found) visit(listing);
    else visit(found);
  }
}

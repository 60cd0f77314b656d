/** Finds by kind and key who lists a context: one look-up instead of one for each flag. */
export class TargetIndex<T extends object> {
  readonly #byKind: (Map<string, T | T[]> | undefined)[] = [];

  /** Lists the keys. */
  add(kind: number, keys: readonly string[], target: T): void {
    let byKey = this.#byKind[kind];
    if (byKey === undefined) {
      byKey = new Map();
      this.#byKind[kind] = byKey;
    }
    for (const key of keys) {
      const found = byKey.get(key);
      if (found === undefined) byKey.set(key, target);
      else if (Array.isArray(found)) found.push(target);
      else byKey.set(key, [found, target]);
    }
  }

  /** Calls back with all that list the key, in no order. */
  find(kind: number, key: string, visit: (target: T) => void): void {
    const found = this.#byKind[kind]?.get(key);
    if (found === undefined) return;
    if (Array.isArray(found)) for (const target of found) visit(target);
    else visit(found);
  }
}

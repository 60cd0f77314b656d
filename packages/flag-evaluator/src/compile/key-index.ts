import type { Steps } from "../steps.js";

/** Work is interrupted after so many keys at the earliest. */
const keysAtOnce = 1024;
/** As much as a key and what it takes to list it. */
const perKey = 32;

/** Finds by kind and key who lists a context: one look-up instead of one for each flag. */
export class KeyIndex<T extends object> {
  readonly #byKind: (Map<string, T | T[]> | undefined)[] = [];

  /** Lists the keys. */
  *add(kind: number, keys: readonly string[], listing: T): Steps<void> {
    let byKey = this.#byKind[kind];
    if (byKey === undefined) {
      byKey = new Map();
      this.#byKind[kind] = byKey;
    }
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const some = keys.slice(from, from + keysAtOnce);
      for (const key of some) list(byKey, key, listing);
      yield some.length * perKey;
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

function list<T extends object>(byKey: Map<string, T | T[]>, key: string, listing: T): void {
  const found = byKey.get(key);
  if (found === undefined) byKey.set(key, listing);
  else if (Array.isArray(found)) found.push(listing);
  else byKey.set(key, [found, listing]);
}

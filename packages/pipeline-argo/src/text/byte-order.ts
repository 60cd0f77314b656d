/**
 * Compares texts by their bytes in UTF-8, as the back end sorts names. That is the order of UTF-16 except that characters
 * beyond U+FFFF come after all others.
 */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const one = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Halves of surrogate pairs come last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The entries of a map, sorted by their names. */
export function sortedEntries<T>(map: { readonly [name: string]: T }): [string, T][] {
  return Object.entries(map).sort(([a], [b]) => compareBytes(a, b));
}

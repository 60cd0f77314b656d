/** Puts a few rows into a long order and takes a few out. Places are looked for by halves, and what is between is copied. */
export function spliced(
  order: Uint32Array,
  added: readonly number[],
  gone: readonly number[],
  compare: (a: number, b: number) => number,
): Uint32Array {
  const result = new Uint32Array(order.length + added.length - gone.length);
  let [from, at, nextAdded, nextGone] = [0, 0, 0, 0];
  const copyUntil = (to: number): void => {
    result.set(order.subarray(from, to), at);
    at += to - from;
    from = to;
  };
  while (nextAdded < added.length || nextGone < gone.length) {
    const [row, out] = [added[nextAdded], gone[nextGone]];
    if (out !== undefined && (row === undefined || compare(out, row) <= 0)) {
      copyUntil(placeOf(out, order, from, compare));
      from++;
      nextGone++;
    } else if (row !== undefined) {
      copyUntil(placeOf(row, order, from, compare));
      result[at++] = row;
      nextAdded++;
    }
  }
  copyUntil(order.length);
  return result;
}

/** The first place, from one on, whose row does not stand before this one. */
function placeOf(
  row: number,
  order: Uint32Array,
  from: number,
  compare: (a: number, b: number) => number,
): number {
  let [low, high] = [from, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(order[middle] ?? 0, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

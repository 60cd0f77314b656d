/** Numbers that are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  pick<Value>(values: readonly Value[]): Value | undefined;
}

/** Creates the numbers of one run (mulberry32). */
export function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (bound: number) => Math.floor(next() * bound);
  return { below, pick: (values) => values[below(values.length)] };
}

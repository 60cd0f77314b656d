/** Bounds in seconds: from what memory answers to what a slow upstream takes. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** How values are spread. */
export interface Histogram {
  readonly sum: number;
  readonly count: number;
  add(value: number): void;
  /** How many values are at most so large, in rising order; the last bound has all of them. */
  buckets(): { readonly upTo: string; readonly count: number }[];
}

export function createHistogram(): Histogram {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  let count = 0;
  return {
    get sum() {
      return sum;
    },
    get count() {
      return count;
    },
    add(value) {
      let index = 0;
      while (index < bounds.length && value > (bounds[index] ?? 0)) index++;
      counts[index] = (counts[index] ?? 0) + 1;
      sum += value;
      count++;
    },
    buckets() {
      let below = 0;
      return counts.map((own, index) => {
        below += own;
        return { upTo: String(bounds[index] ?? "+Inf"), count: below };
      });
    },
  };
}

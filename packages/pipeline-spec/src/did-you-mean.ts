import { isObject } from "./json-value.js";

const longestName = 100;

/** How many steps comparing names may still take: it bounds the time that many long names would cost. */
export interface ComparisonBudget {
  steps: number;
}

const usualSteps = 25_000;

/**
 * The candidate that `name` is most likely a misspelling of, if any is close enough: swapped, missing, extra or wrong
 * letters, another case, or snake_case for camelCase. One that differs in the number at its end comes after all others. Once the budget is used up the other candidates are passed over.
 */
export function didYouMean(
  name: string,
  candidates: Iterable<string>,
  budget: ComparisonBudget = { steps: usualSteps },
): string | undefined {
  if (typeof name !== "string" || typeof candidates?.[Symbol.iterator] !== "function" || !isObject(budget)) {
    throw new TypeError("didYouMean takes a name and the names that may have been meant");
  }
  return nearest(name, candidates, budget);
}

/** `didYouMean` for callers that know what they give. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  budget: ComparisonBudget = { steps: usualSteps },
): string | undefined {
  if (name.length > longestName) return undefined;
  const plain = normalised(name);
  const number = numberOf(plain);
  // A third of the letters may be wrong, and one in a short name.
  const limit = Math.max(1, Math.floor(plain.length / 3)) + 1;
  let best = limit + costOfNumber;
  let found: string | undefined;
  for (const candidate of candidates) {
    if (budget.steps <= 0) break;
    // What a comparison costs besides its steps.
    budget.steps -= 30;
    if (Math.abs(candidate.length - name.length) > longestName) continue;
    const other = normalised(candidate);
    const cost = numberOf(other) === number ? 0 : costOfNumber;
    const bound = Math.min(limit, best - cost);
    if (bound <= 0) continue;
    const distance = editDistance(plain, other, bound, budget);
    if (distance < bound && !isReplaced(plain, other, distance)) {
      best = distance + cost;
      found = candidate;
    }
  }
  return found;
}

/** What compilers number are things beside each other: another number at the end weighs more than a slip in the letters. */
const costOfNumber = 2;

const isDigit = (char = ""): boolean => char >= "0" && char <= "9";

/** The digits at the end of a name. */
function numberOf(name: string): string {
  let start = name.length;
  while (isDigit(name[start - 1])) start--;
  return name.slice(start);
}

/**
 * True when nothing is left of a name, or all of what differs is another word, of three letters or more: `x` is not a misspelt `n`, nor
 * `apiVersion` a misspelt `sdkVersion`.
 */
function isReplaced(a: string, b: string, distance: number): boolean {
  if (distance >= Math.max(a.length, b.length)) return distance > 0;
  const [left, right] = unlike(a, b);
  const [least, most] = [Math.min(left.length, right.length), Math.max(left.length, right.length)];
  return least >= 3 && distance >= most;
}

function normalised(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes("_") || lower.includes("-") ? lower.replace(/[_-]/g, "") : lower;
}

/** Three rows of the table of distances, used again for each comparison. */
const rows = [0, 1, 2].map(() => new Uint16Array(3 * longestName));

/** Number of insertions, deletions, replacements and swaps of neighbours; `limit` when there are at least so many. */
function editDistance(a: string, b: string, limit: number, budget: ComparisonBudget): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const [left, right] = unlike(a, b);
  return differenceOf(left, right, limit, budget);
}

/** Two texts without what they begin and end with alike. */
function unlike(a: string, b: string): readonly [string, string] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** The distance of what neither begins nor ends alike. Only the band along the diagonal is looked at: the rest is over the limit. */
function differenceOf(a: string, b: string, limit: number, budget: ComparisonBudget): number {
  if (a === "" || b === "") return Math.min(limit, a.length + b.length);
  if (limit === 1) return limit;
  const row = (i: number): Uint16Array => rows[i % 3] ?? new Uint16Array();
  for (let j = 0; j <= limit && j <= b.length; j++) row(0)[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const [current, previous, before] = [row(i), row(i - 1), row(i + 1)];
    const [from, to] = [Math.max(1, i - limit), Math.min(b.length, i + limit)];
    budget.steps -= to - from + 1;
    let left = from === 1 ? Math.min(i, limit) : limit;
    let least = left;
    current[from - 1] = left;
    // The row before ends one sooner.
    if (i + limit <= b.length) previous[to] = limit;
    for (let j = from; j <= to; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      left = Math.min(limit, left + 1, (previous[j] ?? limit) + 1, (previous[j - 1] ?? limit) + cost);
      if (isSwap) left = Math.min(left, (before[j - 2] ?? limit) + 1);
      current[j] = left;
      least = Math.min(least, left);
    }
    // A swap reaches back over two rows, and costs what its half has cost in the row between.
    if (least >= limit) return limit;
  }
  return row(a.length)[b.length] ?? limit;
}

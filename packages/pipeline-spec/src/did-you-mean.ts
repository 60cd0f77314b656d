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
    if (Math.abs(other.length - plain.length) >= Math.min(limit, best)) continue;
    const cost = hasNumber(other, number) ? 0 : costOfNumber;
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

/** True when these are the digits at the end of a name. */
const hasNumber = (name: string, number: string): boolean =>
  name.endsWith(number) && !isDigit(name[name.length - number.length - 1]);

/**
 * True when nothing is left of a name, or all of what differs is another word, of three letters or more: `x` is not a misspelt `n`, nor
 * `apiVersion` a misspelt `sdkVersion`.
 */
function isReplaced(a: string, b: string, distance: number): boolean {
  if (distance >= Math.max(a.length, b.length)) return distance > 0;
  const start = alikeAtStart(a, b);
  const alike = start + alikeAtEnd(a, b, start);
  return Math.min(a.length, b.length) - alike >= 3 && distance >= Math.max(a.length, b.length) - alike;
}

function normalised(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes("_") || lower.includes("-") ? lower.replace(/[_-]/g, "") : lower;
}

const newRow = (): Uint16Array => new Uint16Array(3 * longestName);
/** Three rows of the table of distances, used again for each comparison. */
const rows = { before: newRow(), previous: newRow(), current: newRow() };
/** No letter is equal to it. */
const none = -1;

/** Number of insertions, deletions, replacements and swaps of neighbours; `limit` when there are at least so many. */
function editDistance(a: string, b: string, limit: number, budget: ComparisonBudget): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const start = alikeAtStart(a, b);
  const end = alikeAtEnd(a, b, start);
  const [ofA, ofB] = [a.length - start - end, b.length - start - end];
  if (ofA === 0 || ofB === 0) return Math.min(limit, ofA + ofB);
  if (limit === 1) return limit;
  return differenceOf(a.slice(start, start + ofA), b.slice(start, start + ofB), limit, budget);
}

function alikeAtStart(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  return start;
}

/** How many characters two texts end with alike, behind those that they begin with. */
function alikeAtEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let end = 0;
  while (end < most && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return end;
}

/** The distance of what neither begins nor ends alike. Only the band along the diagonal is looked at: the rest is over the limit. */
function differenceOf(a: string, b: string, limit: number, budget: ComparisonBudget): number {
  let { before, previous, current } = rows;
  for (let j = 0; j <= limit && j <= b.length; j++) previous[j] = j;
  let letterBefore = none;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    budget.steps -= to - from + 1;
    let left = from === 1 ? Math.min(i, limit) : limit;
    let least = left;
    current[from - 1] = left;
    // The row before ends one sooner.
    if (i + limit <= b.length) previous[to] = limit;
    const letter = a.charCodeAt(i - 1);
    let otherBefore = from === 1 ? none : b.charCodeAt(from - 2);
    let diagonal = previous[from - 1] ?? limit;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      const above = previous[j] ?? limit;
      left = Math.min(limit, left + 1, above + 1, letter === other ? diagonal : diagonal + 1);
      const isSwap = letter === otherBefore && letterBefore === other;
      if (isSwap) left = Math.min(left, (before[j - 2] ?? limit) + 1);
      current[j] = left;
      least = Math.min(least, left);
      diagonal = above;
      otherBefore = other;
    }
    // A swap reaches back over two rows, and costs what its half has cost in the row between.
    if (least >= limit) return limit;
    letterBefore = letter;
    const last = before;
    before = previous;
    previous = current;
    current = last;
  }
  return previous[b.length] ?? limit;
}

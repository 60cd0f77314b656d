const longestName = 100;

/**
 * The candidate that `name` is most likely a misspelling of, if any is close enough: swapped, missing, extra or wrong
 * letters, another case, or snake_case for camelCase.
 */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const plain = normalised(name);
  // A third of the letters may be wrong, and one in a short name.
  let best = Math.max(1, Math.floor(plain.length / 3)) + 1;
  let found: string | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(plain, normalised(candidate), best);
    if (distance < best && !isReplaced(plain, normalised(candidate), distance)) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

/** True when all of what differs is another word, of three letters or more: `apiVersion` is not a misspelt `sdkVersion`. */
function isReplaced(a: string, b: string, distance: number): boolean {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [left, right] = [a.length - start - end, b.length - start - end];
  return Math.min(left, right) >= 3 && distance >= Math.max(left, right);
}

function normalised(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Number of insertions, deletions, replacements and swaps of neighbours; `limit` when there are at least so many. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + cost,
        swapped ? (beforePrevious[j - 2] ?? 0) + 1 : limit,
      );
    }
    beforePrevious = previous;
    previous = current;
    // A swap may still come from the row before.
    if (Math.min(...current) >= limit && Math.min(...beforePrevious) >= limit) return limit;
  }
  return Math.min(limit, previous[b.length] ?? limit);
}

/** Whether an `If-None-Match` header names the tag: in a list, weak or strong, or as `*`. */
export function matchesTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true;
  for (const [found] of ifNoneMatch.matchAll(/"[^"]*"/g)) {
    if (found === tag) return true;
  }
  return false;
}

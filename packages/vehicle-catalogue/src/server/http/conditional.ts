/** Whether an `If-None-Match` header names the tag: in a list, weak or strong. */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag) return true;
  for (const [found] of ifNoneMatch.matchAll(/"[^"]*"/g)) {
    if (found === tag) return true;
  }
  return false;
}

/** Whether a conditional header is about any document there is. */
export function isAny(header: string): boolean {
  return header.trim() === "*";
}

/** Whether an `If-Match` header names the tag, strongly: a weak tag never matches. */
export function namesStrongTag(ifMatch: string, tag: string): boolean {
  for (const [found] of ifMatch.matchAll(/(?:W\/)?"[^"]*"/g)) {
    if (found === tag) return true;
  }
  return false;
}

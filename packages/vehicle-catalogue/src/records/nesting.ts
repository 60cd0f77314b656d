/** Values are nested no deeper than this. Some of what is done with them goes down by recursion. */
export const deepestNesting = 30;

/** Whether there are more than so many lists and objects one in another. */
export function isNestedDeeper(value: unknown, levels: number = deepestNesting): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels < 1) return true;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (isNestedDeeper(member, levels - 1)) return true;
  }
  return false;
}

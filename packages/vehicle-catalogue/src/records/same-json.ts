import { isRecord } from "./check-value.js";

/** Whether two values of JSON are written alike, members in the same order. Goes no deeper than the flatter one. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return haveSameItems(a, b);
  if (isRecord(a) && isRecord(b)) return haveSameMembers(a, b);
  return Object.is(a, b);
}

function haveSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!isSameJson(a[at], b[at])) return false;
  return true;
}

function haveSameMembers(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean {
  const [names, others] = [Object.keys(a), Object.keys(b)];
  if (names.length !== others.length) return false;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? "";
    if (name !== others[at] || !isSameJson(a[name], b[name])) return false;
  }
  return true;
}

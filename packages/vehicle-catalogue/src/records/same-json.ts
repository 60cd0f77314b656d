import { isRecord } from "./check-value.js";

/** Whether two values are the same that have no members. */
type IsSame = (a: unknown, b: unknown) => boolean;

/** Whether two values of JSON are the same, members in the same order. Goes no deeper than the flatter one. */
export function isSameJson(a: unknown, b: unknown, isSame: IsSame = Object.is): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return haveSameItems(a, b, isSame);
  if (isRecord(a) && isRecord(b)) return haveSameMembers(a, b, isSame);
  return isSame(a, b);
}

/** Whether documents show two values of JSON alike: of zero they show no sign. */
export function isShownAlike(a: unknown, b: unknown): boolean {
  return isSameJson(a, b, (one, other) => one === other || Object.is(one, other));
}

function haveSameItems(a: readonly unknown[], b: readonly unknown[], isSame: IsSame): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!isSameJson(a[at], b[at], isSame)) return false;
  return true;
}

function haveSameMembers(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
  isSame: IsSame,
): boolean {
  const [names, others] = [Object.keys(a), Object.keys(b)];
  if (names.length !== others.length) return false;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? "";
    if (name !== others[at] || !isSameJson(a[name], b[name], isSame)) return false;
  }
  return true;
}

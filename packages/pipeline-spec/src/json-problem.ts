import { describeValue } from "./json-value.js";

/** Values nested deeper than this are refused before something overflows on them. */
const maxDepth = 1000;

/** Why a value does not survive JSON; undefined when it does. Members that are undefined are left out by JSON, and may be there. */
export function jsonProblem(value: unknown): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: one, depth } = next;
    if (depth > maxDepth) return `it is nested more than ${maxDepth} levels deep`;
    if (one === null || typeof one === "string" || typeof one === "boolean") continue;
    if (typeof one === "number" && Number.isFinite(one)) continue;
    if (typeof one === "bigint") return `it holds the bigint ${one}n; an integer beyond 2^53 - 1 is a text`;
    if (typeof one !== "object") return `it holds ${describeValue(one)}`;
    const prototype: unknown = Object.getPrototypeOf(one);
    if (prototype !== Object.prototype && prototype !== null && !Array.isArray(one)) {
      return `it holds a ${one.constructor?.name || "class instance"}, which is no plain object`;
    }
    const members = Array.isArray(one) ? one : Object.values(one).filter((member) => member !== undefined);
    for (const member of members) open.push({ value: member, depth: depth + 1 });
  }
  return undefined;
}

import { compileFlags, createContext, type EvaluateOptions, type EvaluationDetail } from "../src/index.js";

/** Members of a flag or segment, as upstream writes them. */
export type Item = Readonly<Record<string, unknown>>;

/** A flag that is on and falls through to its first variation, except for what is given. */
export function flag(key: string, members: Item = {}): Item {
  const defaults = {
    version: 1,
    on: true,
    variations: ["a", "b", "c"],
    fallthrough: { variation: 0 },
    offVariation: 2,
  };
  return { key, ...defaults, salt: "salt", ...members };
}

/** A flag whose only rule has these clauses and gives variation 1. */
export function flagWithClauses(clauses: readonly Item[], members: Item = {}): Item {
  return flag("flag", { rules: [{ id: "rule", clauses, variation: 1 }], ...members });
}

/** A segment with nobody in it, except for what is given. */
export function segment(key: string, members: Item = {}): Item {
  return { key, version: 1, salt: "salt", ...members };
}

/** A data set by key. */
export function dataOf(
  flags: readonly Item[],
  segments: readonly Item[] = [],
): { readonly flags: Record<string, Item>; readonly segments: Record<string, Item> } {
  const byKey = (items: readonly Item[]) => Object.fromEntries(items.map((item) => [String(item.key), item]));
  return { flags: byKey(flags), segments: byKey(segments) };
}

/** What the first of the flags gives. */
export function evaluateFirst(
  flags: readonly Item[],
  context: object,
  { segments = [], ...options }: EvaluateOptions & { readonly segments?: readonly Item[] } = {},
): EvaluationDetail {
  const [first] = flags;
  return compileFlags(dataOf(flags, segments)).evaluate(String(first?.key), createContext(context), options);
}

/** Whether a clause matches a context. */
export function clauseMatches(clause: Item, context: object, segments: readonly Item[] = []): boolean {
  const { variation } = evaluateFirst([flagWithClauses([clause])], context, { segments });
  return variation === 1;
}

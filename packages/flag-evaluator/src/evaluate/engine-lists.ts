import type { Arena } from "./arena.js";
import { ArenaList } from "./arena-list.js";

/** The lists of an engine, in the order of `engine/layout.ts`. */
const names = [
  "code",
  "shares",
  "gives",
  "places",
  "slots",
  "flags",
  "segments",
  "clauses",
  "clauseMemo",
  "testMemo",
  "segmentMemo",
  "results",
  "targets",
  "listed",
  "kinds",
  "suffixes",
  "pieces",
  "response",
] as const;

/** The lists of an engine by name. */
export type EngineLists = Readonly<Record<(typeof names)[number], ArenaList>>;

/** Makes the lists, all empty. */
export function createEngineLists(arena: Arena): EngineLists {
  const entries = names.map((name, index) => [name, new ArenaList(arena, 4 * index)]);
  // Names went in as keys.
  return Object.fromEntries(entries) as EngineLists;
}

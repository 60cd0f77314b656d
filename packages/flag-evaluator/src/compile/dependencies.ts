import type { ItemKind } from "../read/item.js";
import type { Snapshot } from "./snapshot.js";

/** The references of a snapshot's items, followed in both directions. */
export interface Dependencies {
  /** The flags whose results may change with one of those items, sorted by key; flags among the items themselves too. */
  affectedBy(changes: Iterable<readonly [kind: ItemKind, key: string]>): readonly string[];
  /** The slots of the segments that at least one flag may ask. */
  usedSegments(): ReadonlySet<number>;
}

type Edges = Map<number, number[]>;

/** Turns the references of a snapshot around. */
export function findDependencies({ registry, sorted, segments }: Snapshot): Dependencies {
  const flagsByPrerequisite: Edges = new Map();
  const flagsBySegment: Edges = new Map();
  const segmentsBySegment: Edges = new Map();
  for (const { slot, prerequisites, segments: named } of sorted) {
    for (const prerequisite of prerequisites) addEdge(flagsByPrerequisite, prerequisite, slot);
    for (const segment of named) addEdge(flagsBySegment, segment, slot);
  }
  for (const segment of segments) {
    if (segment === undefined || segment.deleted) continue;
    for (const named of segment.segments) addEdge(segmentsBySegment, named, segment.slot);
  }
  return {
    affectedBy(changes) {
      const changed: Record<ItemKind, number[]> = { flags: [], segments: [] };
      // Nothing refers to what the registry does not know. It is not for callers to make it grow.
      const unknown: string[] = [];
      for (const [kind, key] of changes) {
        const slot = registry[kind].find(key);
        if (slot !== undefined) changed[kind].push(slot);
        else if (kind === "flags") unknown.push(key);
      }
      const through = reach(changed.segments, (segment) => segmentsBySegment.get(segment));
      const asking = [...through].flatMap((segment) => flagsBySegment.get(segment) ?? []);
      const affected = reach([...changed.flags, ...asking], (flag) => flagsByPrerequisite.get(flag));
      const names = Array.from(affected, (flag) => registry.flags.name(flag));
      return [...new Set([...names, ...unknown])].sort();
    },
    usedSegments: () =>
      reach(flagsBySegment.keys(), (slot) => {
        const segment = segments[slot];
        return segment === undefined || segment.deleted ? undefined : segment.segments;
      }),
  };
}

function addEdge(edges: Edges, from: number, to: number): void {
  const known = edges.get(from);
  if (known === undefined) edges.set(from, [to]);
  else known.push(to);
}

/** All that can be reached, the starts among them. */
function reach(
  starts: Iterable<number>,
  next: (from: number) => readonly number[] | undefined,
): ReadonlySet<number> {
  const reached = new Set(starts);
  // A Set also yields what is added while it is iterated.
  for (const one of reached) for (const other of next(one) ?? []) reached.add(other);
  return reached;
}

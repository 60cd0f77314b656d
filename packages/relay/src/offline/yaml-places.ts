import type { ParsedNode } from "yaml";

type Yaml = typeof import("yaml");

/** What a name becomes in an object. */
function nameOf(key: unknown): string {
  return String(key ?? "");
}

/** Something inside of a collection, and where it begins. */
interface Entry {
  readonly at: number | undefined;
  readonly value: unknown;
}

/** Finds where the innermost known place of a path begins. What stands in a collection is looked at once. */
export function placesIn(
  yaml: Yaml,
  root: ParsedNode | null,
): (path: readonly string[]) => number | undefined {
  const known = new Map<unknown, ReadonlyMap<string, Entry>>();
  const entriesOf = (node: unknown) => {
    const entries = known.get(node) ?? new Map(entriesIn(yaml, node));
    known.set(node, entries);
    return entries;
  };
  return (path) => {
    let place: Entry = { at: undefined, value: root };
    for (const name of path) {
      const inside = entriesOf(place.value).get(name);
      if (inside === undefined) break;
      place = { at: inside.at ?? place.at, value: inside.value };
    }
    return place.at;
  };
}

function entriesIn({ isMap, isNode, isScalar, isSeq }: Yaml, node: unknown): [string, Entry][] {
  const start = (one: unknown) => (isNode(one) ? one.range?.[0] : undefined);
  if (isMap(node))
    return node.items.flatMap(({ key, value }): [string, Entry][] =>
      isScalar(key) ? [[nameOf(key.value), { at: start(key), value }]] : [],
    );
  if (isSeq(node)) return node.items.map((value, at) => [`${at}`, { at: start(value), value }]);
  return [];
}

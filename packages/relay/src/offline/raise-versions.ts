import { type Item, parseItem } from "@wye/flag-evaluator";

/** The items of one reading of a file: as they stand there, and as they are served. */
export interface ReadItems {
  readonly written: readonly Item[];
  readonly served: readonly Item[];
}

/**
 * What is served of the items of a file. Who edits by hand forgets versions, and SDKs take an item for another one only when its
 * version is greater: one that has changed is served with the version after the last, and goes on being until it changes again.
 */
export function raiseVersions(written: readonly Item[], before: ReadItems | undefined): ReadItems {
  const known = new Map(
    before?.written.map((item, index) => [nameOf(item), { item, served: before.served[index] ?? item }]),
  );
  const served = written.map((item) => {
    const last = known.get(nameOf(item));
    if (last === undefined) return item;
    if (last.item.json === item.json) return last.served;
    return item.version > last.served.version ? item : withVersion(item, last.served.version + 1);
  });
  return { written, served };
}

function nameOf({ kind, key }: Item): string {
  return `${kind}/${key}`;
}

function withVersion({ kind, key, json }: Item, version: number): Item {
  return parseItem(kind, key, JSON.stringify({ ...JSON.parse(json), version }));
}

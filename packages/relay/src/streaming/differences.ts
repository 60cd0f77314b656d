import type { Evaluator, Item, ItemKind } from "@wye/flag-evaluator";

/** An item that is another one, is new, or is gone. */
export interface Difference {
  readonly kind: ItemKind;
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The items in which two states of the flags differ. */
export function differencesBetween(previous: Evaluator, current: Evaluator): readonly Difference[] {
  const differences: Difference[] = [];
  for (const kind of ["flags", "segments"] as const) {
    for (const after of current.items(kind)) {
      const before = previous.item(kind, after.key);
      if (before !== after && before?.json !== after.json) {
        differences.push({ kind, key: after.key, before, after });
      }
    }
    for (const before of previous.items(kind)) {
      const { key } = before;
      if (current.item(kind, key) === undefined) differences.push({ kind, key, before, after: undefined });
    }
  }
  return differences;
}

/** Whether SDKs take it as a single item: they do only with a greater version than what they have. */
export function isToldByVersion({ before, after }: Difference): boolean {
  return after !== undefined && (before === undefined || after.version > before.version);
}

import { type Change, parseItem } from "@wye/relay";

/** A change on its way to a worker. Functions and classes do not survive the way: flags go as the texts that they came as. */
export interface SentChange extends Pick<Change, "extent" | "selector"> {
  readonly items: readonly SentItem[];
}

/** A flag or a segment on its way to a worker. */
export type SentItem = readonly [kind: Change["items"][number]["kind"], key: string, json: string];

/** A change as it is sent. */
export function sentChange({ extent, items, selector }: Change): SentChange {
  return { extent, selector, items: items.map(({ kind, key, json }) => [kind, key, json]) };
}

/** A change that was sent. */
export function receivedChange({ extent, items, selector }: SentChange): Change {
  return { extent, selector, items: items.map(([kind, key, json]) => parseItem(kind, key, json)) };
}

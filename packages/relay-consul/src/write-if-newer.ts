import { type Item, RelayError } from "@wye/relay";
import type { ConsulKv } from "./consul-kv.js";
import type { FlagLayout } from "./flag-layout.js";

/** How often an item is tried to be written while others write it. */
const maxAttempts = 100;

/** What an item is written with, and into. */
export interface ItemWrite {
  readonly kv: ConsulKv;
  readonly layout: FlagLayout;
  readonly item: Item;
  readonly value: string;
  /** Whether somebody has taken everything of its kind away: then an item that is alone would look like all of them. */
  readonly isLost: () => Promise<boolean>;
}

/** Writes an item if it is newer than what is kept, and gives what is kept otherwise. */
export async function writeIfNewer(
  { kv, layout, item, value, isLost }: ItemWrite,
  signal: AbortSignal,
): Promise<Item | undefined> {
  const key = layout.keyOf(item);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [entry] = (await kv.transaction([{ verb: "get", key }], signal)) ?? [];
    const kept = entry === undefined ? undefined : layout.itemOf(item.kind, entry);
    if (kept !== undefined && kept.version >= item.version) return kept;
    if (entry === undefined && (await isLost()))
      throw new RelayError("store_failed", `${layout.folders[item.kind]} was deleted by somebody else`);
    const written = await kv.transaction([{ verb: "cas", key, value, index: entry?.index ?? 0 }], signal);
    if (written !== undefined) return undefined;
  }
  throw new RelayError("store_failed", `others write ${JSON.stringify(key)} all the time`);
}

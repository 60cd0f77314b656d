import { type Item, type ItemKind, itemFromStored, RelayError, storedText } from "@wye/relay";
import type { SendCommand } from "./redis-command.js";
import { listFrom } from "./replies.js";
import { runScript } from "./run-script.js";
import { readItems, writeUnchanged } from "./scripts.js";

/** Where items of one kind are kept. */
export interface ItemPlace {
  readonly kind: ItemKind;
  /** The key of the hash. */
  readonly collection: string;
  /** Whether it had items before: if it has gone since, nothing is written. */
  readonly isKnown: boolean;
}

/** How often an item is tried to be written while others write it. */
const maxAttempts = 100;

/** Keeps items that are newer; gives what is kept in place of the others. What others write between reading and writing is read again. */
export async function upsertUnchanged(
  command: SendCommand,
  { kind, collection, isKnown }: ItemPlace,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const newer: Item[] = [];
  let left = items;
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === maxAttempts)
      throw new RelayError("store_failed", `others write ${collection} all the time`);
    const keys = left.map(({ key }) => key);
    const read = listFrom(await runScript(command, readItems, [collection], keys, signal)).map(String);
    const writes = left.flatMap((item, index) => {
      const kept = itemFromStored(kind, item.key, read[2 * index] ?? "");
      if (kept === undefined || kept.version < item.version)
        return [{ item, mark: read[2 * index + 1] ?? "" }];
      newer.push(kept);
      return [];
    });
    if (writes.length === 0) break;
    const values = writes.flatMap(({ item, mark }) => [item.key, storedText(item), mark]);
    const state = isKnown ? "there" : "";
    const reply = await runScript(command, writeUnchanged, [collection], [state, ...values], signal);
    const written = listFrom(reply).map(Number);
    left = writes.flatMap(({ item }, index) => (written[index] === 1 ? [] : [item]));
  }
  return newer;
}

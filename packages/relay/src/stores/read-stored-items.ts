import type { Item, Steps } from "@wye/flag-evaluator";
import { inTurns } from "../steps.js";
import { readStoredItem, type StoredText, type StoreVoice } from "./tell-of-items.js";

/**
 * Reads all that a database has as items, in as many turns of the event loop as that needs: whoever has been asked meanwhile answers. What is
 * none is told of and left out.
 */
export async function readStoredItems(
  stored: Iterable<StoredText>,
  voice: StoreVoice,
): Promise<readonly Item[]> {
  return await inTurns(readEach(stored, voice));
}

function* readEach(stored: Iterable<StoredText>, voice: StoreVoice): Steps<readonly Item[]> {
  const items: Item[] = [];
  for (const one of stored) {
    const item = readStoredItem(one, voice);
    if (item !== undefined) items.push(item);
    yield one.text.length;
  }
  return items;
}

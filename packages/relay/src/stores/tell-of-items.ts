import type { Item, ItemKind } from "@wye/flag-evaluator";
import type { Logger } from "../logger.js";
import type { StoreDescription } from "./flag-store.js";
import { placeOfStore } from "./place-of-store.js";
import { itemFromStored } from "./stored-item.js";

/** What a store needs to tell of its items. */
export interface StoreVoice {
  readonly about: StoreDescription | undefined;
  readonly logger: Logger;
}

/** Where a text was found. */
export interface StoredText {
  readonly kind: ItemKind;
  readonly key: string;
  readonly text: string;
  /** What the place is called in the database, for people. */
  readonly place: string;
}

const longestKey = 200;

/** Reads what a database has as an item, or tells that it is none. */
export function readStoredItem(
  { kind, key, text, place }: StoredText,
  { about, logger }: StoreVoice,
): Item | undefined {
  const item = itemFromStored(kind, key, text);
  if (item === undefined)
    logger.error(
      `data store: ${placeOfStore(about)}what ${place.slice(0, longestKey)} holds is not JSON with a version: it is left out, and gives way to the next full set or change`,
    );
  return item;
}

/** Whether any database can keep an item so that others can read it; tells of one that none can. */
export function isKeepable(item: Item, voice: StoreVoice): boolean {
  // Databases keep UTF-8, in which all halves of characters are the same.
  const fault = item.key.isWellFormed() ? item.fault : "has half a character in its key";
  if (fault !== undefined) tellOfLeftOut(item, fault === item.fault ? `is none: ${fault}` : fault, voice);
  return fault === undefined;
}

/** Tells of an item that the database does not take: `has 500000 bytes`. */
export function tellOfLeftOut({ kind, key }: Item, fault: string, { about, logger }: StoreVoice): void {
  const name = JSON.stringify(key.slice(0, longestKey));
  logger.error(
    `data store: ${placeOfStore(about)}${kind} ${name} ${fault}, which the database does not take: it is served from memory, and SDKs that read the database do not get it`,
  );
}

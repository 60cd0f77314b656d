import { createHash } from "node:crypto";
import type { KeyEntry, KeyLookup } from "@wye/vehicle-catalogue/server";
import { messageOf } from "../message-of.js";

/** How keys are read again, and who hears of it. */
export interface WatchKeysOptions {
  /** Throws what is wrong with them. */
  readonly read: () => Promise<readonly KeyEntry[]>;
  /** Whoever edits the file. */
  readonly tell: (message: string) => void;
  readonly everyMs?: number;
}

/** Keys that may change. */
export interface WatchedKeys {
  readonly lookup: KeyLookup;
  close(): void;
}

/**
 * Reads keys again now and then, and takes those that two looks in a row have found: a file that is being written has fewer of them for a
 * moment, and whoever has the others would be refused. Keys that are wrong change nothing.
 */
export function watchKeys(
  first: readonly KeyEntry[],
  { read, tell, everyMs = 1000 }: WatchKeysOptions,
): WatchedKeys {
  let grants = grantsOf(first);
  let [current, seen] = [nameOf(first), nameOf(first)];
  let complaint: string | undefined;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    try {
      const found = await read();
      const name = nameOf(found);
      const isSteady = name === seen;
      seen = name;
      if (isOver || !isSteady) return;
      if (name !== current) tell(`keys were read again: ${found.length} may use the API now`);
      else if (complaint !== undefined) tell("keys can be used again, and are as they were");
      grants = grantsOf(found);
      current = name;
      complaint = undefined;
    } catch (error) {
      const message = messageOf(error);
      const isSteady = message === seen;
      seen = message;
      if (isOver || !isSteady || message === complaint) return;
      complaint = message;
      tell(`${message}; keys stay as they were`);
    }
  }

  const lookLater = (): void => {
    timer = setTimeout(async () => {
      await look();
      if (!isOver) lookLater();
    }, everyMs);
    timer.unref();
  };
  lookLater();
  return {
    // Keys are looked up by their digests, which nobody can choose: the time it takes says nothing about the keys.
    lookup: (key) => grants.get(digestOf(key)),
    close() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function grantsOf(entries: readonly KeyEntry[]): ReadonlyMap<string, KeyEntry> {
  return new Map(entries.map((entry) => [digestOf(entry.key), entry]));
}

function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}

/** The same for the same keys. */
function nameOf(entries: readonly KeyEntry[]): string {
  return digestOf(JSON.stringify(entries));
}

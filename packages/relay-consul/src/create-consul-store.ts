import {
  batchesOf,
  type FlagStore,
  type Item,
  type ItemKind,
  type Logger,
  RelayError,
  readStoredItem,
  storedText,
  tellOfLeftOut,
  upsertEach,
} from "@wye/relay";
import type { ConsulEntry, ConsulKv, ConsulStep } from "./consul-kv.js";

/** What one store is made of. */
export interface ConsulStoreParts extends Pick<FlagStore, "about" | "cacheTtlMs" | "close"> {
  readonly kv: ConsulKv;
  readonly prefix: string;
  readonly logger: Logger;
}

/** Of the 512 KB that Consul takes at once some are left for the frame. */
const maxBytes = 480 * 1024;
/** What it takes as one transaction. */
const limits = {
  count: 64,
  bytes: maxBytes,
  sizeOf: (step: ConsulStep) => Buffer.byteLength(step.key) + ("value" in step ? bytesOf(step.value) : 0),
};
/** How often an item is tried to be written while others write it. */
const maxAttempts = 100;

/**
 * Keeps the flags of one environment under keys, as SDKs in daemon mode expect them. The layout knows no transaction of
 * this size: while a full set is written readers may see old and new items side by side, each of them whole.
 */
export function createConsulStore({ kv, prefix, logger, ...rest }: ConsulStoreParts): FlagStore {
  const folders: Record<ItemKind, string> = { flags: `${prefix}/features/`, segments: `${prefix}/segments/` };
  const marker = `${prefix}/$inited`;
  const voice = { about: rest.about, logger };
  /** The folders that have items as far as this store knows. Consul knows no empty ones: what is not there somebody has deleted. */
  const filled = new Set<string>();

  /** Whether there is a full set, and everything of it may be: the names of two folders and of the marker tell. */
  async function isFilled(signal: AbortSignal): Promise<boolean> {
    const names = await kv.names(`${prefix}/`, signal);
    return [marker, ...filled].every((name) => names.includes(name));
  }

  /** Whether somebody has deleted everything of a folder: then an item that is alone would look like all of them. */
  async function isLost(folder: string, signal: AbortSignal): Promise<boolean> {
    return filled.has(folder) && !(await kv.names(`${prefix}/`, signal)).includes(folder);
  }

  /** The value of an item, unless Consul takes none of its size. */
  function storedValue(item: Item): string | undefined {
    const text = storedText(item);
    if (bytesOf(text) <= maxBytes) return text;
    tellOfLeftOut(item, `has ${Buffer.byteLength(text)} bytes`, voice);
    return undefined;
  }

  function itemFrom(kind: ItemKind, { key, value }: ConsulEntry): Item | undefined {
    const place = JSON.stringify(key);
    return readStoredItem({ kind, key: key.slice(folders[kind].length), text: value, place }, voice);
  }

  /** Keeps an item if it is newer, or gives what is kept in its place. */
  async function upsertOne(item: Item, signal: AbortSignal): Promise<Item | undefined> {
    const folder = folders[item.kind];
    const key = folder + item.key;
    const value = storedValue(item);
    if (value === undefined) return undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const [entry] = (await kv.transaction([{ verb: "get", key }], signal)) ?? [];
      const kept = entry === undefined ? undefined : itemFrom(item.kind, entry);
      if (kept !== undefined && kept.version >= item.version) return kept;
      if (entry === undefined && (await isLost(folder, signal)))
        throw new RelayError("store_failed", `${folder} was deleted by somebody else`);
      const written = await kv.transaction([{ verb: "cas", key, value, index: entry?.index ?? 0 }], signal);
      if (written === undefined) continue;
      filled.add(folder);
      return undefined;
    }
    throw new RelayError("store_failed", `others write ${JSON.stringify(key)} all the time`);
  }

  return {
    // Many requests make a full set; each of them has to be answered sooner.
    timeoutMs: 3_600_000,
    ...rest,
    async read(signal) {
      const entries = await kv.list(`${prefix}/`, signal);
      if (!entries.some(({ key }) => key === marker)) return undefined;
      return entries.flatMap((entry) => {
        const kind = (["flags", "segments"] as const).find((one) => entry.key.startsWith(folders[one]));
        if (kind === undefined) return [];
        filled.add(folders[kind]);
        return itemFrom(kind, entry) ?? [];
      });
    },
    async replace(items, signal) {
      // The slash keeps the keys of longer prefixes out of it.
      const before = [
        ...(await kv.keys(folders.flags, signal)),
        ...(await kv.keys(folders.segments, signal)),
      ];
      const present = new Set(items.map(({ kind, key }) => folders[kind] + key));
      const written = items.flatMap((item): ConsulStep[] => {
        const value = storedValue(item);
        return value === undefined ? [] : [{ verb: "set", key: folders[item.kind] + item.key, value }];
      });
      const vanished = before
        .filter((key) => !present.has(key))
        .map((key): ConsulStep => ({ verb: "delete", key }));
      // What is new comes before what is gone, and the marker last: whoever reads meanwhile misses nothing.
      const steps = [...written, ...vanished, { verb: "set", key: marker, value: "" } as const];
      for (const some of batchesOf(steps, limits)) await kv.transaction(some, signal);
      filled.clear();
      for (const folder of Object.values(folders)) {
        if (written.some(({ key }) => key.startsWith(folder))) filled.add(folder);
      }
    },
    upsert: (items, signal) => upsertEach(items, (item) => upsertOne(item, signal)),
    isFilled,
  };
}

/** What a value takes in a request: it goes in base64. */
function bytesOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3) * 4;
}

import {
  type FlagStore,
  type Item,
  type ItemKind,
  itemFromStored,
  type Logger,
  RelayError,
  storedText,
} from "@wye/relay";
import type { ConsulEntry, ConsulKv, ConsulStep } from "./consul-kv.js";

/** What one store is made of. */
export interface ConsulStoreParts extends Pick<FlagStore, "about" | "cacheTtlMs" | "close"> {
  readonly kv: ConsulKv;
  readonly prefix: string;
  readonly logger: Logger;
}

/** What Consul takes at once: steps, and bytes of which some are left for the frame. */
const maxSteps = 64;
const maxBytes = 480 * 1024;
/** How often an item is tried to be written while others write it. */
const maxAttempts = 100;
/** How many items are written side by side. */
const concurrency = 16;

/**
 * Keeps the flags of one environment under keys, as SDKs in daemon mode expect them. The layout knows no transaction of
 * this size: while a full set is written readers may see old and new items side by side, each of them whole.
 */
export function createConsulStore({ kv, prefix, logger, ...rest }: ConsulStoreParts): FlagStore {
  const folders: Record<ItemKind, string> = { flags: `${prefix}/features/`, segments: `${prefix}/segments/` };
  const marker = `${prefix}/$inited`;

  /** The value of an item, unless Consul takes none of its size. */
  function storedValue(item: Item): string | undefined {
    const text = storedText(item);
    if (bytesOf(text) <= maxBytes) return text;
    logger.error(
      `${item.kind} ${JSON.stringify(item.key)} is larger than Consul takes: it is served from memory, and SDKs that read the database do not get it`,
    );
    return undefined;
  }

  function itemFrom(kind: ItemKind, { key, value }: ConsulEntry): Item | undefined {
    const item = itemFromStored(kind, key.slice(folders[kind].length), value);
    if (item === undefined) logger.error(`Consul has no item under ${JSON.stringify(key)}: left out`);
    return item;
  }

  /** Keeps an item if it is newer, or gives what is kept in its place. */
  async function upsertOne(item: Item, signal: AbortSignal): Promise<Item | undefined> {
    const key = folders[item.kind] + item.key;
    const value = storedValue(item);
    if (value === undefined) return undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const [entry] = (await kv.transaction([{ verb: "get", key }], signal)) ?? [];
      const kept = entry === undefined ? undefined : itemFrom(item.kind, entry);
      if (kept !== undefined && kept.version >= item.version) return kept;
      const written = await kv.transaction([{ verb: "cas", key, value, index: entry?.index ?? 0 }], signal);
      if (written !== undefined) return undefined;
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
        return (kind === undefined ? undefined : itemFrom(kind, entry)) ?? [];
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
      for (const steps of batches([...written, ...vanished, { verb: "set", key: marker, value: "" }])) {
        await kv.transaction(steps, signal);
      }
    },
    async upsert(items, signal) {
      const kept: Item[] = [];
      for (let start = 0; start < items.length; start += concurrency) {
        const some = items.slice(start, start + concurrency).map((item) => upsertOne(item, signal));
        kept.push(...(await Promise.all(some)).filter((newer) => newer !== undefined));
      }
      return kept;
    },
    async isFilled(signal) {
      return (await kv.keys(marker, signal)).includes(marker);
    },
  };
}

function* batches(steps: readonly ConsulStep[]): Iterable<ConsulStep[]> {
  let batch: ConsulStep[] = [];
  let bytes = 0;
  for (const step of steps) {
    const size = Buffer.byteLength(step.key) + ("value" in step ? bytesOf(step.value) : 0);
    if (batch.length === maxSteps || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(step);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** What a value takes in a request: it goes in base64. */
function bytesOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3) * 4;
}

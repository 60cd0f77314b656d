import { batchesOf, type FlagStore, type Item, type Logger, readStoredItems, upsertEach } from "@wye/relay";
import type { ConsulKv, ConsulStep } from "./consul-kv.js";
import { createFlagLayout } from "./flag-layout.js";
import { transactionLimits } from "./request-size.js";
import { writeIfNewer } from "./write-if-newer.js";

/** What one store is made of. */
export interface ConsulStoreParts extends Pick<FlagStore, "about" | "cacheTtlMs" | "close"> {
  readonly kv: ConsulKv;
  readonly prefix: string;
  readonly logger: Logger;
}

/**
 * Keeps the flags of one environment under keys, as SDKs in daemon mode expect them. The layout knows no transaction of
 * this size: while a full set is written readers may see old and new items side by side, each of them whole.
 */
export function createConsulStore({ kv, prefix, logger, ...rest }: ConsulStoreParts): FlagStore {
  const voice = { about: rest.about, logger };
  const layout = createFlagLayout(prefix, voice);
  const { folders, marker } = layout;
  /** The folders that have items as far as this store knows. Consul knows no empty ones: what is not there somebody has deleted. */
  const filled = new Set<string>();

  /** The folders that there are, and the marker if it is there: three names at most, however many flags there are. */
  const names = (signal: AbortSignal) => kv.names(`${prefix}/`, signal);

  async function upsertOne(item: Item, signal: AbortSignal): Promise<Item | undefined> {
    const folder = folders[item.kind];
    const value = layout.valueOf(item);
    if (value === undefined) return undefined;
    const isLost = async () => filled.has(folder) && !(await names(signal)).includes(folder);
    const kept = await writeIfNewer({ kv, layout, item, value, isLost }, signal);
    if (kept === undefined) filled.add(folder);
    return kept;
  }

  /**
   * What makes the folders have these values and no others: what stands there already is not written again. The slash keeps the keys of
   * longer prefixes out of it.
   */
  async function changesTo(
    values: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<readonly ConsulStep[]> {
    const missing = new Map(values);
    const deletions: ConsulStep[] = [];
    for (const folder of Object.values(folders)) {
      for (const { key, value } of await kv.list(folder, signal)) {
        if (!values.has(key)) deletions.push({ verb: "delete", key });
        else if (values.get(key) === value) missing.delete(key);
      }
    }
    const writes = [...missing].map(([key, value]): ConsulStep => ({ verb: "set", key, value }));
    // What is new comes before what is gone: whoever reads meanwhile misses nothing.
    return [...writes, ...deletions];
  }

  return {
    // Many requests make a full set; each of them has to be answered sooner.
    timeoutMs: 3_600_000,
    isPiecemeal: true,
    ...rest,
    async read(signal) {
      const entries = await kv.list(`${prefix}/`, signal);
      if (!entries.some(({ key }) => key === marker)) return undefined;
      // Others may have removed the last item of a folder.
      filled.clear();
      const stored = entries.flatMap((entry) => {
        const kind = layout.kindOf(entry.key);
        if (kind === undefined) return [];
        filled.add(folders[kind]);
        return layout.storedIn(kind, entry);
      });
      return await readStoredItems(stored, voice);
    },
    async replace(items, signal) {
      const kept = items.flatMap((item) => {
        const value = layout.valueOf(item);
        return value === undefined ? [] : [{ item, value }];
      });
      const values = new Map(kept.map(({ item, value }) => [layout.keyOf(item), value]));
      const steps = [...(await changesTo(values, signal)), { verb: "set", key: marker, value: "" } as const];
      for (const some of batchesOf(steps, transactionLimits)) await kv.transaction(some, signal);
      filled.clear();
      for (const { item } of kept) filled.add(folders[item.kind]);
    },
    upsert: (items, signal) => upsertEach(items, (item) => upsertOne(item, signal)),
    async isFilled(signal) {
      const found = await names(signal);
      return [marker, ...filled].every((name) => found.includes(name));
    },
  };
}

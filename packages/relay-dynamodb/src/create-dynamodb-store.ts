import type { WriteRequest } from "@aws-sdk/client-dynamodb";
import { type FlagStore, type Item, type Logger, upsertEach } from "@wye/relay";
import type { Ask } from "./ask.js";
import { createFlagLayout, type ItemRow } from "./flag-layout.js";
import { putIfNewer } from "./put-if-newer.js";
import { openTable } from "./table.js";
import { writeBatches } from "./write-batches.js";

/** What one store is made of. */
export interface DynamoDbStoreParts extends Pick<FlagStore, "about" | "cacheTtlMs" | "close"> {
  readonly ask: Ask;
  readonly table: string;
  /** What namespaces begin with, colon included, or nothing. */
  readonly namespacePrefix: string;
  readonly logger: Logger;
}

const kinds = ["flags", "segments"] as const;

/**
 * Keeps the flags of one environment in the rows of a table, as SDKs in daemon mode expect them. The layout knows no
 * transaction: while a full set is written readers may see old and new items side by side, each of them whole.
 */
export function createDynamoDbStore(parts: DynamoDbStoreParts): FlagStore {
  const { ask, table: name, namespacePrefix, logger, ...rest } = parts;
  const table = openTable(ask, name);
  const layout = createFlagLayout(namespacePrefix, { about: rest.about, logger });
  const { namespaces, marker } = layout;

  async function isFilled(signal: AbortSignal): Promise<boolean> {
    return (await table.get(marker, signal)) !== undefined;
  }

  /** What takes away the rows of items that are not among these. */
  async function deletionsOfOthers(
    rows: readonly ItemRow[],
    signal: AbortSignal,
  ): Promise<readonly WriteRequest[]> {
    const present = new Set(rows.map(({ namespace, key }) => `${namespace.S} ${key.S}`));
    const deletions: WriteRequest[] = [];
    for (const kind of kinds) {
      for await (const { namespace, key } of table.rows(namespaces[kind], "keys", signal)) {
        if (namespace === undefined || key === undefined || present.has(`${namespace.S} ${key.S}`)) continue;
        deletions.push({ DeleteRequest: { Key: { namespace, key } } });
      }
    }
    return deletions;
  }

  return {
    // Many requests make a full set; each of them has to be answered sooner, and a table that takes nothing fails by itself.
    timeoutMs: 3_600_000,
    ...rest,
    async read(signal) {
      if (!(await isFilled(signal))) return undefined;
      const items: Item[] = [];
      for (const kind of kinds) {
        for await (const row of table.rows(namespaces[kind], "all", signal)) {
          const item = layout.itemOf(kind, row);
          if (item !== undefined) items.push(item);
        }
      }
      return items;
    },
    async replace(items, signal) {
      const rows = items.flatMap((item) => layout.rowOf(item) ?? []);
      const deletions = await deletionsOfOthers(rows, signal);
      const puts = rows.map((row) => ({ PutRequest: { Item: { ...row } } }));
      // What is new comes before what is gone, and the marker last: whoever reads meanwhile misses nothing.
      await writeBatches(ask, name, [...puts, ...deletions], signal);
      await table.put(marker, signal);
    },
    upsert: (items, signal) =>
      upsertEach(items, async (item) => {
        const row = layout.rowOf(item);
        return row === undefined ? undefined : await putIfNewer(ask, name, { item, row }, signal);
      }),
    isFilled,
  };
}

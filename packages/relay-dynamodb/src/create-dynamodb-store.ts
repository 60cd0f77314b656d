import type { WriteRequest } from "@aws-sdk/client-dynamodb";
import { type FlagStore, type Item, type Logger, upsertEach } from "@wye/relay";
import type { Ask } from "./ask.js";
import { createFlagLayout, type ItemRow } from "./flag-layout.js";
import { putIfNewer } from "./put-if-newer.js";
import { openTable, type Row, type RowKey } from "./table.js";
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

  /** What makes the table have these rows and no others: what stands there already is not written again. */
  async function changesTo(rows: readonly ItemRow[], signal: AbortSignal): Promise<readonly WriteRequest[]> {
    const missing = new Map(rows.map((row) => [placeOf(row), row]));
    const deletions: WriteRequest[] = [];
    for (const kind of kinds) {
      // Keys alone would cost as much.
      for await (const found of table.rows(namespaces[kind], signal)) {
        const { namespace, key } = found;
        if (namespace === undefined || key === undefined) continue;
        const row = missing.get(placeOf({ namespace, key }));
        if (row === undefined) deletions.push({ DeleteRequest: { Key: { namespace, key } } });
        else if (isSame(row, found)) missing.delete(placeOf(row));
      }
    }
    const puts = [...missing.values()].map((row) => ({ PutRequest: { Item: { ...row } } }));
    // What is new comes before what is gone: whoever reads meanwhile misses nothing.
    return [...puts, ...deletions];
  }

  return {
    // Many requests make a full set; each of them has to be answered sooner, and a table that takes nothing fails by itself.
    timeoutMs: 3_600_000,
    isPiecemeal: true,
    ...rest,
    async read(signal) {
      if (!(await isFilled(signal))) return undefined;
      const items: Item[] = [];
      for (const kind of kinds) {
        for await (const row of table.rows(namespaces[kind], signal)) {
          const item = layout.itemOf(kind, row);
          if (item !== undefined) items.push(item);
        }
      }
      return items;
    },
    async replace(items, signal) {
      const rows = items.flatMap((item) => layout.rowOf(item) ?? []);
      await writeBatches(ask, name, await changesTo(rows, signal), signal);
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

function placeOf({ namespace, key }: RowKey): string {
  return `${namespace.S} ${key.S}`;
}

/** Whether a row is as it would be written. DynamoDB has its own ways to write a number. */
function isSame(row: ItemRow, found: Row): boolean {
  return row.item?.S === found.item?.S && Number(row.version.N) === Number(found.version?.N);
}

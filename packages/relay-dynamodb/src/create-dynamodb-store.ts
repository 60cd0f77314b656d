import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import {
  type FlagStore,
  type Item,
  type ItemKind,
  itemFromStored,
  type Logger,
  storedText,
} from "@wye/relay";
import { itemBytes, maxItemBytes } from "./item-size.js";
import { openTable, type Row, type RowKey } from "./table.js";
import { writeBatches } from "./write-batches.js";

/** What one store is made of. */
export interface DynamoDbStoreParts extends Pick<FlagStore, "about" | "cacheTtlMs" | "close"> {
  readonly client: DynamoDBClient;
  readonly table: string;
  /** What namespaces begin with, colon included, or nothing. */
  readonly namespacePrefix: string;
  readonly logger: Logger;
}

/** How many items are written side by side. */
const concurrency = 16;
const kinds = ["flags", "segments"] as const;

/**
 * Keeps the flags of one environment in the rows of a table, as SDKs in daemon mode expect them. The layout knows no
 * transaction: while a full set is written readers may see old and new items side by side, each of them whole.
 */
export function createDynamoDbStore(
  parts: DynamoDbStoreParts,
): FlagStore & Pick<Required<FlagStore>, "isFilled"> {
  const { client, table: name, namespacePrefix, logger, ...rest } = parts;
  const table = openTable(client, name);
  const namespaces: Record<ItemKind, string> = {
    flags: `${namespacePrefix}features`,
    segments: `${namespacePrefix}segments`,
  };
  const marker: Row = {
    namespace: { S: `${namespacePrefix}$inited` },
    key: { S: `${namespacePrefix}$inited` },
  };

  /** The row of an item, unless the database takes none like it. */
  function rowOf(item: Item): (Row & RowKey) | undefined {
    const namespace = namespaces[item.kind];
    const text = storedText(item);
    const bytes = itemBytes(namespace, item, text);
    const fault = item.key === "" ? "has no key" : bytes > maxItemBytes ? `has ${bytes} bytes` : undefined;
    if (fault === undefined) {
      const { key, version } = item;
      return {
        namespace: { S: namespace },
        key: { S: key },
        version: { N: String(version) },
        item: { S: text },
      };
    }
    logger.error(
      `${item.kind} ${JSON.stringify(item.key)} ${fault}, which DynamoDB does not take: it is served from memory, and SDKs that read the database do not get it`,
    );
    return undefined;
  }

  function itemFrom(kind: ItemKind, row: Row | undefined): Item | undefined {
    return itemFromStored(kind, row?.key?.S ?? "", row?.item?.S ?? "");
  }

  /** Keeps an item if it is newer, or gives what is kept in its place. */
  async function upsertOne(item: Item, signal: AbortSignal): Promise<Item | undefined> {
    const row = rowOf(item);
    if (row === undefined) return undefined;
    const condition =
      "attribute_not_exists(#namespace) OR attribute_not_exists(#version) OR #version < :version";
    try {
      await client.send(
        new PutItemCommand({
          TableName: name,
          Item: row,
          ConditionExpression: condition,
          ExpressionAttributeNames: { "#namespace": "namespace", "#version": "version" },
          ExpressionAttributeValues: { ":version": { N: String(item.version) } },
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
        { abortSignal: signal },
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const { namespace, key } = row;
      // Not every database that speaks like DynamoDB says what is in the way.
      const kept = error.Item ?? (await table.get({ namespace, key }, signal));
      return itemFrom(item.kind, kept) ?? upsertOne(item, signal);
    }
  }

  return {
    // Many small requests make a full set.
    timeoutMs: 60_000,
    ...rest,
    async read(signal) {
      if ((await table.get(marker, signal)) === undefined) return undefined;
      const items: Item[] = [];
      for (const kind of kinds) {
        for await (const row of table.rows(namespaces[kind], "all", signal)) {
          const item = itemFrom(kind, row);
          if (item !== undefined) items.push(item);
          else logger.error(`${namespaces[kind]} has no item under ${JSON.stringify(row.key?.S)}: left out`);
        }
      }
      return items;
    },
    async replace(items, signal) {
      const present = new Set(items.map(({ kind, key }) => `${namespaces[kind]} ${key}`));
      const vanished: WriteRequest[] = [];
      for (const kind of kinds) {
        for await (const { namespace, key } of table.rows(namespaces[kind], "keys", signal)) {
          if (namespace === undefined || key === undefined || present.has(`${namespace.S} ${key.S}`))
            continue;
          vanished.push({ DeleteRequest: { Key: { namespace, key } } });
        }
      }
      const written = items.flatMap((item) => {
        const row = rowOf(item);
        return row === undefined ? [] : [{ PutRequest: { Item: { ...row } } }];
      });
      // What is new comes before what is gone, and the marker last: whoever reads meanwhile misses nothing.
      await writeBatches(client, name, [...written, ...vanished], signal);
      await table.put(marker, signal);
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
      return (await table.get(marker, signal)) !== undefined;
    },
  };
}

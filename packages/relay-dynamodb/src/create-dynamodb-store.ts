import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  type PutItemCommandInput,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import {
  type FlagStore,
  type Item,
  type ItemKind,
  itemFromStored,
  type Logger,
  RelayError,
  readStoredItem,
  storedText,
  tellOfLeftOut,
  upsertEach,
} from "@wye/relay";
import type { Ask } from "./ask.js";
import { itemFault } from "./item-size.js";
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

/** How often an item is tried to be written while others write it. */
const maxAttempts = 100;
const kinds = ["flags", "segments"] as const;

type PutCondition = Pick<
  PutItemCommandInput,
  "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/** There is nothing, or something older. */
function isNewer({ version }: Item): PutCondition {
  return {
    ConditionExpression:
      "attribute_not_exists(#namespace) OR attribute_not_exists(#version) OR #version < :version",
    ExpressionAttributeNames: { "#namespace": "namespace", "#version": "version" },
    ExpressionAttributeValues: { ":version": { N: String(version) } },
  };
}

/** The text of an item is still the one that was found. */
function isStill(text: AttributeValue | undefined): PutCondition {
  const names = { ExpressionAttributeNames: { "#item": "item" } };
  if (text === undefined) return { ConditionExpression: "attribute_not_exists(#item)", ...names };
  return { ConditionExpression: "#item = :text", ...names, ExpressionAttributeValues: { ":text": text } };
}

/**
 * Keeps the flags of one environment in the rows of a table, as SDKs in daemon mode expect them. The layout knows no
 * transaction: while a full set is written readers may see old and new items side by side, each of them whole.
 */
export function createDynamoDbStore(parts: DynamoDbStoreParts): FlagStore {
  const { ask, table: name, namespacePrefix, logger, ...rest } = parts;
  const voice = { about: rest.about, logger };
  const table = openTable(ask, name);
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
    const fault = itemFault(namespace, item, text);
    if (fault === undefined) {
      const { key, version } = item;
      return {
        namespace: { S: namespace },
        key: { S: key },
        version: { N: String(version) },
        item: { S: text },
      };
    }
    tellOfLeftOut(item, fault, voice);
    return undefined;
  }

  /** Keeps an item if it is newer, or gives what is kept in its place. What nobody can read gives way whatever its version. */
  async function upsertOne(item: Item, signal: AbortSignal): Promise<Item | undefined> {
    const row = rowOf(item);
    if (row === undefined) return undefined;
    const { namespace, key } = row;
    let condition: PutCondition = isNewer(item);
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        const command = new PutItemCommand({
          TableName: name,
          Item: row,
          ...condition,
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        });
        await ask((client, options) => client.send(command, options), signal);
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        // Not every database that speaks like DynamoDB says what is in the way.
        const found = error.Item ?? (await table.get({ namespace, key }, signal));
        const kept = itemFromStored(item.kind, item.key, found?.item?.S ?? "");
        if (kept !== undefined && kept.version >= item.version) return kept;
        condition = isStill(found?.item);
      }
    }
    throw new RelayError("store_failed", `others write ${JSON.stringify(item.key)} all the time`);
  }

  return {
    // Many requests make a full set; each of them has to be answered sooner, and a table that takes nothing fails by itself.
    timeoutMs: 3_600_000,
    ...rest,
    async read(signal) {
      if ((await table.get(marker, signal)) === undefined) return undefined;
      const items: Item[] = [];
      for (const kind of kinds) {
        for await (const row of table.rows(namespaces[kind], "all", signal)) {
          const [key, text] = [row.key?.S ?? "", row.item?.S ?? ""];
          const place = `${JSON.stringify(key)} of ${namespaces[kind]}`;
          const item = readStoredItem({ kind, key, text, place }, voice);
          if (item !== undefined) items.push(item);
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
      await writeBatches(ask, name, [...written, ...vanished], signal);
      await table.put(marker, signal);
    },
    upsert: (items, signal) => upsertEach(items, (item) => upsertOne(item, signal)),
    async isFilled(signal) {
      return (await table.get(marker, signal)) !== undefined;
    },
  };
}

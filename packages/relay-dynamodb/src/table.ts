import { type AttributeValue, GetItemCommand, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import type { Ask } from "./ask.js";

/** A row as it is written and read. */
export type Row = Readonly<Record<string, AttributeValue>>;

/** The key of a row. */
export interface RowKey {
  readonly namespace: AttributeValue;
  readonly key: AttributeValue;
}

/** A table with `namespace` and `key`, read as it is at the moment. */
export interface Table {
  get(key: Row, signal: AbortSignal): Promise<Row | undefined>;
  put(row: Row, signal: AbortSignal): Promise<void>;
  /** All rows of a namespace. */
  rows(namespace: string, signal: AbortSignal): AsyncIterable<Row>;
}

/** Opens a table; nothing is asked for yet. */
export function openTable(ask: Ask, name: string): Table {
  return {
    async get(key, signal) {
      const command = new GetItemCommand({ TableName: name, Key: key, ConsistentRead: true });
      const { Item } = await ask((client, options) => client.send(command, options), signal);
      return Item;
    },
    async put(row, signal) {
      const command = new PutItemCommand({ TableName: name, Item: row });
      await ask((client, options) => client.send(command, options), signal);
    },
    async *rows(namespace, signal) {
      let start: Record<string, AttributeValue> | undefined;
      do {
        const command = new QueryCommand({
          TableName: name,
          ConsistentRead: true,
          KeyConditionExpression: "#namespace = :namespace",
          ExpressionAttributeNames: { "#namespace": "namespace" },
          ExpressionAttributeValues: { ":namespace": { S: namespace } },
          ...(start === undefined ? {} : { ExclusiveStartKey: start }),
        });
        const page = await ask((client, options) => client.send(command, options), signal);
        yield* page.Items ?? [];
        start = page.LastEvaluatedKey;
      } while (start !== undefined);
    },
  };
}

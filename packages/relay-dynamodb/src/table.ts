import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";

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
  /** All rows of a namespace, or only their keys. */
  rows(namespace: string, parts: "all" | "keys", signal: AbortSignal): AsyncIterable<Row>;
}

/** Opens a table; nothing is asked for yet. */
export function openTable(client: DynamoDBClient, name: string): Table {
  return {
    async get(key, abortSignal) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: name, Key: key, ConsistentRead: true }),
        { abortSignal },
      );
      return Item;
    },
    async put(row, abortSignal) {
      await client.send(new PutItemCommand({ TableName: name, Item: row }), { abortSignal });
    },
    async *rows(namespace, parts, abortSignal) {
      let start: Record<string, AttributeValue> | undefined;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: name,
            ConsistentRead: true,
            KeyConditionExpression: "#namespace = :namespace",
            ExpressionAttributeNames: {
              "#namespace": "namespace",
              ...(parts === "keys" ? { "#key": "key" } : {}),
            },
            ExpressionAttributeValues: { ":namespace": { S: namespace } },
            ...(parts === "keys" ? { ProjectionExpression: "#namespace, #key" } : {}),
            ...(start === undefined ? {} : { ExclusiveStartKey: start }),
          }),
          { abortSignal },
        );
        yield* page.Items ?? [];
        start = page.LastEvaluatedKey;
      } while (start !== undefined);
    },
  };
}

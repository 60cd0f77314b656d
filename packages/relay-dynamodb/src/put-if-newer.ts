import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type Item, itemFromStored, RelayError } from "@wye/relay";
import type { Ask } from "./ask.js";
import type { ItemRow } from "./flag-layout.js";
import { openTable } from "./table.js";

/** How often an item is tried to be written while others write it. */
const maxAttempts = 100;

type PutCondition = Pick<
  PutItemCommandInput,
  "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/**
 * Writes the row of an item if that is newer than what is kept, and gives what is kept otherwise. What nobody can read gives way
 * whatever its version.
 */
export async function putIfNewer(
  ask: Ask,
  tableName: string,
  { item, row }: { readonly item: Item; readonly row: ItemRow },
  signal: AbortSignal,
): Promise<Item | undefined> {
  const { namespace, key } = row;
  const table = openTable(ask, tableName);
  let condition: PutCondition = isNewer(row);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    try {
      const command = new PutItemCommand({
        TableName: tableName,
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

/** There is nothing, or something older. */
function isNewer({ version }: ItemRow): PutCondition {
  return {
    ConditionExpression:
      "attribute_not_exists(#namespace) OR attribute_not_exists(#version) OR #version < :version",
    ExpressionAttributeNames: { "#namespace": "namespace", "#version": "version" },
    ExpressionAttributeValues: { ":version": version },
  };
}

/** The text of an item is still the one that was found. */
function isStill(text: AttributeValue | undefined): PutCondition {
  const names = { ExpressionAttributeNames: { "#item": "item" } };
  if (text === undefined) return { ConditionExpression: "attribute_not_exists(#item)", ...names };
  return { ConditionExpression: "#item = :text", ...names, ExpressionAttributeValues: { ":text": text } };
}

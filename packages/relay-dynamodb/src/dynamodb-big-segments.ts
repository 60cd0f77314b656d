import { type TransactWriteItem, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import {
  type BatchLimits,
  type BigSegmentStore,
  type BigSegmentStoreFactory,
  batchesOf,
  explainFailures,
  type Logger,
} from "@wye/relay";
import type { DynamoDbOptions } from "./dynamodb-options.js";
import { createDynamoDbPlaces, type DynamoDbPlace } from "./dynamodb-places.js";
import { memberUpdates } from "./member-updates.js";
import { remediesFor } from "./remedies.js";
import { openTable } from "./table.js";
import { writeUpdates } from "./write-updates.js";

/** What DynamoDB takes at once; one place is for the condition. Updates are small. */
const transactionLimits: BatchLimits<TransactWriteItem> = {
  count: 99,
  bytes: Number.POSITIVE_INFINITY,
  sizeOf: () => 0,
};

/**
 * Keeps who is in big segments in a DynamoDB table, where the SDKs' own readers of big segments find it. Takes the options
 * of `dynamoDbStore`, and its table and prefix if the SDKs are to find both. Throws when the options are wrong.
 */
export function dynamoDbBigSegments(options: DynamoDbOptions): BigSegmentStoreFactory {
  const places = createDynamoDbPlaces(options, { caller: "dynamoDbBigSegments", what: "big segments" });
  return (context) => {
    const place = places.open(context);
    return explainFailures(createBigSegmentStore(place, context.logger), remediesFor(place.table));
  };
}

function createBigSegmentStore(
  { about, ask, table: name, namespacePrefix, close }: DynamoDbPlace,
  logger: Logger,
): BigSegmentStore {
  const table = openTable(ask, name);
  const context = { ask, table: name, logger };
  const metadataName = { S: `${namespacePrefix}big_segments_metadata` };
  const metadata = { namespace: metadataName, key: metadataName };
  const users = { S: `${namespacePrefix}big_segments_user` };

  return {
    about,
    // Each request has to be answered sooner, and a table that takes nothing fails by itself.
    timeoutMs: 3_600_000,
    async cursor(signal) {
      return (await table.get(metadata, signal))?.lastVersion?.S;
    },
    async apply({ previousVersion, version, ...changes }, signal) {
      const begins = {
        TableName: name,
        Key: metadata,
        ConditionExpression:
          previousVersion === "" ? "attribute_not_exists(lastVersion)" : "lastVersion = :before",
      };
      const before = previousVersion === "" ? {} : { ":before": { S: previousVersion } };
      const values = previousVersion === "" ? {} : { ExpressionAttributeValues: before };
      const condition = { ConditionCheck: { ...begins, ...values } };
      // A step may be larger than a transaction: taking it again is no harm, and the version moves at last.
      for (const some of batchesOf(memberUpdates(name, users, changes), transactionLimits)) {
        if (!(await writeUpdates(context, condition, some, signal))) return false;
      }
      const moved: TransactWriteItem = {
        Update: {
          ...begins,
          UpdateExpression: "SET lastVersion = :after",
          ExpressionAttributeValues: { ...before, ":after": { S: version } },
        },
      };
      return await writeUpdates(context, moved, [], signal);
    },
    async synchronizedOn(signal) {
      const time = Number((await table.get(metadata, signal))?.synchronizedOn?.N);
      return Number.isFinite(time) ? time : undefined;
    },
    async setSynchronizedOn(timeMs, signal) {
      const update = new UpdateItemCommand({
        TableName: name,
        Key: metadata,
        UpdateExpression: "SET synchronizedOn = :time",
        ExpressionAttributeValues: { ":time": { N: String(timeMs) } },
      });
      await ask((client, options) => client.send(update, options), signal);
    },
    async memberships(hash, signal) {
      const row = await table.get({ namespace: users, key: { S: hash } }, signal);
      return { included: row?.included?.SS ?? [], excluded: row?.excluded?.SS ?? [] };
    },
    close,
  };
}

import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { type BigSegmentStore, type BigSegmentStoreFactory, explainFailures, type Logger } from "@wye/relay";
import type { DynamoDbOptions } from "./dynamodb-options.js";
import { createDynamoDbPlaces, type DynamoDbPlace } from "./dynamodb-places.js";
import { remediesFor } from "./remedies.js";
import { openTable, type Row } from "./table.js";
import { takeStep } from "./take-step.js";

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
  const metadataName = { S: `${namespacePrefix}big_segments_metadata` };
  const metadata = { namespace: metadataName, key: metadataName };
  const users = { S: `${namespacePrefix}big_segments_user` };
  const place = { ask, table: name, logger, metadata, users };

  return {
    about,
    // Each request has to be answered sooner, and a table that takes nothing fails by itself.
    timeoutMs: 3_600_000,
    async cursor(signal) {
      return (await table.get(metadata, signal))?.lastVersion?.S;
    },
    apply: (patch, signal) => takeStep(place, patch, signal),
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
      return { included: membersIn(row, "included"), excluded: membersIn(row, "excluded") };
    },
    close,
  };
}

/** What is there and holds no set says of nobody that he is in nothing. */
function membersIn(row: Row | undefined, list: "included" | "excluded"): readonly string[] {
  const found = row?.[list];
  if (found === undefined) return [];
  if (found.SS !== undefined) return found.SS;
  throw new TypeError(`${list} of the item ${JSON.stringify(row?.key?.S)} holds no set of texts`);
}

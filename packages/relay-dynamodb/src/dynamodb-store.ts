import { explainFailures, type FlagStoreFactory } from "@wye/relay";
import { createDynamoDbStore } from "./create-dynamodb-store.js";
import type { DynamoDbOptions } from "./dynamodb-options.js";
import { createDynamoDbPlaces } from "./dynamodb-places.js";
import { remediesFor } from "./remedies.js";

/**
 * Keeps flags in a DynamoDB table: `environments: { production: { …, store: dynamoDbStore({ table }) } }`. One factory may
 * serve several environments, which then share a client. Throws when the options are wrong.
 */
export function dynamoDbStore(options: DynamoDbOptions): FlagStoreFactory {
  const places = createDynamoDbPlaces(options, { caller: "dynamoDbStore", what: "flags" });
  const ttl = places.cacheTtlMs === undefined ? {} : { cacheTtlMs: places.cacheTtlMs };
  return (context) => {
    const place = places.open(context);
    const store = createDynamoDbStore({ ...place, ...ttl, logger: context.logger });
    return explainFailures(store, remediesFor(place.table));
  };
}

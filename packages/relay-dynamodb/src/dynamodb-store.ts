import { describeAddress, type FlagStoreFactory } from "@wye/relay";
import { createDynamoDbStore } from "./create-dynamodb-store.js";
import type { DynamoDbOptions } from "./dynamodb-options.js";
import { createDynamoDbPlaces } from "./dynamodb-places.js";
import { explain } from "./explain.js";

/**
 * Keeps flags in a DynamoDB table: `environments: { production: { …, store: dynamoDbStore({ table }) } }`. One factory may
 * serve several environments, which then share a client. Throws when the options are wrong.
 */
export function dynamoDbStore(options: DynamoDbOptions): FlagStoreFactory {
  const places = createDynamoDbPlaces(options, { caller: "dynamoDbStore", what: "flags" });
  const endpoint = options.connect?.endpoint;
  return (context) => {
    const { prefix, ...place } = places.open(context);
    const store = createDynamoDbStore({
      ...place,
      about: {
        database: "dynamodb",
        ...(typeof endpoint === "string" ? { dbServer: describeAddress(endpoint) } : {}),
        ...(prefix === "" ? {} : { dbPrefix: prefix }),
        dbTable: place.table,
      },
      ...(places.cacheTtlMs === undefined ? {} : { cacheTtlMs: places.cacheTtlMs }),
      logger: context.logger,
    });
    const failed = explain(place.table);
    return {
      ...store,
      read: (signal) => store.read(signal).catch(failed),
      replace: (items, signal) => store.replace(items, signal).catch(failed),
      upsert: (items, signal) => store.upsert(items, signal).catch(failed),
      isFilled: (signal) => store.isFilled(signal).catch(failed),
    };
  };
}

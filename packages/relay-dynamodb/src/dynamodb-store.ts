import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createDatabasePlaces, type FlagStoreFactory, fillPlace, fillPrefix } from "@wye/relay";
import { checkOptions } from "./check-options.js";
import { createDynamoDbStore } from "./create-dynamodb-store.js";
import type { DynamoDbOptions } from "./dynamodb-options.js";
import { explained } from "./explained.js";

/**
 * Keeps flags in a DynamoDB table: `environments: { production: { …, store: dynamoDbStore({ table }) } }`. One factory may
 * serve several environments, which then share a client. Throws when the options are wrong.
 */
export function dynamoDbStore(options: DynamoDbOptions): FlagStoreFactory {
  const { cacheTtlMs } = checkOptions(options);
  const places = createDatabasePlaces();
  const endpoint = options.connect?.endpoint;
  let own: DynamoDBClient | undefined;
  let users = 0;

  return (context) => {
    const table = fillPlace(options.table, context);
    const prefix = fillPrefix(options.prefix ?? "", context);
    const release = places.claim(`table ${table}, prefix "${prefix}"`, context.environment);
    if (options.client === undefined) own ??= new DynamoDBClient(options.connect ?? {});
    users++;
    const store = createDynamoDbStore({
      client: options.client ?? own ?? new DynamoDBClient({}),
      table,
      namespacePrefix: prefix === "" ? "" : `${prefix}:`,
      about: {
        database: "dynamodb",
        ...(typeof endpoint === "string" ? { dbServer: endpoint } : {}),
        ...(prefix === "" ? {} : { dbPrefix: prefix }),
        dbTable: table,
      },
      ...(cacheTtlMs === undefined ? {} : { cacheTtlMs }),
      logger: context.logger,
      async close() {
        release();
        if (--users > 0) return;
        own?.destroy();
        own = undefined;
      },
    });
    return explained(store, table);
  };
}

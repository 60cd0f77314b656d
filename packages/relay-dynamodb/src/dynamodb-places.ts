import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createDatabasePlaces, type FlagStoreContext, fillPlace, fillPrefix } from "@wye/relay";
import { checkOptions } from "./check-options.js";
import type { DynamoDbOptions } from "./dynamodb-options.js";

/** Where one environment keeps something, and how to get there. */
export interface DynamoDbPlace {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly prefix: string;
  /** What namespaces begin with: the prefix and a colon, or nothing. */
  readonly namespacePrefix: string;
  close(): Promise<void>;
}

/** What the environments of one factory share: a client, and the knowledge of who has which place. */
export interface DynamoDbPlaces {
  readonly cacheTtlMs: number | undefined;
  open(context: FlagStoreContext): DynamoDbPlace;
}

/** Reads the options; nothing is connected yet. Throws when they are wrong. */
export function createDynamoDbPlaces(options: DynamoDbOptions): DynamoDbPlaces {
  const { cacheTtlMs } = checkOptions(options);
  const places = createDatabasePlaces();
  let own: DynamoDBClient | undefined;
  let users = 0;
  return {
    cacheTtlMs,
    open(context) {
      const table = fillPlace(options.table, context);
      const prefix = fillPrefix(options.prefix ?? "", context);
      const release = places.claim(`table ${table}, prefix "${prefix}"`, context.environment);
      const client = options.client ?? own ?? new DynamoDBClient(options.connect ?? {});
      if (options.client === undefined) own = client;
      users++;
      return {
        client,
        table,
        prefix,
        namespacePrefix: prefix === "" ? "" : `${prefix}:`,
        async close() {
          release();
          if (--users > 0) return;
          own?.destroy();
          own = undefined;
        },
      };
    },
  };
}

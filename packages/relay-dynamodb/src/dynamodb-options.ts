import type { DynamoDBClient, DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import type { Duration, PlaceTemplate } from "@wye/relay";

/** Where flags are kept. */
export interface DynamoDbOptions {
  /**
   * A table that exists, with the partition key `namespace` and the sort key `key`, both texts. For a table of its own for
   * each environment `$CID` in the name stands for the client-side ID.
   */
  readonly table: PlaceTemplate;
  /**
   * What namespaces begin with; `$CID` stands for the client-side ID, with the filter if there is one. Two environments
   * in one table must not share a prefix. Default: none, and `FILTER` for a payload filter.
   */
  readonly prefix?: PlaceTemplate;
  /** How the SDK of AWS connects: region, endpoint, credentials. Default: as it finds them. */
  readonly connect?: DynamoDBClientConfig;
  /** A client of the host, instead of `connect`; it stays the host's to destroy. */
  readonly client?: DynamoDBClient;
  /**
   * After this time what is kept is read again, so that what other writers have changed is served. Default: never, because
   * upstream tells this relay of every change.
   */
  readonly cacheTtl?: Duration;
}

import { ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { RelayError } from "@wye/relay";

/** Throws errors again; those of a table that is not there name it, as the database does not. */
export function explain(table: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new RelayError(
      "store_failed",
      `there is no table ${JSON.stringify(table)}: make one with the partition key "namespace" and the sort key "key", both texts`,
      { cause: error },
    );
  };
}

import { ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { type FlagStore, RelayError } from "@wye/relay";

/** A store whose errors name the table that is not there: what the database says names nothing. */
export function explained(store: FlagStore, table: string): FlagStore {
  const explain = (error: unknown): never => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new RelayError(
      "store_failed",
      `there is no table ${JSON.stringify(table)}: make one with the partition key "namespace" and the sort key "key", both texts`,
      { cause: error },
    );
  };
  return {
    ...store,
    read: (signal) => store.read(signal).catch(explain),
    replace: (items, signal) => store.replace(items, signal).catch(explain),
    upsert: (items, signal) => store.upsert(items, signal).catch(explain),
  };
}

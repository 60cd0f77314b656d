import { BatchWriteItemCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import { batchesOf, RelayError } from "@wye/relay";
import type { Ask } from "./ask.js";
import { isOutOfCapacity, maxRefusals, pauseAfterRefusal } from "./is-out-of-capacity.js";
import { retrying } from "./retrying.js";

/** The most that DynamoDB takes at once. It takes 16 MB; this much also arrives in time on a slow line. */
const limits = {
  count: 25,
  bytes: 4 * 1024 * 1024,
  // An estimate that is never too small: text has at most three bytes for each unit.
  sizeOf: ({ PutRequest }: WriteRequest) => 3 * (PutRequest?.Item?.item?.S?.length ?? 0),
};
/**
 * Writes and deletes rows; what the table has no capacity for now is tried again after a pause that grows for as long as it takes
 * nothing. A table that takes little gets everything in the end.
 */
export async function writeBatches(
  ask: Ask,
  table: string,
  requests: readonly WriteRequest[],
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batchesOf(requests, limits)) {
    let waiting: readonly WriteRequest[] = batch;
    for (let attempt = 0; waiting.length > 0; ) {
      const refused = await refusedOf(ask, table, waiting, signal);
      attempt = refused.length < waiting.length ? 1 : attempt + 1;
      waiting = refused;
      if (waiting.length === 0) break;
      if (attempt === maxRefusals)
        throw new RelayError("store_failed", `the table ${table} has no capacity for ${waiting.length} rows`);
      await retrying.pause(pauseAfterRefusal(attempt), signal);
    }
  }
}

/** Sends rows; gives those that the table did not take. */
async function refusedOf(
  ask: Ask,
  table: string,
  rows: readonly WriteRequest[],
  signal: AbortSignal,
): Promise<readonly WriteRequest[]> {
  const command = new BatchWriteItemCommand({ RequestItems: { [table]: [...rows] } });
  try {
    const { UnprocessedItems } = await ask((client, options) => client.send(command, options), signal);
    return UnprocessedItems?.[table] ?? [];
  } catch (error) {
    if (isOutOfCapacity(error)) return rows;
    throw error;
  }
}

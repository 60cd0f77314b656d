import { DynamoDBServiceException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";

/** What a table says that takes nothing more now, of a request and of the steps of a transaction. */
const refusals: ReadonlySet<string | undefined> = new Set([
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
  "ProvisionedThroughputExceeded",
  "ThrottlingError",
]);

/** Whether a table has no capacity now, once the client has tried for a while itself. */
export function isOutOfCapacity(error: unknown): boolean {
  if (error instanceof TransactionCanceledException)
    return error.CancellationReasons?.some(({ Code }) => refusals.has(Code)) ?? false;
  return error instanceof DynamoDBServiceException && refusals.has(error.name);
}

/** How often in turn a table may take nothing at all. */
export const maxRefusals = 10;

/** How long to wait after so many refusals in turn. */
export function pauseAfterRefusal(refusals: number): number {
  return 25 * 2 ** refusals;
}

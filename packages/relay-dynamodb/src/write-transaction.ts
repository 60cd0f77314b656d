import {
  DynamoDBServiceException,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import type { Ask } from "./ask.js";
import { retrying } from "./retrying.js";

/** What came of a transaction: everything is done, or nothing. */
export type TransactionOutcome =
  | { readonly kind: "done" }
  /** A condition does not hold. */
  | { readonly kind: "refused" }
  /** Some steps, by their places, cannot be done whatever else there is. */
  | { readonly kind: "invalid"; readonly steps: readonly number[]; readonly message: string }
  /** Something in it cannot be done whatever else there is, and nobody says what. */
  | { readonly kind: "unsound"; readonly error: DynamoDBServiceException };

const maxAttempts = 8;

/** Writes all or nothing. Transactions that meet others at the same rows are tried again after a pause that grows. */
export async function writeTransaction(
  ask: Ask,
  steps: readonly TransactWriteItem[],
  signal: AbortSignal,
): Promise<TransactionOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      const command = new TransactWriteItemsCommand({ TransactItems: [...steps] });
      await ask((client, options) => client.send(command, options), signal);
      return { kind: "done" };
    } catch (error) {
      if (error instanceof DynamoDBServiceException && error.name === "ValidationException")
        return { kind: "unsound", error };
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      if (reasons.some(({ Code }) => Code === "ConditionalCheckFailed")) return { kind: "refused" };
      const invalid = [...reasons.keys()].filter(
        (index) => index > 0 && reasons[index]?.Code === "ValidationError",
      );
      const [first] = invalid;
      if (first !== undefined)
        return { kind: "invalid", steps: invalid, message: reasons[first]?.Message ?? "no reason given" };
      const met = reasons.some(({ Code }) => Code === "TransactionConflict");
      if (!met || attempt === maxAttempts) throw error;
    }
    await retrying.pause(10 * 2 ** attempt * (0.5 + Math.random() / 2), signal);
  }
}

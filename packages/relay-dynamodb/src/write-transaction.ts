import {
  type CancellationReason,
  DynamoDBServiceException,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import type { Ask } from "./ask.js";
import { isOutOfCapacity, maxRefusals, pauseAfterRefusal } from "./is-out-of-capacity.js";
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

/** How often a transaction may meet others. */
const maxConflicts = 8;

/**
 * Writes all or nothing. Transactions that meet others at the same rows, and those that the table has no capacity for, are tried again
 * after a pause that grows.
 */
export async function writeTransaction(
  ask: Ask,
  steps: readonly TransactWriteItem[],
  signal: AbortSignal,
): Promise<TransactionOutcome> {
  const command = new TransactWriteItemsCommand({ TransactItems: [...steps] });
  for (let [conflicts, refusals] = [0, 0]; ; ) {
    try {
      await ask((client, options) => client.send(command, options), signal);
      return { kind: "done" };
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome !== undefined) return outcome;
      if (isOutOfCapacity(error)) {
        if (++refusals === maxRefusals) throw error;
        await retrying.pause(pauseAfterRefusal(refusals), signal);
      } else {
        if (!isConflict(error) || ++conflicts === maxConflicts) throw error;
        await retrying.pause(10 * 2 ** conflicts * (0.5 + Math.random() / 2), signal);
      }
    }
  }
}

/** What cannot be otherwise however often it is tried. */
function outcomeOf(error: unknown): TransactionOutcome | undefined {
  if (error instanceof DynamoDBServiceException && error.name === "ValidationException")
    return { kind: "unsound", error };
  const reasons = reasonsOf(error);
  if (reasons.some(({ Code }) => Code === "ConditionalCheckFailed")) return { kind: "refused" };
  const steps = [...reasons.keys()].filter(
    (index) => index > 0 && reasons[index]?.Code === "ValidationError",
  );
  const [first] = steps;
  if (first === undefined) return undefined;
  return { kind: "invalid", steps, message: reasons[first]?.Message ?? "no reason given" };
}

function isConflict(error: unknown): boolean {
  return reasonsOf(error).some(({ Code }) => Code === "TransactionConflict");
}

function reasonsOf(error: unknown): readonly CancellationReason[] {
  return error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
}

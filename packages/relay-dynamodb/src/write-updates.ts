import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Logger } from "@wye/relay";
import type { Ask } from "./ask.js";
import { writeTransaction } from "./write-transaction.js";

/** With what updates are written, and where is told of those that cannot be. */
export interface UpdateContext {
  readonly ask: Ask;
  readonly table: string;
  readonly logger: Logger;
}

/** Under which condition updates are written. */
export interface Guard {
  /** The condition alone. */
  readonly check: TransactWriteItem;
  /** What goes with the last of them: the condition, and what it changes perhaps. */
  readonly last: TransactWriteItem;
}

/** Writes what can be written of some updates of members if the condition holds; tells whether it did. */
export async function writeUpdates(
  context: UpdateContext,
  { check, last }: Guard,
  updates: readonly TransactWriteItem[],
  signal: AbortSignal,
): Promise<boolean> {
  const write = (some: readonly TransactWriteItem[], end = last) =>
    writeUpdates(context, { check, last: end }, some, signal);
  const outcome = await writeTransaction(context.ask, [last, ...updates], signal);
  if (outcome.kind === "invalid") {
    const refused = new Set(outcome.steps.map((place) => updates[place - 1]));
    report(context, [...refused], outcome.message);
    return await write(updates.filter((one) => !refused.has(one)));
  }
  if (outcome.kind !== "unsound") return outcome.kind === "done";
  if (updates.length === 0) throw outcome.error;
  if (updates.length === 1) {
    // Only if the condition alone is taken is it the update that is not.
    const holds = await write([]);
    if (holds) report(context, updates, outcome.error.message);
    return holds;
  }
  const middle = Math.ceil(updates.length / 2);
  return (await write(updates.slice(0, middle), check)) && (await write(updates.slice(middle)));
}

function report(
  { table, logger }: UpdateContext,
  refused: readonly (TransactWriteItem | undefined)[],
  why: string,
): void {
  for (const one of refused) {
    const { namespace, key } = one?.Update?.Key ?? {};
    logger.error(
      `big segments: DynamoDB does not take a change of the item ${JSON.stringify(key?.S)} of ${namespace?.S} in table ${table}, which has no sets or no room: this context is left out, the others are not; once it is put right, delete the row of big_segments_metadata, so that all memberships are asked for again (${why})`,
    );
  }
}

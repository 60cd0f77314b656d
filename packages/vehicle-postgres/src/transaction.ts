import type { Client } from "pg";
import { serverTimeout } from "./numbers.js";

/**
 * How a transaction is begun: with one view of the data for all of its queries; or to write, where each statement sees what those have
 * done whom it has waited for, whatever the default of the database is.
 */
const beginnings = {
  read: "begin isolation level repeatable read, read only",
  write: "begin isolation level read committed",
} as const;

/** Where a transaction finds its tables, and how long each of its statements may take. */
export interface Place {
  readonly schema: string;
  readonly timeoutMs: number;
}

/**
 * Begins a transaction with the tables of a schema at hand. The server gives a statement up when we do: otherwise a session that waits
 * for a lock would stay when its connection is long gone, one more with every try.
 */
export async function begin(
  client: Client,
  { schema, timeoutMs }: Place,
  kind: keyof typeof beginnings,
): Promise<void> {
  // Only for this transaction, so that it works behind a pool that hands connections round. `public` is where
  // extensions usually are.
  await client.query(
    `${beginnings[kind]}; set local search_path to ${schema}, public; set local statement_timeout = ${serverTimeout(timeoutMs)}`,
  );
}

/** Runs a task in a transaction. A task that fails leaves nothing behind. */
export async function inTransaction<Result>(
  client: Client,
  place: Place,
  kind: keyof typeof beginnings,
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    await begin(client, place, kind);
    const result = await task();
    await client.query("commit");
    return result;
  } catch (error) {
    // The first error is the one to tell of; a connection that is gone has rolled back by itself.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

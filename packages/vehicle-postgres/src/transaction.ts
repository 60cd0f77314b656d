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
 * for a lock would stay when its connection is long gone, one more with every try. And no sooner, whatever patience with locks the database has.
 */
async function begin(
  client: Client,
  { schema, timeoutMs }: Place,
  kind: keyof typeof beginnings,
): Promise<void> {
  // Only for this transaction, so that it works behind a pool that hands connections round. `public` is where
  // extensions usually are.
  await client.query(
    `${beginnings[kind]}; set local search_path to ${schema}, public; set local lock_timeout = 0; set local statement_timeout = ${serverTimeout(timeoutMs)}`,
  );
}

/**
 * Begins a transaction that sees the tables as they are at one moment. To a view that is older than a `truncate` a table is empty, and
 * what was put in since is not there yet. So whoever has emptied a table is waited for before there is a view: a lock takes none, and
 * needs no right but to read. Vehicles come first, because whoever empties brands has to empty them too.
 */
export async function beginView(client: Client, place: Place): Promise<void> {
  await begin(client, place, "read");
  await client.query(`lock table ${place.schema}.vehicles, ${place.schema}.brands in access share mode`);
}

/** Runs a task in a transaction. A task that fails leaves nothing behind. */
export function inTransaction<Result>(
  client: Client,
  place: Place,
  kind: keyof typeof beginnings,
  task: () => Promise<Result>,
): Promise<Result> {
  return begun(client, () => begin(client, place, kind), task);
}

/** Runs a task that reads the tables as they are at one moment. */
export function inView<Result>(client: Client, place: Place, task: () => Promise<Result>): Promise<Result> {
  return begun(client, () => beginView(client, place), task);
}

async function begun<Result>(
  client: Client,
  beginning: () => Promise<void>,
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    await beginning();
    const result = await task();
    await client.query("commit");
    return result;
  } catch (error) {
    // The first error is the one to tell of; a connection that is gone has rolled back by itself.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

import type { Client } from "pg";

/** How a transaction is begun: with one view of the data for all of its queries, or to write. */
const beginnings = {
  read: "begin isolation level repeatable read, read only",
  write: "begin",
} as const;

/** Runs a task in a transaction with the tables of a schema at hand. A task that fails leaves nothing behind. */
export async function inTransaction<Result>(
  client: Client,
  schema: string,
  kind: keyof typeof beginnings,
  task: () => Promise<Result>,
): Promise<Result> {
  await client.query(beginnings[kind]);
  try {
    // Only for this transaction, so that it works behind a pool that hands connections round. `public` is where
    // extensions usually are.
    await client.query(`set local search_path to ${schema}, public`);
    const result = await task();
    await client.query("commit");
    return result;
  } catch (error) {
    // The first error is the one to tell of; a connection that is gone has rolled back by itself.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import { givesWay } from "./database-failure.js";

/** Whoever waits to change a table has all others wait behind, readers too: no longer than this at a time, and then they come first. */
const queueMs = 2000;
const pauseMs = 500;

/**
 * Runs a part of a transaction as soon as nobody holds what it changes, until a moment of `performance.now()`. What the transaction has
 * locked before stays locked: others who would make the same must not wait in its place meanwhile, or nobody passes.
 */
export async function givingWay<Result>(
  client: Client,
  end: number,
  task: () => Promise<Result>,
): Promise<Result> {
  await client.query(`set local lock_timeout = ${queueMs}; savepoint before_waiting`);
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!givesWay(error) || performance.now() >= end) throw error;
      await client.query("rollback to savepoint before_waiting");
      await setTimeout(pauseMs);
    }
  }
}

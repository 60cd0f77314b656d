import type { Logger } from "@wye/vehicle-catalogue/server";
import pg, { type Pool } from "pg";
import { clientConfig, type PostgresConnection } from "./client-config.js";

/** How many connections a pool has, and what becomes of those that fail. */
export interface PoolSettings {
  readonly connections: number;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** Less than the usual 0.6, which misses two slips in two words. */
const leastSimilarity = 0.4;

/** Connections that are opened when they are needed. One that is lost while it is idle harms nobody. */
export function openPool(
  connection: PostgresConnection,
  { connections, timeoutMs, logger }: PoolSettings,
): Pool {
  const pool = new pg.Pool({
    ...clientConfig(connection, timeoutMs),
    max: connections,
    // How much of a query has to be found, by the measure of `<%`; and when the server gives up what we do not wait for any
    // more. The pool waits for it.
    async onConnect(client) {
      await client.query(
        `set pg_trgm.word_similarity_threshold = ${leastSimilarity}; set statement_timeout = ${serverTimeout(timeoutMs)}`,
      );
    },
  });
  pool.on("error", (error) => logger.warn(`a connection was lost: ${error.message}`));
  return pool;
}

/**
 * Puts a question, unless nobody waits for the answer any more: then it is never put. One that was put keeps its connection until it is
 * answered, so that the server never has more to do than there are connections.
 */
export async function ask<Row extends object>(
  pool: Pool,
  question: { readonly text: string; readonly values: readonly unknown[] },
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  signal?.throwIfAborted();
  const answer = put<Row>(pool, question, signal);
  return signal === undefined ? answer : unlessAborted(answer, signal);
}

async function put<Row extends object>(
  pool: Pool,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const client = await pool.connect();
  if (signal?.aborted === true) {
    client.release();
    throw signal.reason;
  }
  let lose: (error: unknown) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  // A connection that is lost tells it to whoever has it, and ends the process when nobody listens.
  client.on("error", lose);
  try {
    const { rows } = await Promise.race([client.query<Row>(text, [...values]), lost]);
    client.off("error", lose);
    client.release();
    return rows;
  } catch (error) {
    client.off("error", lose);
    // Nobody knows what is left on a connection that failed.
    client.release(true);
    throw error;
  }
}

function unlessAborted<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** In whole milliseconds, of which the server takes so many at most. */
function serverTimeout(timeoutMs: number): number {
  return Math.min(Math.ceil(timeoutMs), 2 ** 31 - 1);
}

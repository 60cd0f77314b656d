import type { Logger } from "@wye/vehicle-catalogue/server";
import pg, { type Pool, type PoolClient } from "pg";
import { clientConfig, type PostgresConnection } from "./client-config.js";
import { databaseFailure } from "./database-failure.js";
import { serverTimeout } from "./numbers.js";

/** How many connections a pool has, and what becomes of those that fail. */
export interface PoolSettings {
  readonly connections: number;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** Less than the usual 0.6, which misses two slips in two words. */
const leastSimilarity = 0.4;

/** One statement that asks something. */
export interface Question {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Puts questions over several connections. */
export interface QuestionPool {
  /**
   * Puts a question, unless nobody waits for the answer any more: then it is never put. One that was put keeps its connection until it is
   * answered, so that the server never has more to do than there are connections.
   */
  ask<Row extends object>(question: Question, signal: AbortSignal | undefined): Promise<readonly Row[]>;
  end(): Promise<void>;
}

/** Connections that are opened when they are needed. One that is lost while it is idle harms nobody. */
export function openPool(
  connection: PostgresConnection,
  { connections, timeoutMs, logger }: PoolSettings,
): QuestionPool {
  const pool = new pg.Pool({ ...clientConfig(connection, timeoutMs), max: connections });
  pool.on("error", (error) => logger.warn(`a connection was lost: ${error.message}`));
  // How much of a query has to be found, by the measure of `<%`; and when the server gives up what we do not wait for any more. Both for
  // one transaction alone: behind a pooler that hands connections round, the session is everybody's.
  const beginning = `begin read only; set local pg_trgm.word_similarity_threshold = ${leastSimilarity};
    set local lock_timeout = 0; set local statement_timeout = ${serverTimeout(timeoutMs)}`;
  return {
    async ask<Row extends object>(question: Question, signal: AbortSignal | undefined) {
      signal?.throwIfAborted();
      const answer = put(pool, signal, async (client) => {
        await client.query(beginning);
        const { rows } = await client.query<Row>(question.text, [...question.values]);
        await client.query("commit");
        return rows;
      }).catch((error: unknown) => {
        throw databaseFailure(error, timeoutMs);
      });
      return signal === undefined ? answer : unlessAborted(answer, signal);
    },
    end: () => pool.end(),
  };
}

async function put<Row extends object>(
  pool: Pool,
  signal: AbortSignal | undefined,
  task: (client: PoolClient) => Promise<readonly Row[]>,
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
    const rows = await Promise.race([task(client), lost]);
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

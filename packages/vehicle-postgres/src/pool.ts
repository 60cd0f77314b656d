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
    // How much of a query has to be found, by the measure of `<%`. The pool waits for it.
    async onConnect(client) {
      await client.query(`set pg_trgm.word_similarity_threshold = ${leastSimilarity}`);
    },
  });
  pool.on("error", (error) => logger.warn(`a connection was lost: ${error.message}`));
  return pool;
}

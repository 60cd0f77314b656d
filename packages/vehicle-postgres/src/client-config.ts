import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";

/** Where the database is. What is left out comes from the environment (`PGHOST`, `PGUSER`, …), as for `psql`. */
export interface PostgresConnection {
  /** All of it in one URL, the password included. */
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  /** A function is asked for every new connection: so a password may change while the program runs. Not beside a URL. */
  readonly password?: string | (() => string | Promise<string>);
  readonly ssl?: boolean | ConnectionOptions;
}

/** What the driver is told. Throws for what it would silently leave out. */
export function clientConfig({ ssl, ...connection }: PostgresConnection, timeoutMs: number): ClientConfig {
  if (connection.connectionString !== undefined && connection.password !== undefined) {
    // The driver takes the password of the URL, also where that has none.
    throw new TypeError(
      "connection: give the password in connectionString, or host, user and database beside it",
    );
  }
  return {
    ...connection,
    ...(ssl !== undefined && { ssl: typeof ssl === "boolean" ? ssl : { ...ssl } }),
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    fallback_application_name: "@wye/vehicle-postgres",
  };
}

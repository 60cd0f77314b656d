import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import { checkMembers, type Names } from "./check-members.js";
import { checkMs } from "./numbers.js";

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

const names: Names<PostgresConnection> = {
  connectionString: 1,
  host: 1,
  port: 1,
  database: 1,
  user: 1,
  password: 1,
  ssl: 1,
};

/** What the driver is told. Throws for what it would silently leave out, and then ask another database. */
export function clientConfig(given: PostgresConnection, timeoutMs: number): ClientConfig {
  checkConnection(given);
  const waitMs = checkMs("timeoutMs", timeoutMs);
  const { ssl, ...connection } = given;
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
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    fallback_application_name: "@wye/vehicle-postgres",
  };
}

function checkConnection(connection: unknown): void {
  if (typeof connection !== "object" || connection === null) {
    throw new TypeError(
      'connection must be an object: { connectionString: "postgres://…" }, or { host, user, … }',
    );
  }
  checkMembers("connection", connection, names);
  if ("connectionString" in connection && typeof connection.connectionString !== "string") {
    // A variable of the environment that is not there must not lead to whatever database is the default one.
    throw new TypeError(
      "connection.connectionString must be a text; leave it out for what the environment says",
    );
  }
}

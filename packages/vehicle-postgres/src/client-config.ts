import type { ConnectionOptions } from "node:tls";
import { CatalogueError } from "@wye/vehicle-catalogue/server";
import { Client, type ClientConfig } from "pg";
import { checkMembers, isObject, type Members, shown } from "./check-members.js";
import { isOfFile, reasonOf } from "./database-failure.js";
import { checkMs } from "./numbers.js";

/** Where the database is. What is left out comes from the environment (`PGHOST`, `PGUSER`, …), as for `psql`. */
export interface PostgresConnection {
  /** All of it in one URL, the password included. Beside it there may be `ssl`, unless the URL says something of that. */
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  /**
   * A function is asked for every new connection: so a password may change while the program runs. Not beside a URL. One line break at its
   * end is taken off, as files have it.
   */
  readonly password?: string | (() => string | Promise<string>);
  /** `true`, or what Node takes for TLS: `{ ca }` for an authority of one's own. The server's certificate and name are checked. */
  readonly ssl?: boolean | ConnectionOptions;
}

const members: Members<PostgresConnection> = {
  connectionString: 1,
  host: "a text",
  port: 1,
  database: "a text",
  user: "a text",
  password: 1,
  ssl: 1,
};

/** What the driver is told. Throws for what it would silently leave out, and then ask another database. */
export function clientConfig(given: PostgresConnection, timeoutMs: number): ClientConfig {
  checkConnection(given);
  const waitMs = checkMs("timeoutMs", timeoutMs);
  const { ssl, password, ...connection } = given;
  return {
    ...connection,
    ...(password !== undefined && {
      password: typeof password === "function" ? asked(password) : line(password),
    }),
    ...(ssl !== undefined && { ssl: typeof ssl === "boolean" ? ssl : { ...ssl } }),
    keepAlive: true,
    keepAliveInitialDelayMillis: waitMs,
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    fallback_application_name: "@wye/vehicle-postgres",
  };
}

/** What a file of one line says. */
function line(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** A function of the host may do anything. */
function asked(password: () => unknown): () => Promise<string> {
  return async () => {
    let given: unknown;
    try {
      given = await password();
    } catch (cause) {
      const message = `connection.password() has given no password: ${reasonOf(cause)}`;
      throw new CatalogueError("unavailable", message, { cause });
    }
    if (typeof given === "string") return line(given);
    throw new TypeError(`connection.password() must give a text; got ${shown(given)}`);
  };
}

function checkConnection(connection: unknown): asserts connection is PostgresConnection {
  if (!isObject(connection)) {
    throw new TypeError(
      `connection must be an object: { connectionString: "postgres://…" }, or { host, user, … }; got ${typeof connection === "string" ? "a text" : shown(connection)}`,
    );
  }
  checkMembers("connection", connection, members);
  for (const [name, value] of Object.entries(connection)) {
    // What follows it the driver would send as settings of the session.
    if (typeof value === "string" && value.includes("\u0000")) {
      throw new TypeError(`connection: ${name} must not have the character NUL`);
    }
  }
  // The members have just been found to be those.
  const { connectionString, port, password, ssl }: Record<string, unknown> = { ...connection };
  if (port !== undefined && !(Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    throw new TypeError(`connection: port must be a whole number from 1 to 65535; got ${shown(port)}`);
  }
  if (password !== undefined && typeof password !== "string" && typeof password !== "function") {
    // Whatever it is, it may be half of a secret.
    throw new TypeError("connection: password must be a text, or a function that gives one");
  }
  if (ssl !== undefined && typeof ssl !== "boolean" && !isObject(ssl)) {
    throw new TypeError(`connection: ssl must be true, false or an object; got ${shown(ssl)}`);
  }
  if ("connectionString" in connection) checkUrl(connectionString, connection);
}

/** What a URL may not be accompanied by, because the driver takes what the URL says of it, even if that is nothing. */
const inUrls = ["host", "port", "database", "user", "password"];

const encoding = "Write characters such as @ / # % of user, password and database as %40 %2F %23 %25.";

/** Of these the driver takes half of a password for a port or the name of a database or socket, which servers and systems repeat. */
const misread = /^(?:postgres(?:ql)?:\/\/(?:[^/?#]*\/[^?#]*@|[^#]*#)|(?:socket:)?\/(?!\/)[^?]*:[^?]*@)/;

function checkUrl(url: unknown, connection: object): void {
  if (typeof url !== "string") {
    // A variable of the environment that is not there must not lead to whatever database is the default one.
    throw new TypeError(
      "connection.connectionString must be a text; leave it out for what the environment says",
    );
  }
  if (!/^(?:postgres(?:ql)?:\/\/|socket:|\/(?!\/))/.test(url)) {
    // The driver takes a list of settings for the name of a database of this machine. It may have a password.
    throw new TypeError(
      "connection.connectionString must be a URL: postgres://user:password@host:port/database",
    );
  }
  if (misread.test(url)) {
    throw new TypeError(`connection.connectionString has @ or # after the host. ${encoding}`);
  }
  const lost = Object.entries(connection).find(
    ([name, value]) => inUrls.includes(name) && value !== undefined,
  );
  if (lost !== undefined) {
    throw new TypeError(`connection: give ${lost[0]} in connectionString, or everything beside it`);
  }
  if ("ssl" in connection && connection.ssl !== undefined && /[?&]ssl[a-z]*=/.test(url)) {
    throw new TypeError(
      "connection: connectionString says something of TLS, which would replace ssl: take it out of the URL, or leave ssl out (sslrootcert=FILE is what ca is)",
    );
  }
  try {
    // Connects to nothing yet.
    new Client({ connectionString: url });
  } catch (error) {
    // A file that the URL names may be there later.
    if (isOfFile(error)) return;
    throw new TypeError(
      `connection.connectionString is no URL of a database: ${reasonOf(error)}. ${encoding}`,
    );
  }
}

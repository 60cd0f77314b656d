import { Socket } from "node:net";
import { Client } from "pg";
import { clientConfig, type PostgresConnection } from "./client-config.js";
import { databaseFailure } from "./database-failure.js";

/** A connection that can always be given up. */
export interface OpenConnection {
  readonly client: Client;
  /** Rejects when the connection is lost, and resolves never. */
  readonly lost: Promise<never>;
  /** Says goodbye if the server listens, and leaves in any case. */
  close(): Promise<void>;
}

/** How long a goodbye may take. */
const goodbyeMs = 1000;

/**
 * Opens one connection. Connecting and every query end after `timeoutMs`, however silent the other side is; connecting
 * also ends when `givenUp` resolves.
 */
export async function openConnection(
  connection: PostgresConnection,
  timeoutMs: number,
  givenUp?: Promise<void>,
): Promise<OpenConnection> {
  const socket = new Socket();
  const client = new Client({ ...clientConfig(connection, timeoutMs), stream: () => socket });
  const lost = new Promise<never>((_, reject) => {
    // A turn later: a server that says why it hangs up says so to the query that waits, whose task has to tell it before.
    const lose = (reason: Error): void => void setImmediate(reject, reason);
    client.on("error", lose);
    client.on("end", () => lose(new Error("the connection ended")));
  });
  // Whoever waits learns of it; a connection that nobody waits for may be lost in silence.
  lost.catch(() => {});
  const close = async (): Promise<void> => {
    const timer = setTimeout(() => socket.destroy(), goodbyeMs);
    await client.end().catch(() => {});
    clearTimeout(timer);
    socket.destroy();
  };
  let isConnecting = true;
  const giveUp = (): void => {
    if (isConnecting) socket.destroy();
  };
  givenUp?.then(giveUp, giveUp);
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    isConnecting = false;
  }
  return { client, lost, close };
}

/** Opens a connection for one task, and closes it whatever comes of the task. Rejects with an error of this package. */
export async function withConnection<Result>(
  connection: PostgresConnection,
  timeoutMs: number,
  task: (client: Client) => Promise<Result>,
): Promise<Result> {
  try {
    const { client, lost, close } = await openConnection(connection, timeoutMs);
    try {
      return await Promise.race([task(client), lost]);
    } finally {
      await close();
    }
  } catch (error) {
    throw databaseFailure(error, timeoutMs);
  }
}

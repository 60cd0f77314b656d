import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import pg from "pg";
import type { PostgresConnection } from "../src/index.js";

/** A pooler that gives each transaction the session that has been free for longest, as PgBouncer does with `pool_mode = transaction`. */
export interface TransactionPooler {
  readonly connection: PostgresConnection;
  close(): Promise<void>;
}

export async function transactionPooler(
  { connection: target }: { readonly connection: PostgresConnection },
  sessions: number,
): Promise<TransactionPooler> {
  const sockets = new Set<Duplex>();
  const free: Duplex[] = [];
  const waiting: ((session: Duplex) => void)[] = [];
  const offer = (session: Duplex): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(session);
    else next(session);
  };
  const open = async (): Promise<void> => {
    const client = new pg.Client({ ...target });
    await client.connect();
    const session = client.connection.stream;
    for (const event of ["data", "error", "close"]) session.removeAllListeners(event);
    session.on("error", () => {});
    sockets.add(session);
    offer(session);
  };
  /** A session in the middle of a transaction is nobody's any more. */
  const replace = (session: Duplex): void => {
    session.destroy();
    sockets.delete(session);
    open().catch(() => {});
  };
  const take = async (): Promise<Duplex> =>
    free.shift() ?? (await new Promise<Duplex>((resolve) => waiting.push(resolve)));
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    serve(client, { take, offer, replace });
  });
  for (let one = 0; one < sessions; one++) await open();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    connection: { ...target, port: typeof address === "object" && address !== null ? address.port : 0 },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** How a client gets a session and gives it back. */
interface Sessions {
  take(): Promise<Duplex>;
  offer(session: Duplex): void;
  replace(session: Duplex): void;
}

const terminate = "X".charCodeAt(0);
const welcome = Buffer.from([..."R\0\0\0\b\0\0\0\0Z\0\0\0\u0005I"].map((letter) => letter.charCodeAt(0)));

function serve(client: Socket, { take, offer, replace }: Sessions): void {
  let session: Duplex | undefined;
  const release = (): void => {
    const done = session;
    session = undefined;
    done?.removeAllListeners("data");
    if (done !== undefined) offer(done);
  };
  const pass = async (bytes: Buffer): Promise<void> => {
    if (session === undefined) {
      if (bytes[0] === terminate) return void client.end();
      const taken = await take();
      if (client.destroyed) return offer(taken);
      session = taken;
      const isOver = transactionEnds();
      taken.on("data", (answer: Buffer) => {
        client.write(answer);
        if (isOver(answer)) release();
      });
    }
    session.write(bytes);
  };
  let last = Promise.resolve();
  client.once("data", () => {
    client.write(welcome);
    client.on("data", (bytes: Buffer) => {
      last = last.then(() => pass(bytes));
    });
  });
  client.on("close", () => {
    if (session !== undefined) replace(session);
    session = undefined;
  });
}

/** Looks whether what a server has sent ends with its being ready, outside of a transaction. */
function transactionEnds(): (bytes: Buffer) => boolean {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let isOver = false;
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) break;
      isOver = rest.toString("latin1", 0, 1) === "Z" && rest.toString("latin1", 5, 6) === "I";
      rest = rest.subarray(end);
    }
    return isOver && rest.length === 0;
  };
}

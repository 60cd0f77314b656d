import { type FlagStoreContext, type Logger, messageOf, orAborted, withRemedy } from "@wye/relay";
import { describeServer } from "./describe-server.js";
import { patienceMs, transportMs } from "./patience.js";
import { createRedisClient, type RedisClient } from "./redis-client.js";
import type { SendCommand } from "./redis-command.js";
import type { RedisOptions } from "./redis-options.js";
import { remedies } from "./remedies.js";

/** The use of a connection by one store. */
export interface ConnectionLease {
  readonly command: SendCommand;
  /** The last one that ends closes the connection. */
  end(): void;
}

interface Connection {
  readonly client: RedisClient;
  readonly connected: Promise<unknown>;
  /** Whether it was made once: from then on commands are sent, or fail at once. */
  isReady: boolean;
  /** Those who wait for the connection are told of what is in its way, whatever the client goes on trying. */
  readonly waiting: Set<(reason: unknown) => void>;
  /** What all that was not answered yet takes on the slowest line. */
  onTheWayMs: number;
}

/**
 * One connection for several stores. It is made when the first command is sent, and again whenever it is lost or nobody
 * answers on it. Commands wait for it until that fails or they are aborted, and are then not sent any more.
 */
export function shareConnection(
  options: RedisOptions,
  connectTimeoutMs: number,
): (context: Pick<FlagStoreContext, "logger" | "clock">) => ConnectionLease {
  const name = `Redis at ${describeServer(options)}`;
  let current: Connection | undefined;
  let leases = 0;

  function connect(logger: Logger): Connection {
    const report = reporter(logger, name);
    const waiting: Connection["waiting"] = new Set();
    const client = createRedisClient(options, connectTimeoutMs, (error) => {
      report(error);
      for (const fail of waiting) fail(error);
    });
    const connection: Connection = {
      client,
      connected: client.connect(),
      isReady: false,
      waiting,
      onTheWayMs: 0,
    };
    connection.connected.then(
      () => {
        connection.isReady = true;
      },
      // A client that knows no server of a cluster or no sentinel gives up: the next command makes another.
      (error: unknown) => drop(connection, error),
    );
    return connection;
  }

  function drop(connection: Connection, reason: unknown): void {
    if (current !== connection) return;
    current = undefined;
    connection.client.destroy();
    for (const fail of connection.waiting) fail(reason);
  }

  return ({ logger, clock }) => {
    /**
     * Gives a connection up unless the promise settles in time; whoever waits for that may have gone long ago. Redis answers in
     * turn: a command without a reply for longer than it and all before it take is on a connection that is dead, even if nothing
     * on the way says so. Redis that only is very busy is asked again by another one.
     */
    async function within<Reply>(ms: number, connection: Connection, reply: Promise<Reply>): Promise<Reply> {
      const cancel = clock.schedule(ms, () => {
        const reason = new Error(`no answer within ${ms} ms`);
        logger.warn(`${name}: ${reason.message}; connecting anew`);
        drop(connection, reason);
      });
      return await reply.finally(cancel);
    }

    /** Of several nodes that may hang the client tries one after the other, and knows best how long that takes. */
    async function untilReady(connection: Connection): Promise<void> {
      const connecting = untilConnected(connection);
      const hasOneServer = options.sentinel === undefined && options.cluster === undefined;
      await (hasOneServer
        ? within(Math.max(patienceMs(0), connectTimeoutMs), connection, connecting)
        : connecting);
    }

    leases++;
    let ended = false;
    return {
      async command(key, words, signal, replyBytes) {
        if (ended) throw new Error("the connection to Redis is closed");
        current ??= connect(logger);
        const connection = current;
        const { client } = connection;
        if (!connection.isReady) await orAborted(untilReady(connection), signal);
        signal.throwIfAborted();
        const transport = transportMs(words, replyBytes);
        connection.onTheWayMs += transport;
        const limitMs = patienceMs(connection.onTheWayMs);
        const reply = client.send(key, words).catch((error: unknown) => {
          // The address may lead to the new leader by now, for whoever connects anew.
          if (isOfNoLeader(error)) drop(connection, error);
          throw error;
        });
        const answered = reply.finally(() => {
          connection.onTheWayMs -= transport;
        });
        return await orAborted(within(limitMs, connection, answered), signal);
      },
      end() {
        if (ended) return;
        ended = true;
        if (--leases > 0) return;
        current?.client.destroy();
        current = undefined;
      },
    };
  };
}

/** Waits for a connection that is being made, until the first failure. */
async function untilConnected({ connected, waiting }: Connection): Promise<void> {
  let fail = (_reason: unknown) => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  waiting.add(fail);
  try {
    await Promise.race([connected, failure]);
  } finally {
    waiting.delete(fail);
  }
}

/**
 * Whether a server has refused because it does not lead, or not yet. After a fail-over behind one address such a server may keep
 * its old connections for ever. Before Redis 7 the word stands inside of what scripts say.
 */
function isOfNoLeader(error: unknown): boolean {
  return error instanceof Error && /^(READONLY|MASTERDOWN|LOADING) |-READONLY /.test(error.message);
}

/** Clients tell of every attempt to connect: one line for each new reason is enough. */
function reporter(logger: Logger, name: string): (error: Error) => void {
  let last = "";
  return (error) => {
    const message = messageOf(withRemedy(error, remedies));
    if (message !== last) logger.warn(`${name}: ${message}`);
    last = message;
  };
}

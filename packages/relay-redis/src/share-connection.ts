import type { Logger } from "@wye/relay";
import { createRedisClient, type RedisClient } from "./redis-client.js";
import type { RedisCommand } from "./redis-command.js";
import type { RedisOptions } from "./redis-options.js";

/** The use of a connection by one store. */
export interface ConnectionLease {
  readonly command: RedisCommand;
  /** The last one that ends closes the connection. */
  end(): void;
}

/**
 * One connection for several stores. It is made when the first command is sent, and again whenever it is lost. Commands wait
 * for it until they are aborted, and are then not sent any more.
 */
export function shareConnection(
  options: RedisOptions,
  connectTimeoutMs: number,
): (logger: Logger) => ConnectionLease {
  let current: { readonly client: RedisClient; readonly connected: Promise<unknown> } | undefined;
  let leases = 0;

  function connect(logger: Logger): NonNullable<typeof current> {
    const client = createRedisClient(options, connectTimeoutMs, reporter(logger));
    const connection = { client, connected: client.connect() };
    // A client that knows no server of a cluster or no sentinel gives up: the next command makes another.
    connection.connected.catch(() => {
      if (current !== connection) return;
      current = undefined;
      client.destroy();
    });
    return connection;
  }

  return (logger) => {
    leases++;
    let ended = false;
    return {
      async command(key, words, signal) {
        if (ended) throw new Error("the connection to Redis is closed");
        current ??= connect(logger);
        const { client, connected } = current;
        await unlessAborted(connected, signal);
        return await unlessAborted(client.send(key, words), signal);
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

/** Clients tell of every attempt to connect: one line for each new reason is enough. */
function reporter(logger: Logger): (error: Error) => void {
  let last = "";
  return ({ message }) => {
    if (message !== last) logger.warn(`Redis: ${message}`);
    last = message;
  };
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

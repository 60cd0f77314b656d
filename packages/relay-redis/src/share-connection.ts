import type { FlagStoreContext } from "@wye/relay";
import type { SendCommand } from "./redis-command.js";
import { RedisConnection } from "./redis-connection.js";
import type { RedisOptions } from "./redis-options.js";

/** The use of a connection by one store. */
export interface ConnectionLease {
  readonly command: SendCommand;
  /** The last one that ends closes the connection. */
  end(): void;
}

/** One connection for several stores. It is made when the first command is sent, and again after it is lost or nobody answers on it. */
export function shareConnection(
  options: RedisOptions,
  connectTimeoutMs: number,
): (context: Pick<FlagStoreContext, "logger" | "clock">) => ConnectionLease {
  let current: RedisConnection | undefined;
  let leases = 0;

  function connect(context: Pick<FlagStoreContext, "logger" | "clock">): RedisConnection {
    const over = () => {
      if (current === connection) current = undefined;
    };
    const connection = new RedisConnection({ options, connectTimeoutMs, context, over });
    return connection;
  }

  return (context) => {
    leases++;
    let ended = false;
    return {
      async command(...call) {
        if (ended) throw new Error("the connection to Redis is closed");
        current ??= connect(context);
        return await current.command(...call);
      },
      end() {
        if (ended) return;
        ended = true;
        if (--leases === 0) current?.end();
      },
    };
  };
}

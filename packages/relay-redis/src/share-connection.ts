import type { FlagStoreContext } from "@wye/relay";
import { describeServer } from "./describe-server.js";
import { pauseBefore } from "./pause-before.js";
import type { SendCommand } from "./redis-command.js";
import { RedisConnection } from "./redis-connection.js";
import type { RedisOptions } from "./redis-options.js";

/** The use of a connection by one store. */
export interface ConnectionLease {
  readonly command: SendCommand;
  /** How often a server was lost that had been reached, as far as that is known. */
  losses(): number;
  /** The last one that ends closes the connection. */
  end(): void;
}

/** What a connection needs of whoever makes it. */
type ConnectionContext = Pick<FlagStoreContext, "logger" | "clock">;

/**
 * One connection for several stores. It is made when the first command is sent, and again after it is lost or nobody answers on it; not
 * at once if it could not be made: until then the reason counts for all commands.
 */
export function shareConnection(
  options: RedisOptions,
  connectTimeoutMs: number,
): (context: ConnectionContext) => ConnectionLease {
  const name = `Redis at ${describeServer(options)}`;
  let current: RedisConnection | undefined;
  let leases = 0;
  /** How many attempts in turn have failed, the last one why, and when there may be another one. */
  let failures = 0;
  let losses = 0;
  let last: { readonly reason: unknown; readonly until: number } | undefined;
  /** The last line of the log: one for each new reason is enough, until there is a connection. */
  let told = "";

  function connect({ clock, logger }: ConnectionContext): RedisConnection {
    const begun = clock.monotonic();
    const tell = (message: string) => {
      if (message !== told) logger.warn(`${name}: ${message}`);
      told = message;
    };
    const over = (reason: unknown) => {
      if (current !== connection) return;
      current = undefined;
      if (connection.wasReady) {
        // Of a cluster one node may be away all the time.
        if (options.cluster === undefined) losses++;
        failures = 0;
        last = undefined;
        told = "";
      } else {
        last = { reason, until: begun + pauseBefore(failures, Math.random()) };
        failures++;
      }
    };
    const broken = () => void losses++;
    const connection = new RedisConnection({ options, connectTimeoutMs, clock, tell, broken, over });
    return connection;
  }

  return (context) => {
    leases++;
    let ended = false;
    return {
      async command(...call) {
        if (ended) throw new Error("the connection to Redis is closed");
        if (current === undefined && last !== undefined && context.clock.monotonic() < last.until)
          throw last.reason;
        current ??= connect(context);
        return await current.command(...call);
      },
      losses: () => losses,
      end() {
        if (ended) return;
        ended = true;
        if (--leases > 0) return;
        current?.end();
        last = undefined;
      },
    };
  };
}

import type { FlagStoreContext } from "@wye/relay";
import { describeServer } from "./describe-server.js";
import { pauseBefore } from "./pause-before.js";
import type { SendCommand } from "./redis-command.js";
import { RedisConnection } from "./redis-connection.js";
import type { RedisOptions } from "./redis-options.js";
import { refusesCredentials } from "./refuses-credentials.js";

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
 * at once if it could not be made: until then the reason counts for all commands. Credentials of a function that Redis refuses may have
 * been replaced since: others are asked for at once, but not a second time before a command was answered.
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
  /** Whether other credentials were asked for since a command was answered. */
  let hasAskedAgain = false;
  const mayChange = (reason: unknown) => options.credentials !== undefined && refusesCredentials(reason);

  function connect({ clock, logger }: ConnectionContext): RedisConnection {
    const begun = clock.monotonic();
    const tell = (message: string) => {
      if (mayChange(message) && !hasAskedAgain) return;
      if (message !== told) logger.warn(`${name}: ${message}`);
      told = message;
    };
    const over = (reason: unknown) => {
      if (current !== connection) return;
      current = undefined;
      if (mayChange(reason) && !hasAskedAgain) {
        hasAskedAgain = true;
        last = undefined;
      } else if (connection.wasReady && !refusesCredentials(reason)) {
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
    const send: SendCommand = async (...call) => {
      if (ended) throw new Error("the connection to Redis is closed");
      if (current === undefined && last !== undefined && context.clock.monotonic() < last.until)
        throw last.reason;
      current ??= connect(context);
      const reply = await current.command(...call);
      hasAskedAgain = false;
      return reply;
    };
    return {
      // What was refused for that has done nothing.
      command: (...call) =>
        send(...call).catch((reason: unknown) => {
          if (!mayChange(reason)) throw reason;
          return send(...call);
        }),
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

import {
  createDatabasePlaces,
  type FlagStoreContext,
  fillPrefix,
  RelayError,
  type StoreDescription,
  timedCall,
  withRemedy,
} from "@wye/relay";
import { checkOptions } from "./check-options.js";
import { claimServers } from "./claim-servers.js";
import { describeServer } from "./describe-server.js";
import { patienceMs, transportMs } from "./patience.js";
import type { RedisCommand, SendCommand } from "./redis-command.js";
import type { RedisOptions } from "./redis-options.js";
import { remediesAt } from "./remedies.js";
import { type ConnectionLease, shareConnection } from "./share-connection.js";

/** Where one environment keeps something, and how to get there. */
export interface RedisPlace {
  readonly prefix: string;
  readonly about: StoreDescription;
  readonly command: SendCommand;
  /** How often the server was lost and found again, as far as that is known. */
  losses(): number;
  close(): Promise<void>;
}

/** What the environments of one factory share: a connection, and the knowledge of who has which prefix. */
export interface RedisPlaces {
  readonly cacheTtlMs: number | undefined;
  open(context: FlagStoreContext): RedisPlace;
}

/** Reads the options, of which `what` is kept; nothing is connected yet. Throws when they are wrong. */
export function createRedisPlaces(
  options: RedisOptions,
  { caller, what }: { readonly caller: string; readonly what: string },
): RedisPlaces {
  const { connectTimeoutMs, cacheTtlMs } = checkOptions(options, caller);
  const ownPlaces = createDatabasePlaces();
  const { command, prefix: template = "launchdarkly" } = options;
  const dbServer = describeServer(options);
  const lease = command === undefined ? shareConnection(options, connectTimeoutMs) : leaseOf(command);
  return {
    cacheTtlMs,
    open(context) {
      const prefix = fillPrefix(template, context);
      if (prefix === "") throw new RelayError("invalid_options", `${caller}: prefix must not be empty`);
      if (options.cluster !== undefined && !hashTag.test(prefix)) {
        throw new RelayError(
          "invalid_options",
          `in a cluster the prefix needs a hash tag, so that all keys are on one node: "{${prefix}}" instead of "${prefix}"`,
        );
      }
      const place = `${what} under prefix ${JSON.stringify(prefix)}`;
      const release = claimServers(context.places ?? ownPlaces, options, place, context.environment);
      const connection = lease(context);
      return {
        prefix,
        about: { database: "redis", ...(dbServer === undefined ? {} : { dbServer }), dbPrefix: prefix },
        async command(key, ...rest) {
          try {
            return await connection.command(key, ...rest);
          } catch (error) {
            throw withRemedy(error, remediesAt(key));
          }
        },
        losses: connection.losses,
        async close() {
          connection.end();
          release();
        },
      };
    },
  };
}

/** What the node of a key depends on instead of all of it: what stands between the first brace and the next one, if anything does. */
const hashTag = /^[^{]*\{[^}]+\}/;

/** A connection of the host is waited for as long as one's own. */
function leaseOf(command: RedisCommand): (context: Pick<FlagStoreContext, "clock">) => ConnectionLease {
  return ({ clock }) => ({
    command: (key, words, until, replyBytes) =>
      timedCall(
        clock,
        patienceMs(transportMs(words, replyBytes)),
        (signal) => answerOf(command(key, words, signal)),
        until,
      ).result,
    // What becomes of a connection of the host is not known.
    losses: () => 0,
    end() {},
  });
}

/** Some clients give errors as if they were replies. */
async function answerOf(replying: Promise<unknown>): Promise<unknown> {
  const reply = await replying;
  if (reply instanceof Error) throw reply;
  return reply;
}

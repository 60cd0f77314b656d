import { createDatabasePlaces, type FlagStoreFactory, fillPrefix, RelayError } from "@wye/relay";
import { checkOptions } from "./check-options.js";
import { createRedisStore } from "./create-redis-store.js";
import { describeServer } from "./describe-server.js";
import type { RedisOptions } from "./redis-options.js";
import { shareConnection } from "./share-connection.js";

/**
 * Keeps flags in Redis: `environments: { production: { …, store: redisStore({ url, prefix }) } }`. One factory may serve
 * several environments, which then share a connection. Throws when the options are wrong.
 */
export function redisStore(options: RedisOptions = {}): FlagStoreFactory {
  const { connectTimeoutMs, cacheTtlMs } = checkOptions(options);
  const dbServer = describeServer(options);
  const places = createDatabasePlaces();
  const { command } = options;
  const lease =
    command === undefined ? shareConnection(options, connectTimeoutMs) : () => ({ command, end() {} });

  return (context) => {
    const prefix = fillPrefix(options.prefix ?? "launchdarkly", context);
    if (options.cluster !== undefined && !/\{[^}]+\}/.test(prefix)) {
      throw new RelayError(
        "invalid_options",
        `in a cluster the prefix needs a hash tag, so that all keys are on one node: "{${prefix}}" instead of "${prefix}"`,
      );
    }
    const release = places.claim(`prefix ${prefix}`, context.environment);
    const connection = lease(context.logger);
    return createRedisStore({
      prefix,
      about: { database: "redis", ...(dbServer === undefined ? {} : { dbServer }), dbPrefix: prefix },
      ...(cacheTtlMs === undefined ? {} : { cacheTtlMs }),
      logger: context.logger,
      command: connection.command,
      async close() {
        connection.end();
        release();
      },
    });
  };
}

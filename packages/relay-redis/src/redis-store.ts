import type { FlagStoreFactory } from "@wye/relay";
import { createRedisStore } from "./create-redis-store.js";
import { describeServer } from "./describe-server.js";
import type { RedisOptions } from "./redis-options.js";
import { createRedisPlaces } from "./redis-places.js";

/**
 * Keeps flags in Redis: `environments: { production: { …, store: redisStore({ url, prefix }) } }`. One factory may serve
 * several environments, which then share a connection. Throws when the options are wrong.
 */
export function redisStore(options: RedisOptions = {}): FlagStoreFactory {
  const places = createRedisPlaces(options, { caller: "redisStore", what: "flags" });
  const dbServer = describeServer(options);
  return (context) => {
    const { prefix, ...place } = places.open(context);
    return createRedisStore({
      ...place,
      prefix,
      about: { database: "redis", ...(dbServer === undefined ? {} : { dbServer }), dbPrefix: prefix },
      ...(places.cacheTtlMs === undefined ? {} : { cacheTtlMs: places.cacheTtlMs }),
      logger: context.logger,
    });
  };
}

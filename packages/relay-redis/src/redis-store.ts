import type { FlagStoreFactory } from "@wye/relay";
import { createRedisStore } from "./create-redis-store.js";
import type { RedisOptions } from "./redis-options.js";
import { createRedisPlaces } from "./redis-places.js";

/**
 * Keeps flags in Redis: `environments: { production: { …, store: redisStore({ url, prefix }) } }`. One factory may serve
 * several environments, which then share a connection. Throws when the options are wrong.
 */
export function redisStore(options: RedisOptions = {}): FlagStoreFactory {
  const places = createRedisPlaces(options, { caller: "redisStore", what: "flags" });
  const ttl = places.cacheTtlMs === undefined ? {} : { cacheTtlMs: places.cacheTtlMs };
  return (context) => createRedisStore({ ...places.open(context), ...ttl, logger: context.logger });
}

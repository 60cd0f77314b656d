export { redisBigSegments } from "./redis-big-segments.js";
export type { RedisCommand, RedisCommandWords } from "./redis-command.js";
export type { RedisAddress, RedisCredentials, RedisOptions, RedisSentinelOptions } from "./redis-options.js";
export { redisStore } from "./redis-store.js";

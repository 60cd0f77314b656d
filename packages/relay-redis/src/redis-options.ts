import type { ConnectionOptions } from "node:tls";
import type { Duration, FlagStoreContext } from "@wye/relay";
import type { RedisCommand } from "./redis-command.js";

/** A user of Redis, or only a password as before Redis 6. */
export interface RedisCredentials {
  readonly username?: string;
  readonly password?: string;
}

/** Where a server listens. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** Servers whose leader is found by asking sentinels. */
export interface RedisSentinelOptions {
  /** The name under which the sentinels know the leader. */
  readonly name: string;
  readonly nodes: readonly RedisAddress[];
  /** The user with whom the sentinels are asked. Default: none. */
  readonly credentials?: RedisCredentials;
}

/** Where flags are kept, and as whom the relay comes. */
export interface RedisOptions extends RedisCredentials {
  /** `redis://` or `rediss://`, with user, password and number of the database if there are any. Default: `redis://localhost:6379`. */
  readonly url?: string;
  /** Asked for the user at every connection, and at once when Redis refuses it, for passwords that change. Wins over those of the URL. */
  readonly credentials?: () => RedisCredentials | Promise<RedisCredentials>;
  /** Own certificates and the like; with it connections are encrypted. Default: as the URL says. */
  readonly tls?: ConnectionOptions;
  /** Instead of a URL. */
  readonly sentinel?: RedisSentinelOptions;
  /** Some nodes of a cluster, instead of a URL. The prefix must then have a hash tag: `{launchdarkly}`. */
  readonly cluster?: readonly RedisAddress[];
  /**
   * A connection of the host, instead of all of the above. When it was lost is not known: that the server has come back as it was some time
   * ago is only noticed with a `cacheTtl`.
   */
  readonly command?: RedisCommand;
  /**
   * What all keys begin with; `$CID` stands for the client-side ID, with the filter if there is one. Two environments must
   * not share a prefix. Default: `launchdarkly`, and `launchdarkly/FILTER` for a payload filter.
   */
  readonly prefix?: string | ((context: FlagStoreContext) => string);
  /**
   * After this time what is kept is read again, so that what other writers have changed is served. Default: never, because
   * upstream tells this relay of every change.
   */
  readonly cacheTtl?: Duration;
  /** How long connecting may take. Default: `"5s"`. */
  readonly connectTimeout?: Duration;
}

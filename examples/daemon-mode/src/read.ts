import { init, type LDClient } from "@launchdarkly/node-server-sdk";
import { RedisFeatureStore } from "@launchdarkly/node-server-sdk-redis";
import type { Shared } from "./fill.js";

/** An SDK in daemon mode: it connects to nothing but Redis. */
export async function readRedis({ sdkKey, redisUrl, prefix }: Shared): Promise<LDClient> {
  const client = init(sdkKey, {
    useLdd: true,
    sendEvents: false,
    featureStore: RedisFeatureStore({ redisOpts: serverOf(redisUrl), prefix, cacheTTL: 1 }),
    logger: { debug() {}, info() {}, warn: console.warn, error: console.error },
  });
  await client.waitForInitialization({ timeout: 10 });
  return client;
}

/** The SDK's integration takes the parts of a URL, of which none may be lost: the relay comes with all of them. */
function serverOf(url: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    db: Number(pathname.slice(1)),
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
    ...(password === "" ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === "rediss:" ? { tls: {} } : {}),
  };
}

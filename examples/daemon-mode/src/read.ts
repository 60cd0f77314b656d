import { init, type LDClient } from "@launchdarkly/node-server-sdk";
import { RedisFeatureStore } from "@launchdarkly/node-server-sdk-redis";
import type { Shared } from "./fill.js";

/** An SDK in daemon mode: it connects to nothing but Redis. */
export async function readRedis({ sdkKey, redisUrl, prefix }: Shared): Promise<LDClient> {
  const client = init(sdkKey, {
    useLdd: true,
    sendEvents: false,
    featureStore: RedisFeatureStore({ redisOpts: { ...hostOf(redisUrl) }, prefix, cacheTTL: 1 }),
    logger: { debug() {}, info() {}, warn: console.warn, error: console.error },
  });
  await client.waitForInitialization({ timeout: 10 });
  return client;
}

function hostOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 6379) };
}

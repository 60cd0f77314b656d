import { createRelay, type EnvironmentOptions, type Relay } from "@wye/relay";
import { redisStore } from "@wye/relay-redis";

/** What the relay and its readers have to agree on. */
export interface Shared {
  readonly sdkKey: string;
  readonly redisUrl: string;
  readonly prefix: string;
}

/** A relay that keeps Redis filled. It serves nobody: SDKs read from Redis. */
export async function fillRedis(
  { sdkKey, redisUrl, prefix }: Shared,
  source?: EnvironmentOptions["source"],
): Promise<Relay> {
  const store = redisStore({ url: redisUrl, prefix });
  const relay = createRelay({
    environments: { production: { sdkKey, store, ...(source === undefined ? {} : { source }) } },
    logger: console,
  });
  await relay.ready();
  return relay;
}

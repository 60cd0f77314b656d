import { createClient, type RedisClientType } from "@redis/client";
import { type Clock, type FlagStoreContext, type Item, systemClock } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { flag as plainFlag } from "../../../scripts/databases/store-items.js";

export { described, never } from "../../../scripts/databases/store-items.js";
export { until } from "../../../scripts/databases/until.js";

/** Time goes by, for the pauses between attempts to connect, but no limit is ever reached, however slow the machine is. */
const patientClock: Clock = { ...systemClock, schedule: () => () => {} };

/** What a relay tells a store. */
export const contextOf = (environment: string, told: string[] = []): FlagStoreContext =>
  createStoreContext({ environment, told, clock: patientClock });

let prefixes = 0;
/** A prefix that no other test of the file uses. */
export const newPrefix = (): string => `test-${++prefixes}`;

/** A flag with nothing but a version, and something that tells writers apart. */
export function flag(key: string, version: number, by = ""): Item {
  return plainFlag(key, version, { by });
}

/** A client as `createClient` makes it without modules. */
export type DirectClient = RedisClientType<
  Record<never, never>,
  Record<never, never>,
  Record<never, never>,
  3,
  Record<never, never>
>;

/** A client beside the store, to look and to meddle. */
export async function connectTo(port: number, password?: string): Promise<DirectClient> {
  const client = createClient({
    url: `redis://127.0.0.1:${port}`,
    ...(password === undefined ? {} : { password }),
  });
  // Tests end servers; the client need not be told.
  client.on("error", () => {});
  await client.connect();
  return client;
}

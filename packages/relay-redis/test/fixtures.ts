import { setMaxListeners } from "node:events";
import { createClient, type RedisClientType } from "@redis/client";
import { type Clock, type FlagStoreContext, type Item, parseItem, systemClock } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";

/** Time goes by, for the pauses between attempts to connect, but no limit is ever reached, however slow the machine is. */
const patientClock: Clock = { ...systemClock, schedule: () => () => {} };

/** What a relay tells a store. */
export const contextOf = (environment: string): FlagStoreContext =>
  createStoreContext({ environment, clock: patientClock });

/** The signal of calls that nobody gives up, however many there are side by side. */
export const never: AbortSignal = new AbortController().signal;
setMaxListeners(0, never);

let prefixes = 0;
/** A prefix that no other test of the file uses. */
export const newPrefix = (): string => `test-${++prefixes}`;

/** A flag with nothing but a version, and something that tells writers apart. */
export function flag(key: string, version: number, by = ""): Item {
  return parseItem("flags", key, JSON.stringify({ key, version, by }));
}

/** What can be compared: kind, key and text, in an order of its own. */
export function described(items: readonly Item[] | undefined): readonly string[] | undefined {
  return items?.map(({ kind, key, json }) => `${kind} ${key} ${json}`).sort();
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

/** Asks again until it is so. */
export async function until<Value>(
  ask: () => Promise<Value>,
  enough: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (enough(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

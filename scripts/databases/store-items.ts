import { setMaxListeners } from "node:events";
import { type Item, parseItem } from "@wye/relay";

/** The signal of calls that nobody gives up, however many there are side by side. */
export const never: AbortSignal = new AbortController().signal;
setMaxListeners(0, never);

/** A flag with nothing but a version, and what tells it from others. */
export function flag(key: string, version: number, rest: object = {}): Item {
  return parseItem("flags", key, JSON.stringify({ key, version, ...rest }));
}

/** What can be compared: kind, key and text, in an order of its own. */
export function described(items: readonly Item[] | undefined): readonly string[] | undefined {
  return items?.map(({ kind, key, json }) => `${kind} ${key} ${json}`).sort();
}

/** The keys of what is not deleted. */
export function living(items: readonly Item[] | undefined): readonly string[] | undefined {
  return items?.flatMap(({ key, deleted }) => (deleted ? [] : [key])).sort();
}

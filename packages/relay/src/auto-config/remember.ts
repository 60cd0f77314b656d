/** How many keys, and IDs, are remembered: more than upstream has at a time. */
const most = 100_000;

/** Remembers what was last said of a key or an ID, and forgets what was said of others longest ago. */
export function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}

/** How many keys, and names, are remembered beside those in use. */
const most = 10_000;

/** Puts an entry at the end; the oldest ones are forgotten. */
export function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}

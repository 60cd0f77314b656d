import type { Item } from "@wye/flag-evaluator";
import type { FlagStore } from "./flag-store.js";

/**
 * Keeps flags as long as the process lives: for tests, and for relays that come and go in one process. Each environment, and each
 * payload filter, needs one of its own: `store: ({ environment }) => (stores[environment] ??= memoryStore())`.
 */
export function memoryStore(): FlagStore {
  const items = { flags: new Map<string, Item>(), segments: new Map<string, Item>() };
  let complete = false;
  return {
    async read() {
      return complete ? [...items.flags.values(), ...items.segments.values()] : undefined;
    },
    async replace(all) {
      items.flags.clear();
      items.segments.clear();
      for (const item of all) items[item.kind].set(item.key, item);
      complete = true;
    },
    async upsert(some) {
      return some.flatMap((item) => {
        const kept = items[item.kind].get(item.key);
        if (kept !== undefined && kept.version >= item.version) return [kept];
        items[item.kind].set(item.key, item);
        return [];
      });
    },
    async close() {},
  };
}

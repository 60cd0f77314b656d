import type { Item } from "../flag-data.js";
import type { FlagStoreFactory } from "./flag-store.js";

/** Keeps flags as long as the process lives. */
export const memoryStore: FlagStoreFactory = () => {
  let items = { flags: new Map<string, Item>(), segments: new Map<string, Item>() };
  let complete = false;
  return {
    async read() {
      return complete ? { flags: new Map(items.flags), segments: new Map(items.segments) } : undefined;
    },
    async replace(data) {
      items = { flags: new Map(data.flags), segments: new Map(data.segments) };
      complete = true;
    },
    async upsert(kind, item) {
      const kept = items[kind].get(item.key);
      if (kept !== undefined && kept.version >= item.version) return false;
      items[kind].set(item.key, item);
      return true;
    },
    async close() {},
  };
};

import {
  type Item,
  type ItemKind,
  isKeepable,
  readStoredItem,
  type StoredText,
  type StoreVoice,
  standInFor,
  storedText,
  tellOfLeftOut,
} from "@wye/relay";
import type { ConsulEntry } from "./consul-kv.js";
import { base64Bytes, maxBytes } from "./request-size.js";

/** How the flags of one environment stand under keys, as SDKs in daemon mode expect them. */
export interface FlagLayout {
  /** What the keys of a kind begin with. */
  readonly folders: Readonly<Record<ItemKind, string>>;
  /** The key that is there once a full set was written. */
  readonly marker: string;
  keyOf(item: Item): string;
  /**
   * The value of an item. For one that Consul does not take, once that was told of: the mark of a deletion, or `undefined` if its key
   * has no place there either.
   */
  valueOf(item: Item): string | undefined;
  kindOf(key: string): ItemKind | undefined;
  /** What is written in an entry. */
  storedIn(kind: ItemKind, entry: ConsulEntry): StoredText;
  /** The item of an entry; `undefined`, once that was told of, for one that nobody can read. */
  itemOf(kind: ItemKind, entry: ConsulEntry): Item | undefined;
}

const kinds = ["flags", "segments"] as const;

/** The layout under a prefix. */
export function createFlagLayout(prefix: string, voice: StoreVoice): FlagLayout {
  const folders = { flags: `${prefix}/features/`, segments: `${prefix}/segments/` };
  const storedIn = (kind: ItemKind, { key, value }: ConsulEntry): StoredText => ({
    kind,
    key: key.slice(folders[kind].length),
    text: value,
    place: JSON.stringify(key),
  });
  return {
    folders,
    marker: `${prefix}/$inited`,
    keyOf: ({ kind, key }) => folders[kind] + key,
    valueOf(item) {
      if (!isKeepable(item, voice)) return undefined;
      const text = storedText(item);
      if (base64Bytes(text) <= maxBytes) return text;
      tellOfLeftOut(item, `has ${Buffer.byteLength(text)} bytes`, voice);
      return storedText(standInFor(item));
    },
    kindOf: (key) => kinds.find((kind) => key.startsWith(folders[kind])),
    storedIn,
    itemOf: (kind, entry) => readStoredItem(storedIn(kind, entry), voice),
  };
}

import {
  type Item,
  type ItemKind,
  isKeepable,
  readStoredItem,
  type StoreVoice,
  storedText,
  tellOfLeftOut,
} from "@wye/relay";
import { itemFault } from "./item-size.js";
import type { Row, RowKey } from "./table.js";

/** A row as it is written. */
export type ItemRow = Row & RowKey;

/** How the flags of one environment stand in a table, as SDKs in daemon mode expect them. */
export interface FlagLayout {
  readonly namespaces: Readonly<Record<ItemKind, string>>;
  /** The row that is there once a full set was written. */
  readonly marker: ItemRow;
  /** The row of an item; `undefined`, once that was told of, for one that the database does not take. */
  rowOf(item: Item): ItemRow | undefined;
  /** The item of a row; `undefined`, once that was told of, for one that nobody can read. */
  itemOf(kind: ItemKind, row: Row): Item | undefined;
}

/** The layout behind a prefix, colon included, or behind nothing. */
export function createFlagLayout(namespacePrefix: string, voice: StoreVoice): FlagLayout {
  const namespaces = { flags: `${namespacePrefix}features`, segments: `${namespacePrefix}segments` };
  const markerName = { S: `${namespacePrefix}$inited` };
  return {
    namespaces,
    marker: { namespace: markerName, key: markerName },
    rowOf(item) {
      if (!isKeepable(item, voice)) return undefined;
      const { kind, key, version } = item;
      const namespace = namespaces[kind];
      const text = storedText(item);
      const fault = itemFault(namespace, item, text);
      if (fault !== undefined) {
        tellOfLeftOut(item, fault, voice);
        return undefined;
      }
      return {
        namespace: { S: namespace },
        key: { S: key },
        version: { N: String(version) },
        item: { S: text },
      };
    },
    itemOf(kind, row) {
      const [key, text] = [row.key?.S ?? "", row.item?.S ?? ""];
      const place = `${JSON.stringify(key)} of ${namespaces[kind]}`;
      return readStoredItem({ kind, key, text, place }, voice);
    },
  };
}

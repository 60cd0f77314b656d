import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import {
  type Item,
  type ItemKind,
  isKeepable,
  readStoredItem,
  type StoreVoice,
  standInFor,
  storedText,
  tellOfLeftOut,
} from "@wye/relay";
import { itemFault, keyFault } from "./item-size.js";
import type { Row, RowKey } from "./table.js";

/** A row as it is written. */
export interface ItemRow extends Row, RowKey {
  readonly version: AttributeValue;
}

/** How the flags of one environment stand in a table, as SDKs in daemon mode expect them. */
export interface FlagLayout {
  readonly namespaces: Readonly<Record<ItemKind, string>>;
  /** The row that is there once a full set was written. */
  readonly marker: Row & RowKey;
  /**
   * The row of an item. For one that the database does not take, once that was told of: the mark of a deletion, or `undefined` if its
   * key has no place there either.
   */
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
      const namespace = namespaces[item.kind];
      const fault = itemFault(namespace, item, storedText(item));
      if (fault === undefined) return rowFor(namespace, item);
      tellOfLeftOut(item, fault, voice);
      return keyFault(item) === undefined ? rowFor(namespace, standInFor(item)) : undefined;
    },
    itemOf(kind, row) {
      const [key, text] = [row.key?.S ?? "", row.item?.S ?? ""];
      const place = `${JSON.stringify(key)} of ${namespaces[kind]}`;
      return readStoredItem({ kind, key, text, place }, voice);
    },
  };
}

function rowFor(namespace: string, item: Item): ItemRow {
  return {
    namespace: { S: namespace },
    key: { S: item.key },
    version: { N: String(item.version) },
    item: { S: storedText(item) },
  };
}

import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  Pair,
  parseAllDocuments,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { isObject } from "../json-value.js";
import type { JsonChange } from "./json-changes.js";
import { writtenName } from "./written-name.js";

/** A change, and the document in which it is: the first is 0. */
export interface DocumentChange extends JsonChange {
  readonly document: number;
}

/**
 * Changes a YAML text in some places and leaves its comments, quotes and order. Undefined when that cannot be done: for what the
 * library cannot read, and for changes inside of aliases.
 */
export function changeYaml(text: string, changes: readonly DocumentChange[]): string | undefined {
  const documents = parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const changing = documents.map((document) => new Changing(document));
  if (!changes.every((change) => changing[change.document]?.apply(change) === true)) return undefined;
  for (const document of changing) document.finish();
  const style = {
    lineWidth: 0,
    indentSeq: !/^( *)[^\s#-][^\n]*:\n\1- /m.test(text),
    flowCollectionPadding: !/[{[][^\s\]}]/.test(text),
  };
  return documents
    .map((document, index) => {
      const printed = document.toString(style);
      return index > 0 && !printed.startsWith("---") ? `---\n${printed}` : printed;
    })
    .join("");
}

/** A document in the middle of being changed: maps are searched once, however many changes there are. */
class Changing {
  readonly #contents: unknown;
  readonly #pairs = new Map<YAMLMap, Map<string, Pair>>();
  readonly #removed = new Map<YAMLMap, Set<unknown>>();

  constructor({ contents }: Document.Parsed) {
    this.#contents = contents;
  }

  /** Makes a change; false when that cannot be done. */
  apply({ path, value }: JsonChange): boolean {
    let node: unknown = this.#contents;
    for (const [depth, name] of path.entries()) {
      const isLast = depth === path.length - 1;
      if (isSeq(node) && typeof name === "number") {
        if (isLast) node.set(name, nodeFrom(value));
        else node = node.get(name, true);
      } else if (!isMap(node)) {
        return false;
      } else if (isLast) {
        this.#set(node, String(name), value);
      } else {
        node = this.#pair(node, String(name))?.value;
      }
    }
    return true;
  }

  /** Takes out what was removed. */
  finish(): void {
    for (const [map, removed] of this.#removed) map.items = map.items.filter((pair) => !removed.has(pair));
  }

  #set(map: YAMLMap, name: string, value: unknown): void {
    const pair = this.#pair(map, name);
    if (value === undefined) {
      this.#removed.set(map, (this.#removed.get(map) ?? new Set()).add(pair));
    } else if (pair !== undefined) {
      pair.value = replaced(pair.value, value);
    } else {
      const added = new Pair<unknown, unknown>(scalar(name), nodeFrom(value));
      map.items.push(added);
      this.#index(map).set(name, added);
    }
  }

  #pair(map: YAMLMap, name: string): Pair | undefined {
    const index = this.#index(map);
    return index.get(writtenName((one) => index.has(one), name));
  }

  #index(map: YAMLMap): Map<string, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const index = new Map(
      map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])),
    );
    this.#pairs.set(map, index);
    return index;
  }
}

/** The new value with the comments of the old one. */
function replaced(old: unknown, value: unknown): unknown {
  const node = nodeFrom(value);
  if (isScalar(old)) {
    if (old.comment !== undefined) node.comment = old.comment;
    if (old.commentBefore !== undefined) node.commentBefore = old.commentBefore;
  }
  return node;
}

function nodeFrom(value: unknown): Scalar | YAMLMap | YAMLSeq {
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items.push(...value.map(nodeFrom));
    return list;
  }
  if (isObject(value)) {
    const map = new YAMLMap();
    for (const [key, item] of Object.entries(value)) map.items.push(new Pair(scalar(key), nodeFrom(item)));
    return map;
  }
  return typeof value === "string" ? scalar(value) : plain(JSON.stringify(value ?? null));
}

/** A text that no reader takes for anything else. */
function scalar(text: string): Scalar {
  const node = new Scalar(text);
  if (!/^[A-Za-z][\w/.:@-]*[\w]$/.test(text) || /:|^(?:true|false|null|yes|no|on|off)$/i.test(text)) {
    node.type = Scalar.QUOTE_DOUBLE;
  }
  return node;
}

function plain(text: string): Scalar {
  const node = new Scalar(text);
  node.type = Scalar.PLAIN;
  return node;
}

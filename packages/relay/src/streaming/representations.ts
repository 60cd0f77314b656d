import { createHash } from "node:crypto";
import type { Evaluator, Item } from "@wye/flag-evaluator";
import { eventFrame, eventText, type Frame } from "./frame.js";

/** A body with its tag. */
export interface TaggedBody {
  readonly body: Buffer | string;
  readonly tag: string;
}

/** Events are lines. In JSON a line break can only be white space: a source or a store may have printed it for people. */
function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]/g, " ") : json;
}

/** `{"key":item,…}` without tombstones and without what cannot be read, each item as upstream wrote it. */
function collectionJson(items: readonly Item[]): string {
  const members: string[] = [];
  for (const { key, deleted, fault, json } of items)
    if (!deleted && fault === undefined) members.push(`${JSON.stringify(key)}:${onOneLine(json)}`);
  return `{${members.join(",")}}`;
}

function dataJson(flags: Evaluator): string {
  return `{"flags":${collectionJson(flags.items("flags"))},"segments":${collectionJson(flags.items("segments"))}}`;
}

/** The `put` of `/all`. */
export function allPutFrame(flags: Evaluator): Frame {
  return eventFrame("put", `{"path":"/","data":${dataJson(flags)}}`);
}

/** The `put` of `/flags`. */
export function flagsPutFrame(flags: Evaluator): Frame {
  return eventFrame("put", collectionJson(flags.items("flags")));
}

/** A `patch` or `delete` of `/all` (path `/flags/KEY`) or `/flags` (path `/KEY`). */
export function itemEvent(path: string, item: Item): string {
  const place = JSON.stringify(path);
  return item.deleted
    ? eventText("delete", `{"path":${place},"version":${item.version}}`)
    : eventText("patch", `{"path":${place},"data":${onOneLine(item.json)}}`);
}

/** The body of `/sdk/flags`. */
export function polledFlags(flags: Evaluator): TaggedBody {
  const items = flags.items("flags");
  return { body: Buffer.from(collectionJson(items)), tag: tagOf([items]) };
}

/** The body of `/sdk/latest-all`. */
export function polledData(flags: Evaluator): TaggedBody {
  return { body: Buffer.from(dataJson(flags)), tag: tagOf([flags.items("flags"), flags.items("segments")]) };
}

/** The body of `/sdk/flags/KEY` and `/sdk/segments/KEY`. */
export function polledItem(item: Item): TaggedBody {
  return { body: item.json, tag: `relay-${item.version}-${contentOf(item)}` };
}

/**
 * A tag for collections: of `KEY:VERSION` of every item, tombstones included, as the reference has it, and of what the items are, since
 * versions begin anew where flags do. In the byte order of the keys, so that all relays with the same data give the same.
 */
function tagOf(collections: readonly (readonly Item[])[]): string {
  const sorted = collections.map((items) =>
    items
      .map((item) => ({ bytes: Buffer.from(item.key), item }))
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
      .map(({ item }) => item),
  );
  const parts = (textOf: (item: Item) => string) =>
    digestOf(sorted.map((items) => items.map((item) => `${item.key}:${textOf(item)}`).join("")).join("/"));
  return `relay-${parts(({ version }) => String(version))}-${parts(contentOf)}`;
}

// Of many items that are asked for again and again few change.
const contents = new WeakMap<Item, string>();

function contentOf(item: Item): string {
  let digest = contents.get(item);
  if (digest === undefined) {
    digest = digestOf(item.json);
    contents.set(item, digest);
  }
  return digest;
}

function digestOf(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 15);
}

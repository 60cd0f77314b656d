import { createHash } from "node:crypto";
import type { FlagData, Item } from "../flag-data.js";
import { eventFrame, type Frame } from "./frame.js";

/** A body with its tag. */
export interface TaggedBody {
  readonly body: Buffer;
  readonly tag: string;
}

/** `{"key":item,…}` without tombstones, each item as upstream wrote it. */
function collectionJson(items: ReadonlyMap<string, Item>): string {
  const members: string[] = [];
  for (const [key, item] of items) if (!item.deleted) members.push(`${JSON.stringify(key)}:${item.json}`);
  return `{${members.join(",")}}`;
}

function dataJson({ flags, segments }: FlagData): string {
  return `{"flags":${collectionJson(flags)},"segments":${collectionJson(segments)}}`;
}

/** The `put` of `/all`. */
export function allPutFrame(data: FlagData): Frame {
  return eventFrame("put", `{"path":"/","data":${dataJson(data)}}`);
}

/** The `put` of `/flags`. */
export function flagsPutFrame({ flags }: FlagData): Frame {
  return eventFrame("put", collectionJson(flags));
}

/** A `patch` or `delete` of `/all` (path `/flags/KEY`) or `/flags` (path `/KEY`). */
export function itemFrame(path: string, item: Item): Frame {
  const place = JSON.stringify(path);
  return item.deleted
    ? eventFrame("delete", `{"path":${place},"version":${item.version}}`)
    : eventFrame("patch", `{"path":${place},"data":${item.json}}`);
}

/** The body of `/sdk/flags`. */
export function polledFlags({ flags }: FlagData): TaggedBody {
  return { body: Buffer.from(collectionJson(flags)), tag: tagOf(versions(flags)) };
}

/** The body of `/sdk/latest-all`. */
export function polledData(data: FlagData): TaggedBody {
  return {
    body: Buffer.from(dataJson(data)),
    tag: tagOf([...versions(data.flags), "/", ...versions(data.segments)]),
  };
}

/** `KEY:VERSION` of every item, tombstones included, in the byte order of the keys. */
function versions(items: ReadonlyMap<string, Item>): string[] {
  return [...items.values()]
    .map(({ key, version }) => ({ bytes: Buffer.from(key), text: `${key}:${version}` }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ text }) => text);
}

function tagOf(parts: readonly string[]): string {
  return `relay-${createHash("sha1").update(parts.join("")).digest("hex").slice(0, 15)}`;
}

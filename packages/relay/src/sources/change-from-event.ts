import { createHash } from "node:crypto";
import { type Item, type ItemKind, parseItem, tombstone } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { RelayError } from "../error.js";
import { type JsonSpan, jsonMembers } from "./json-members.js";

/**
 * Turns an event of the upstream stream into a change. `undefined` for events and paths that this relay does not know,
 * which later versions of the protocol may add. Throws a `RelayError` with the code `malformed_data` for anything of the wrong shape.
 */
export function changeFromEvent(name: string, text: string): Change | undefined {
  if (name !== "put" && name !== "patch" && name !== "delete") return undefined;
  const body = parse(text);
  if (!isObject(body)) throw malformed(`${name}: the data is not an object`);
  if (name === "put") return { extent: "full", items: itemsFromPut(text, body) };
  if (typeof body.path !== "string") throw malformed(`${name}: "path" is missing`);
  const place = placeFromPath(body.path);
  if (place === undefined) return undefined;
  if (name === "delete") {
    demandVersion(body, name);
    return partial(tombstone(place.kind, place.key, versionOf(body, name)));
  }
  const span = jsonMembers(text).get("data");
  if (span === undefined || !isObject(body.data)) throw malformed('patch: "data" is not an object');
  demandVersion(body.data, name);
  return partial(itemFrom(place.kind, place.key, body.data, text, span));
}

/** Reads `{"flags":{…},"segments":{…}}`, the form of files and of polling. */
export function itemsFromJson(text: string): readonly Item[] {
  const body = parse(text);
  if (!isObject(body)) throw malformed("the data is not an object");
  return allItems(text, body, 0);
}

/** A full set of that form. People who edit flags by hand forget versions: the state is named after the text. */
export function changeFromJson(text: string): Change {
  const state = createHash("sha256").update(text).digest("base64url");
  return { extent: "full", items: itemsFromJson(text), selector: { state, version: 1 } };
}

function partial(item: Item): Change {
  return { extent: "partial", items: [item] };
}

function malformed(message: string, cause?: unknown): RelayError {
  return new RelayError("malformed_data", message, { cause });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed("the data is not JSON", cause);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function itemsFromPut(text: string, body: Readonly<Record<string, unknown>>): readonly Item[] {
  const span = jsonMembers(text).get("data");
  if (span === undefined || !isObject(body.data)) throw malformed('put: "data" is missing');
  return allItems(text, body.data, span.start);
}

function allItems(text: string, data: Readonly<Record<string, unknown>>, from: number): readonly Item[] {
  const collections = jsonMembers(text, from);
  const read = (kind: ItemKind) => itemsFrom(kind, data[kind], text, collections.get(kind));
  return [...read("flags"), ...read("segments")];
}

function itemsFrom(
  kind: ItemKind,
  collection: unknown,
  text: string,
  span: JsonSpan | undefined,
): readonly Item[] {
  const items: Item[] = [];
  if (span === undefined || collection === null) return items;
  if (!isObject(collection)) throw malformed(`"${kind}" is not an object`);
  for (const [key, place] of jsonMembers(text, span.start)) {
    // How a relay upstream of this one writes a tombstone.
    if (collection[key] === null) continue;
    items.push(itemFrom(kind, key, collection[key], text, place));
  }
  return items;
}

function itemFrom(kind: ItemKind, key: string, value: unknown, text: string, { start, end }: JsonSpan): Item {
  if (!isObject(value)) throw malformed(`${JSON.stringify(key)} is not an object`);
  versionOf(value, JSON.stringify(key));
  return parseItem(kind, key, text.slice(start, end));
}

/** A single item is compared with the one that is known: without a version it would be passed over in silence. */
function demandVersion(value: Readonly<Record<string, unknown>>, what: string): void {
  if (value.version === undefined || value.version === null) throw malformed(`${what}: "version" is missing`);
}

function versionOf(value: Readonly<Record<string, unknown>>, what: string): number {
  const version = value.version ?? 0;
  if (typeof version !== "number" || !Number.isFinite(version))
    throw malformed(`${what}: "version" is not a number`);
  return Math.trunc(version);
}

function placeFromPath(path: string): { kind: ItemKind; key: string } | undefined {
  for (const kind of ["flags", "segments"] as const) {
    const prefix = `/${kind}/`;
    if (path.startsWith(prefix)) return { kind, key: path.slice(prefix.length) };
  }
  return undefined;
}

import { createHash } from "node:crypto";
import { type Item, type ItemKind, parseItem, type Steps, tombstone } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { malformedData } from "../error.js";
import { type Fields, isFields } from "../fields.js";
import { demandText } from "../options/call-arguments.js";
import { atOnce } from "../steps.js";
import { endOfValue, type JsonSpan, jsonMembers, visitMembers } from "./json-members.js";

/**
 * Turns an event of the upstream stream into a change, item by item. `undefined` for events and paths that this relay does
 * not know, which later versions of the protocol may add. Throws a `RelayError` with the code `malformed_data` for
 * anything of the wrong shape.
 */
export function* changeFromEvent(name: string, text: string): Steps<Change | undefined> {
  if (name === "put") return { extent: "full", items: yield* itemsFromPut(text) };
  if (name === "patch") return partial(itemFromPatch(text));
  if (name === "delete") return partial(itemFromDelete(text));
  return undefined;
}

/** Reads `{"flags":{…},"segments":{…}}`, the form of files and of polling. */
export function itemsFromJson(text: string): readonly Item[] {
  demandText("itemsFromJson", text, '{"flags":{}}');
  const collected = collect(text, (found) => visitCollections(text, 0, found));
  if (!isFields(collected.rest)) throw malformedData("the data is not an object");
  for (const name of Object.keys(collected.rest)) {
    const meant = ["flags", "segments"].find((kind) => kind !== name && kind === name.toLowerCase());
    if (meant !== undefined) throw malformedData(`${JSON.stringify(name)} is written "${meant}"`);
  }
  return atOnce(allItems(text, collected, collected.rest, itemFrom));
}

/** A full set of that form. People who edit flags by hand forget versions: the state is named after the text. */
export function changeFromJson(text: string): Change {
  const state = createHash("sha256").update(text).digest("base64url");
  return { extent: "full", items: itemsFromJson(text), selector: { state, version: 1 } };
}

function partial(item: Item | undefined): Change | undefined {
  return item && { extent: "partial", items: [item] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformedData("the data is not JSON", cause);
  }
}

function* itemsFromPut(text: string): Steps<readonly Item[]> {
  const collected = collect(text, (found) => {
    visitMembers(text, 0, (name, start) =>
      name === "data" ? visitCollections(text, start, found) : undefined,
    );
  });
  const { rest } = collected;
  if (!isFields(rest)) throw malformedData("put: the data is not an object");
  if (!isFields(rest.data)) throw malformedData('put: "data" is missing');
  return yield* allItems(text, collected, rest.data, anyItem);
}

function itemFromPatch(text: string): Item | undefined {
  const data = jsonMembers(text).get("data");
  const rest = parse(data === undefined ? text : `${text.slice(0, data.start)}null${text.slice(data.end)}`);
  const place = placeOf("patch", rest);
  if (place === undefined) return undefined;
  if (data === undefined) throw malformedData('patch: "data" is not an object');
  const item = itemFrom(place.kind, place.key, text.slice(data.start, data.end));
  const version = jsonMembers(item.json).get("version");
  // As with a deletion. What it is instead of a number is a fault of the item.
  if (version === undefined || item.json.slice(version.start, version.end) === "null")
    throw malformedData('patch: "version" is missing');
  return item;
}

function itemFromDelete(text: string): Item | undefined {
  const body = parse(text);
  const place = placeOf("delete", body);
  if (place === undefined || !isFields(body)) return undefined;
  const { version } = body;
  // Without one it would be compared with the item that is known, and passed over in silence.
  if (typeof version !== "number" || !Number.isFinite(version))
    throw malformedData('delete: "version" is not a number');
  return tombstone(place.kind, place.key, Math.trunc(version));
}

function placeOf(what: string, body: unknown): { kind: ItemKind; key: string } | undefined {
  if (!isFields(body)) throw malformedData(`${what}: the data is not an object`);
  if (typeof body.path !== "string") throw malformedData(`${what}: "path" is missing`);
  for (const kind of ["flags", "segments"] as const) {
    const prefix = `/${kind}/`;
    if (body.path.startsWith(prefix)) return { kind, key: body.path.slice(prefix.length) };
  }
  return undefined;
}

/** The places of the items of a text, and everything else that stands in it. */
interface Collected {
  readonly flags: readonly Found[];
  readonly segments: readonly Found[];
  /** What the text says with `null` for each item. */
  readonly rest: unknown;
}

interface Found extends JsonSpan {
  readonly key: string;
}

/** What was found so far; of a collection that is there twice the last counts. */
type Finding = Record<ItemKind, Found[]>;

/**
 * Finds the items of a text, which may be large, without building them. The text is JSON when each of them is and the rest
 * is, with something in their places that cannot become one with what stands beside it.
 */
function collect(text: string, find: (found: Finding) => void): Collected {
  const found: Finding = { flags: [], segments: [] };
  find(found);
  const places = [...found.flags, ...found.segments].sort((a, b) => a.start - b.start);
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of places) {
    pieces.push(text.slice(from, start));
    from = end;
  }
  pieces.push(text.slice(from));
  return { ...found, rest: parse(pieces.join("null")) };
}

/** Notes the items of `{"flags":{…},"segments":{…}}`; gives the place where it ends. */
function visitCollections(text: string, from: number, found: Finding): number {
  found.flags = [];
  found.segments = [];
  return visitMembers(text, from, (kind, start) => {
    if (kind !== "flags" && kind !== "segments") return undefined;
    const items: Found[] = [];
    found[kind] = items;
    return visitMembers(text, start, (key, itemStart) => {
      const end = endOfValue(text, itemStart);
      items.push({ key, start: itemStart, end });
      return end;
    });
  });
}

function* allItems(
  text: string,
  found: Collected,
  data: Fields,
  read: (kind: ItemKind, key: string, json: string) => Item,
): Steps<readonly Item[]> {
  const items: Item[] = [];
  for (const kind of ["flags", "segments"] as const) {
    const collection = data[kind] ?? undefined;
    if (collection !== undefined && !isFields(collection)) throw malformedData(`"${kind}" is not an object`);
    for (const [key, json] of lastOfEach(text, found[kind])) {
      // How a relay upstream of this one writes a tombstone.
      if (json === "null") continue;
      yield perItem + json.length;
      items.push(read(kind, key, json));
    }
  }
  return items;
}

/** What it takes to read the smallest item. */
const perItem = 256;

/** The text of each item, by key; one that is there twice counts with its last value. */
function lastOfEach(text: string, found: readonly Found[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const { key, start, end } of found) {
    const passedOver = last.get(key);
    if (passedOver !== undefined) parse(passedOver);
    last.set(key, text.slice(start, end));
  }
  return last;
}

/** An item of a set. One that cannot be read, if it is JSON, keeps nobody from the others. */
function anyItem(kind: ItemKind, key: string, json: string): Item {
  const item = parseItem(kind, key, json);
  if (item.fault !== undefined) parse(json);
  return item;
}

function itemFrom(kind: ItemKind, key: string, json: string): Item {
  const item = parseItem(kind, key, json);
  if (item.fault !== undefined) throw malformedData(`${JSON.stringify(key)}: ${item.fault}`);
  return item;
}

import { createHash } from "node:crypto";
import {
  compileFlags,
  type Evaluator,
  type Item,
  type ItemKind,
  parseItem,
  tombstone,
} from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { frameFrom } from "./frame.js";
import {
  allPutFrame,
  flagsPutFrame,
  itemEvent,
  polledData,
  polledFlags,
  polledItem,
} from "./representations.js";

const item = (key: string, version: number, kind: ItemKind = "flags"): Item =>
  parseItem(kind, key, `{"key":${JSON.stringify(key)},"version":${version}}`);
const data = (items: Item[]): Evaluator => compileFlags({}).apply({ extent: "full", items });
const text = ({ event }: { event: Buffer }) => event.toString();

test("puts carry both collections, or the flags alone, without tombstones", () => {
  const all = data([item("a", 1), tombstone("flags", "gone", 2), item("s", 3, "segments")]);
  expect(text(allPutFrame(all))).toBe(
    'event: put\ndata: {"path":"/","data":{"flags":{"a":{"key":"a","version":1}},"segments":{"s":{"key":"s","version":3}}}}\n\n',
  );
  expect(text(flagsPutFrame(all))).toBe('event: put\ndata: {"a":{"key":"a","version":1}}\n\n');
  expect(text(allPutFrame(data([])))).toBe(
    'event: put\ndata: {"path":"/","data":{"flags":{},"segments":{}}}\n\n',
  );
});

test("an item is a patch, a tombstone a delete; keys stand in the path as they are", () => {
  expect(itemEvent("/flags/new one/é", item("x", 1))).toBe(
    'event: patch\ndata: {"path":"/flags/new one/é","data":{"key":"x","version":1}}\n\n',
  );
  expect(itemEvent("/a", tombstone("flags", "a", 7))).toBe(
    'event: delete\ndata: {"path":"/a","version":7}\n\n',
  );
});

test("the chunk is the event between its length and a line end", () => {
  const { chunk, event } = frameFrom(itemEvent("/é", item("é", 1)) + itemEvent("/a", item("a", 1)));
  expect(chunk.toString()).toBe(`${event.length.toString(16)}\r\n${event.toString()}\r\n`);
});

const tags = [
  { name: "two flags", flags: [item("b", 2), item("a", 1)], tag: "relay-09ede7c0e8da4a3" },
  { name: "no flags", flags: [], tag: "relay-da39a3ee5e6b4b0" },
  {
    name: "a tombstone counts",
    flags: [item("a", 1), item("plain-on", 2), tombstone("flags", "tomb", 3), item("z", 1)],
    tag: "relay-30d7061a15894ee",
  },
];
for (const { name, flags, tag } of tags) {
  test(`the tag of polled flags begins with that of their versions: ${name}`, () =>
    expect(polledFlags(data(flags)).tag).toMatch(new RegExp(`^${tag}-[0-9a-f]{15}$`)));
}

test("the tag of polled flags depends on what they are, not on their order", () => {
  const other = parseItem("flags", "a", '{"key":"a","version":1,"on":true}');
  const tagOf = (...items: Item[]) => [polledFlags(data(items)).tag, polledData(data(items)).tag];
  const [same, another] = [item("a", 1), item("b", 2)];
  expect(tagOf(another, same)).toEqual(tagOf(same, another));
  const [first, second] = [tagOf(same, another), tagOf(other, another)];
  expect(first.filter((tag) => second.includes(tag))).toEqual([]);
  expect(polledItem(other).tag).toMatch(/^relay-1-[0-9a-f]{15}$/);
  expect(polledItem(other).tag).not.toBe(polledItem(same).tag);
});

test("the tag of everything also depends on segments, and on which collection an item is in", () => {
  const tagsOfAll = [
    data([item("a", 1)]),
    data([item("a", 1), item("s", 1, "segments")]),
    data([item("a", 1, "segments")]),
  ].map((all) => polledData(all).tag);
  expect(new Set(tagsOfAll).size).toBe(3);
  expect(polledData(data([item("a", 1)])).body.toString()).toBe(
    '{"flags":{"a":{"key":"a","version":1}},"segments":{}}',
  );
});

const sha1 = (versions: string) => createHash("sha1").update(versions).digest("hex").slice(0, 15);

test("versions stand in the tag in the byte order of their keys, and those of flags before those of segments", () => {
  const all = data([item("😀", 1), item("～", 2), item("s", 3, "segments")]);
  expect(polledFlags(all).tag).toContain(`relay-${sha1("～:2😀:1")}-`);
  expect(polledData(all).tag).toContain(`relay-${sha1("～:2😀:1/s:3")}-`);
});

test("what cannot be read is in no put", () => {
  const all = data([item("a", 1), parseItem("flags", "bad", "[]"), parseItem("segments", "bad", "5")]);
  expect(text(flagsPutFrame(all))).toBe('event: put\ndata: {"a":{"key":"a","version":1}}\n\n');
  expect(text(allPutFrame(all))).not.toContain("bad");
});

test.each([
  '{\r\n  "version": 1,\n  "name": "a\\nb"\r}',
  '{\r"version": 1,"name": "a\\nb"}',
  '{"version": 1,"name": "a\\nb"\n}',
])("an item that was printed over several lines is an event all the same, and one line: %j", (json) => {
  const printed = parseItem("flags", "a", json);
  for (const event of [itemEvent("/a", printed), text(allPutFrame(data([printed])))]) {
    expect(event.split(/\r\n|\r|\n/)).toHaveLength(4);
    expect(event).toContain('"a\\nb"');
  }
});

test("an item that is asked for by itself is as upstream has written it, line breaks included", () => {
  const json = '{\n  "key": "a",\r\n  "version": 1\n}';
  expect(polledItem(parseItem("flags", "a", json)).body).toBe(json);
});

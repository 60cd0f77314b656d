import { parseItem, tombstone } from "@wye/relay";
import { expect, test } from "vitest";
import { type RedisCommand, redisBigSegments, redisStore } from "../src/index.js";
import * as scripts from "../src/scripts.js";
import { contextOf, flag, never } from "./fixtures.js";

const nameOf = new Map(Object.entries(scripts).map(([name, { sha1 }]) => [sha1, name]));

/** A connection that gives these replies in turn, with what was sent on it: where to, and in what words. */
function recording(...replies: readonly unknown[]) {
  const sent: string[][] = [];
  const left = [...replies];
  const command: RedisCommand = async (key, [name, ...words]) => {
    sent.push([`to ${key}`, name, ...words.map((word) => nameOf.get(word) ?? word)]);
    return left.shift();
  };
  return { options: { command, prefix: "ld" }, sent };
}

const [features, segments, marker] = ["ld:features", "ld:segments", "ld:$inited"];
const segment = parseItem("segments", "s", '{"version":1}');

test("reading asks how large everything is, then for everything", async () => {
  const { options, sent } = recording(0, []);
  const store = redisStore(options)(contextOf("test"));
  expect(await store.read(never)).toBeUndefined();
  expect(sent).toEqual([
    [`to ${features}`, "EVALSHA", "measureAll", "2", features, segments],
    [`to ${features}`, "EVALSHA", "readAll", "3", features, segments, marker],
  ]);
});

test("a full set is sent flags first, with how many there are", async () => {
  const { options, sent } = recording(1);
  const store = redisStore(options)(contextOf("test"));
  await store.replace([segment, flag("a", 1), tombstone("flags", "b", 2)], never);
  expect(sent).toEqual([
    [
      ...[`to ${features}`, "EVALSHA", "replaceAll", "3", features, segments, marker, "2"],
      ...["a", flag("a", 1).json, "b", expect.stringMatching(/"deleted":true/), "s", segment.json],
    ],
  ]);
});

test("items are sent to the collection of their kind, with what was read there", async () => {
  const { options, sent } = recording(1, ["", ""], ["", ""], [1], [1]);
  const store = redisStore(options)(contextOf("test"));
  await store.replace([flag("b", 1)], never);
  sent.length = 0;
  expect(await store.upsert([segment, flag("a", 1)], never)).toEqual([]);
  expect(sent).toEqual([
    [`to ${features}`, "EVALSHA", "readItems", "1", features, "a"],
    [`to ${segments}`, "EVALSHA", "readItems", "1", segments, "s"],
    [`to ${features}`, "EVALSHA", "writeUnchanged", "1", features, "there", "a", flag("a", 1).json, ""],
    [`to ${segments}`, "EVALSHA", "writeUnchanged", "1", segments, "", "s", segment.json, ""],
  ]);
});

test("whether everything is there is asked of each key", async () => {
  const { options, sent } = recording("hash", "hash", "string");
  expect(await redisStore(options)(contextOf("test")).isFilled?.(never)).toBe(true);
  expect(sent).toEqual([features, segments, marker].map((key) => [`to ${key}`, "TYPE", key]));
});

test("big segments are asked for at their keys, and their steps sent as the readers of SDKs expect them", async () => {
  const { options, sent } = recording("v1", "12", "OK", ["x"], ["y"], [1]);
  const store = redisBigSegments(options)(contextOf("test"));
  const [cursor, lock, time] = ["cursor", "lock", "synchronized_on"].map((one) => `ld:big_segments_${one}`);
  expect(await store.cursor(never)).toBe("v1");
  expect(await store.synchronizedOn(never)).toBe(12);
  await store.setSynchronizedOn(13, never);
  expect(await store.memberships("h", never)).toEqual({ included: ["x"], excluded: ["y"] });
  const included = { add: ["a", "b"], remove: ["c"] };
  const excluded = { add: ["d"], remove: ["e", "f", "g"] };
  const step = { segmentId: "s.g1", previousVersion: "v1", version: "v2", included, excluded };
  expect(await store.apply(step, never)).toBe(true);
  const list = (kind: string, ...hashes: string[]) => hashes.map((hash) => `ld:big_segment_${kind}:${hash}`);
  expect(sent).toEqual([
    [`to ${cursor}`, "GET", cursor],
    [`to ${time}`, "GET", time],
    [`to ${time}`, "SET", time, "13"],
    ["to ld:big_segment_include:h", "SMEMBERS", "ld:big_segment_include:h"],
    ["to ld:big_segment_exclude:h", "SMEMBERS", "ld:big_segment_exclude:h"],
    [
      ...[`to ${cursor}`, "EVALSHA", "applyPiece", "9", cursor, lock],
      ...list("include", "a", "b", "c"),
      ...list("exclude", "d", "e", "f", "g"),
      ...["v1", "v2", "s.g1", "2", "1", "1", "3", expect.stringMatching(/^[0-9a-f]{40}$/), "0"],
    ],
  ]);
});

test("of a connection of the host no loss is known, and closing leaves it", async () => {
  const { options, sent } = recording("hash", "hash", "string");
  const store = redisStore(options)(contextOf("test"));
  expect(store.losses?.()).toBe(0);
  await store.close();
  expect(sent).toEqual([]);
  expect(await store.isFilled?.(never)).toBe(true);
  expect(store.losses?.()).toBe(0);
});

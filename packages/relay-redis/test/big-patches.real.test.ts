import type { BigSegmentPatch, BigSegmentStore } from "@wye/relay";
import { expect, test } from "vitest";
import { type RedisCommand, redisBigSegments } from "../src/index.js";
import { contextOf, never, newPrefix } from "./fixtures.js";
import { shareRedis } from "./redis-server.js";

const redis = shareRedis();

const hashes = Array.from({ length: 100_000 }, (_, index) => `hash-${index}`);
const some = hashes.slice(0, 2500);
const none = { add: [], remove: [] };
const enter = (add: readonly string[]): BigSegmentPatch => ({
  segmentId: "beta.g1",
  previousVersion: "",
  version: "v1",
  included: { add, remove: [] },
  excluded: none,
});

const send: RedisCommand = (_key, words) => redis.direct.sendCommand(words);
const open = (prefix: string, command = send): BigSegmentStore =>
  redisBigSegments({ command, prefix })(contextOf("test"));

async function membersOf(prefix: string): Promise<number> {
  return (await redis.direct.keys(`${prefix}:big_segment_include:*`)).length;
}

test("a step with 100,000 contexts is taken in pieces, so that others have their turn, and the cursor moves with the last", async () => {
  const prefix = newPrefix();
  let longest = 0;
  const cursors: unknown[] = [];
  const store = open(prefix, async (key, words, signal) => {
    longest = Math.max(longest, words.length);
    const reply = await send(key, words, signal);
    cursors.push(await redis.direct.get(`${prefix}:big_segments_cursor`));
    return reply;
  });
  expect(await store.apply(enter(hashes), never)).toBe(true);
  expect(longest).toBeLessThan(1100);
  expect(await membersOf(prefix)).toBe(hashes.length);
  // Until all of it is there, the step has not been taken.
  expect(cursors.indexOf("v1")).toBe(cursors.length - 1);
  expect(new Set(cursors)).toEqual(new Set([null, "v1"]));
});

test("a step that was cut off between two commands is taken again", async () => {
  const prefix = newPrefix();
  let left = 2;
  const cut = open(prefix, async (key, words, signal) => {
    if (left-- === 0) throw new Error("cut off");
    return await send(key, words, signal);
  });
  await expect(cut.apply(enter(some), never)).rejects.toThrow("cut off");
  const store = open(prefix);
  expect(await store.cursor(never)).toBeUndefined();
  expect(await store.apply(enter(some), never)).toBe(true);
  expect(await store.cursor(never)).toBe("v1");
  expect(await membersOf(prefix)).toBe(some.length);
});

test("whoever is in the middle of a step stops when another has gone on from there", async () => {
  const prefix = newPrefix();
  const ahead = open(prefix);
  let sent = 0;
  const taken: boolean[] = [];
  const late = open(prefix, async (key, words, signal) => {
    if (++sent === 2) {
      const included = { add: [], remove: some };
      const leave = { ...enter([]), previousVersion: "v1", version: "v2", included };
      taken.push(await ahead.apply(enter(some), never), await ahead.apply(leave, never));
    }
    return await send(key, words, signal);
  });
  expect(await late.apply(enter(some), never)).toBe(false);
  expect(taken).toEqual([true, true]);
  expect(await ahead.cursor(never)).toBe("v2");
  expect(await membersOf(prefix)).toBe(0);
});

/** Copies everything there is, and gives what brings it back. */
async function rememberAll(): Promise<() => Promise<unknown>> {
  for (const key of await redis.direct.keys("*"))
    await redis.direct.sendCommand(["COPY", key, key, "DB", "1"]);
  return () => redis.direct.sendCommand(["SWAPDB", "0", "1"]);
}

test.each(["was emptied", "has gone back to where it had a part of the step"])(
  "a step in a database that meanwhile %s is taken from the beginning",
  async (fate) => {
    await redis.direct.flushAll();
    const prefix = newPrefix();
    let sent = 0;
    let goBack: (() => Promise<unknown>) | undefined;
    const store = open(prefix, async (key, words, signal) => {
      sent++;
      // Before the third of three pieces.
      if (sent === 3) await (fate === "was emptied" ? redis.direct.flushAll() : goBack?.());
      const reply = await send(key, words, signal);
      if (sent === 1) goBack = await rememberAll();
      return reply;
    });
    await expect(store.apply(enter(some), never)).rejects.toThrow("a part of a step that was taken is gone");
    expect(await store.cursor(never)).toBeUndefined();
    expect(await store.apply(enter(some), never)).toBe(true);
    expect(await membersOf(prefix)).toBe(some.length);
  },
);

test("two that take the same step at once do not hold each other up", async () => {
  const prefix = newPrefix();
  const [first, second] = [open(prefix), open(prefix)];
  const taken = await Promise.all([first, second].map((store) => store.apply(enter(hashes), never)));
  expect(taken).toContain(true);
  expect(await first.cursor(never)).toBe("v1");
  expect(await membersOf(prefix)).toBe(hashes.length);
});

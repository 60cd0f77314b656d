import { setImmediate as turn } from "node:timers/promises";
import { parseItem } from "@wye/relay";
import { createManualClock } from "@wye/relay/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { startFaultProxy } from "../../../scripts/databases/fault-proxy.js";
import { type RedisCommand, redisBigSegments, redisStore } from "../src/index.js";
import { connectTo, contextOf, described, flag, never, until } from "./fixtures.js";
import { startRedisStandIn } from "./redis-stand-in.js";
import { open, server, startForEach, url } from "./stand-in-of-the-test.js";

startForEach();

test.each([
  "READONLY You can't write against a read only replica.",
  "ERR Error running script: @user_script: 2: -READONLY You can't write against a read only replica.",
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  "LOADING Redis is loading the dataset in memory",
])("whoever is not the leader any more is left, and the address asked again: %s", async (refusal) => {
  const next = await startRedisStandIn();
  const proxy = await startFaultProxy(server.port);
  const options = { url: `redis://127.0.0.1:${proxy.port}`, prefix: "ld" };
  const store = redisStore(options)(contextOf("test"));
  await store.replace([flag("a", 1)], never);
  // The new leader has what the old one had.
  for (const [key, value] of server.keys) next.keys.set(key, structuredClone(value));
  server.refusal = refusal;
  proxy.target = next.port;
  await expect(store.upsert([flag("a", 2)], never)).rejects.toThrow(refusal);
  expect(await store.upsert([flag("a", 2)], never)).toEqual([]);
  expect(described(await store.read(never))).toEqual(described([flag("a", 2)]));
  expect(next.connections).toBe(1);
  await store.close();
  await proxy.close();
  await next.close();
});

test("other refusals are no reason to connect anew", async () => {
  const store = open();
  await store.replace([flag("a", 1)], never);
  server.refusal = "NOREPLICAS Not enough good replicas to write. READONLY";
  await expect(store.upsert([flag("a", 2)], never)).rejects.toThrow("NOREPLICAS");
  server.refusal = undefined;
  await store.upsert([flag("a", 2)], never);
  expect(server.connections).toBe(1);
  await store.close();
});

test("a script is sent in full only to a server that does not know it", async () => {
  const store = open();
  const sent = async (version: number) => {
    const before = server.commands.length;
    expect(await store.upsert([flag("a", version)], never)).toEqual([]);
    return server.commands.slice(before);
  };
  await store.replace([], never);
  await sent(1);
  const known = await sent(2);
  expect(known.map(({ name }) => name)).toEqual(["EVALSHA", "EVALSHA"]);
  for (const { bytes } of known) expect(bytes).toBeLessThan(250);
  server.forgetScripts();
  expect((await sent(3)).map(({ name }) => name)).toEqual(["EVALSHA", "EVAL", "EVALSHA", "EVAL"]);
  expect((await sent(4)).map(({ name }) => name)).toEqual(["EVALSHA", "EVALSHA"]);
  await store.close();
});

test("a command gets the time that it and all before it take on a slow line", async () => {
  const clock = createManualClock(0);
  const context = { ...contextOf("test"), clock };
  const factory = redisStore({ url: url(), prefix: "ld-$CID" });
  const [large, small] = ["a", "b"].map((envId) => factory({ ...context, environment: envId, envId }));
  if (large === undefined || small === undefined) throw new Error("too few");
  await small.isFilled?.(never);
  server.mute();
  const told: string[] = [];
  const text = JSON.stringify({ version: 1, pad: "x".repeat(2_000_000) });
  const calls = [large.replace([parseItem("flags", "a", text)], never), small.isFilled?.(never)].map((call) =>
    call?.catch(() => told.push("given up")),
  );
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  await turns();
  clock.advance(29_000);
  await turns();
  expect(told).toEqual([]);
  clock.advance(2000);
  await Promise.all(calls);
  expect(told).toHaveLength(2);
  expect(server.connections).toBe(1);
  await large.close();
  await small.close();
});

test("megabytes are read in turns of the event loop", async () => {
  const texts = Array.from({ length: 4000 }, (_, index) => [
    `flag-${index}`,
    JSON.stringify({ key: `flag-${index}`, version: 1, pad: "x".repeat(1000) }),
  ]).flat();
  const replies = [4_000_000, [texts, []]];
  const store = redisStore({ command: async () => replies.shift() })(contextOf("test"));
  let items: readonly unknown[] | undefined;
  void store.read(never).then((read) => {
    items = read;
  });
  let turns = 0;
  for (; items === undefined; turns++) await turn();
  expect(items).toHaveLength(4000);
  expect(turns).toBeGreaterThan(10);
  await store.close();
});

test("large data are sent once", async () => {
  const store = open();
  await store.replace([parseItem("flags", "a", `{"version":1,"pad":"${"x".repeat(100_000)}"}`)], never);
  expect(server.commands.filter(({ bytes }) => bytes > 100_000)).toHaveLength(1);
  await store.close();
});

test.each([
  { bytes: 0, seconds: 10 },
  { bytes: 200_000, seconds: 12 },
  { bytes: 9_000_000, seconds: 100 },
])(
  "reading everything, $bytes bytes, may take what that takes on a slow line",
  { timeout: 300_000 },
  async ({ bytes, seconds }) => {
    const clock = createManualClock(0);
    const store = redisStore({ url: url(), prefix: "ld" })({ ...contextOf("test"), clock });
    const pad = "x".repeat(bytes / 2);
    const items = (["flags", "segments"] as const).map((kind) =>
      parseItem(kind, "a", `{"version":1,"pad":"${pad}"}`),
    );
    await store.replace(items, never);
    // From now on the server knows the scripts.
    expect(await store.read(never)).toHaveLength(2);
    server.commands.length = 0;
    server.mute({ after: 1 });
    const told: string[] = [];
    const reading = store.read(never).catch(({ message }: Error) => told.push(message));
    const asked = async () => server.commands.filter(({ name }) => name === "EVALSHA").length;
    // How large everything is, which is answered, and everything.
    await until(asked, (scripts) => scripts === 2);
    clock.advance(seconds * 1000 - 100);
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    clock.advance(200);
    await reading;
    expect(told).toHaveLength(1);
    await store.close();
  },
);

test("a connection of the host that never answers is waited for as long as one's own", async () => {
  const clock = createManualClock(0);
  const store = redisStore({ command: () => new Promise(() => {}) })({ ...contextOf("test"), clock });
  const asking = store.isFilled?.(never);
  clock.advance(10_001);
  await expect(asking).rejects.toThrow("no answer within");
});

test("thousands of contexts may ask at once", async () => {
  const store = redisBigSegments({ url: url(), prefix: "ld" })(contextOf("test"));
  await store.apply({ ...step, included: { add: ["h7"], remove: [] } }, never);
  const hashes = Array.from({ length: 3000 }, (_, index) => `h${index}`);
  const found = await Promise.all(hashes.map((hash) => store.memberships(hash, never)));
  expect(found.map(({ included }) => included.length)).toEqual(hashes.map((hash) => (hash === "h7" ? 1 : 0)));
  await store.close();
});

test("only the store limits how long a command may take: its client does not know what is on the way before it", async () => {
  const limits = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => limits.mockRestore());
  const store = open();
  await store.replace([flag("a", 1)], never);
  expect(await store.upsert([flag("a", 2)], never)).toEqual([]);
  expect(limits).not.toHaveBeenCalled();
  await store.close();
});

/** A connection of the host, with what it does to replies. */
async function hostStore(wrap: (send: RedisCommand) => RedisCommand) {
  const client = await connectTo(server.port);
  const command = wrap((_key, words) => client.sendCommand(words));
  const options = { command, prefix: "ld" };
  return {
    flags: redisStore(options)(contextOf("test")),
    members: redisBigSegments(options)(contextOf("test")),
    end: () => client.destroy(),
  };
}

const lists = { add: [], remove: [] };
const step = { segmentId: "s.g1", previousVersion: "", version: "v1", included: lists, excluded: lists };

test.each<[string, (error: Error) => unknown]>([
  ["with a message around it", (error) => new Error(`redis failed: ${error.message}`)],
  ["as a cause", (error) => new Error("redis failed", { cause: error })],
  ["as a text", ({ message }) => message],
  ["as an object of another realm", ({ message }) => ({ message })],
])("a host may word errors as it likes: %s", async (_name, reword) => {
  const { flags, members, end } = await hostStore((send) => async (key, words, signal) => {
    try {
      return await send(key, words, signal);
    } catch (error) {
      throw reword(error as Error);
    }
  });
  await flags.replace([flag("a", 1)], never);
  expect(await flags.upsert([flag("a", 2)], never)).toEqual([]);
  expect(await members.apply(step, never)).toBe(true);
  expect(described(await flags.read(never))).toEqual(described([flag("a", 2)]));
  end();
});

test("a host may give sets as sets", async () => {
  const { members, end } = await hostStore((send) => async (key, words, signal) => {
    const reply = await send(key, words, signal);
    return words[0] === "SMEMBERS" ? new Set(reply as string[]) : reply;
  });
  await members.apply({ ...step, included: { add: ["h"], remove: [] } }, never);
  expect(await members.memberships("h", never)).toEqual({ included: ["s.g1"], excluded: [] });
  end();
});

test("errors that a host gives as values are errors", async () => {
  const { flags, end } = await hostStore(
    (send) => (key, words, signal) => send(key, words, signal).catch((error: unknown) => error),
  );
  await flags.replace([flag("a", 1)], never);
  expect(described(await flags.read(never))).toEqual(described([flag("a", 1)]));
  server.refusal = "OOM command not allowed";
  await expect(flags.replace([], never)).rejects.toThrow("OOM");
  end();
});

test("a host that forgets to give the replies is told so by every call", async () => {
  const { flags, members, end } = await hostStore((send) => async (key, words, signal) => {
    await send(key, words, signal).catch(() => {});
  });
  for (const call of [
    () => flags.replace([], never),
    () => flags.upsert([flag("a", 1)], never),
    () => flags.read(never),
    () => flags.isFilled?.(never),
    () => members.cursor(never),
    () => members.apply(step, never),
    () => members.synchronizedOn(never),
    () => members.setSynchronizedOn(1, never),
    () => members.memberships("h", never),
  ]) {
    await expect(call()).rejects.toThrow(
      /^Redis gave undefined where .* expected \(a command of the host must give the reply as it is\)$/,
    );
  }
  end();
});

test("a list of another type is reported, gives way to one with what a step says, and keeps neither others nor the cursor back", async () => {
  const told: string[] = [];
  const logger = { ...contextOf("test").logger, error: (message: string) => void told.push(message) };
  const store = redisBigSegments({ url: url(), prefix: "ld" })({ ...contextOf("test"), logger });
  for (const hash of ["bad", "left"]) server.keys.set(`ld:big_segment_include:${hash}`, "of somebody else");
  const included = { add: ["x", "bad", "y"], remove: [] };
  expect(await store.apply({ ...step, included }, never)).toBe(true);
  expect(await store.cursor(never)).toBe("v1");
  await expect(store.memberships("left", never)).rejects.toThrow(
    /WRONGTYPE .*"ld:big_segment_include:left": delete it and ld:big_segments_cursor, so that all memberships are asked for again/,
  );
  for (const hash of ["x", "bad", "y"])
    expect((await store.memberships(hash, never)).included).toEqual(["s.g1"]);
  expect(told).toEqual([
    expect.stringMatching(
      /ld:big_segment_include:bad was of another type .* delete it and ld:big_segments_cursor, /,
    ),
  ]);
  await store.close();
});

test("a step of which a command is refused has not been taken", async () => {
  const store = redisBigSegments({ url: url(), prefix: "ld" })(contextOf("test"));
  server.forbidden = "SREM";
  const leave = { ...step, included: { add: ["x"], remove: ["y"] } };
  await expect(store.apply(leave, never)).rejects.toThrow("NOPERM");
  expect(await store.cursor(never)).toBeUndefined();
  server.forbidden = undefined;
  expect(await store.apply(leave, never)).toBe(true);
  expect(await store.cursor(never)).toBe("v1");
  await store.close();
});

test("a thousand changes are one script, and one more is another", async () => {
  const store = redisBigSegments({ url: url(), prefix: "ld" })(contextOf("test"));
  // From now on the server knows the script, by its name or in full.
  await store.apply(step, never);
  const many = (count: number) => Array.from({ length: count }, (_, index) => `h${index}`);
  for (const [previousVersion, version, add, remove, scripts] of [
    ["v1", "v2", 1000, 0, 1],
    ["v2", "v3", 999, 1, 1],
    ["v3", "v4", 1001, 0, 2],
    ["v4", "v5", 1000, 1000, 2],
    ["v5", "v6", 1000, 1001, 3],
  ] as const) {
    server.commands.length = 0;
    const included = { add: many(add), remove: many(remove) };
    expect(await store.apply({ ...step, previousVersion, version, included }, never)).toBe(true);
    const sent = server.commands.filter(({ name }) => name.startsWith("EVAL"));
    expect(sent, version).toHaveLength(scripts);
    expect(await store.cursor(never)).toBe(version);
  }
  server.commands.length = 0;
  const elsewhere = {
    ...step,
    previousVersion: "v0",
    version: "v9",
    included: { add: many(3000), remove: [] },
  };
  expect(await store.apply(elsewhere, never)).toBe(false);
  expect(server.commands.filter(({ name }) => name.startsWith("EVAL"))).toHaveLength(1);
  await store.close();
});

test("a connection that two calls give up at once is told of once, and the next one serves", async () => {
  const clock = createManualClock(0);
  const warnings: string[] = [];
  const logger = { ...contextOf("test").logger, warn: (message: string) => void warnings.push(message) };
  const store = redisStore({ url: url(), prefix: "ld" })({ ...contextOf("test"), logger, clock });
  await store.replace([flag("a", 1)], never);
  server.mute();
  const calls = [store.isFilled?.(never), store.isFilled?.(never)];
  const between = calls[0]?.catch(() => store.isFilled?.(never));
  const outcomes = Promise.allSettled(calls);
  // Both have been sent: their patience has begun.
  await new Promise(setImmediate);
  clock.advance(11_000);
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(warnings).toEqual([`Redis at ${url()}: no answer within 10000 ms; connecting anew`]);
  expect(await between).toBe(true);
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  expect(server.connections).toBe(2);
  await store.close();
});

test.each(["features", "segments", "$inited"])(
  "a store knows that somebody has taken its %s away, and that an item alone is not all",
  async (part) => {
    const store = open({ prefix: "ld" });
    const segment = (version: number) => parseItem("segments", "s", JSON.stringify({ version }));
    await store.replace([flag("a", 1), flag("b", 1), segment(1)], never);
    expect(await store.isFilled?.(never)).toBe(true);
    server.keys.delete(`ld:${part}`);
    expect(await store.isFilled?.(never)).toBe(false);
    const writing = store.upsert([flag("a", 2), segment(2)], never);
    const outcome = await writing.catch(({ message }: Error) => message);
    const lost = `LOST ld:${part} was deleted or evicted by somebody else`;
    expect(outcome).toEqual(part === "$inited" ? [] : lost);
    expect(server.keys.has(`ld:${part}`)).toBe(false);
    expect(await store.isFilled?.(never)).toBe(false);
    await store.replace([flag("a", 2)], never);
    expect(await store.isFilled?.(never)).toBe(true);
    // There are no segments any more, and nobody has to have any.
    expect(await store.upsert([segment(3)], never)).toEqual([]);
    await store.close();
  },
);

test("what others have left of the collections is what has to be there, once it was read", async () => {
  const store = open({ prefix: "ld" });
  const segment = parseItem("segments", "s", '{"version":1}');
  await store.replace([flag("a", 1), segment], never);
  server.keys.delete("ld:segments");
  expect(await store.isFilled?.(never)).toBe(false);
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  expect(await store.isFilled?.(never)).toBe(true);
  expect(await store.upsert([segment], never)).toEqual([]);
  server.keys.delete("ld:segments");
  expect(await store.isFilled?.(never)).toBe(false);
  await store.close();
});

test("a store that was opened anew knows from reading, or writing, what has to be there", async () => {
  const segment = parseItem("segments", "s", '{"version":1}');
  await open({ prefix: "ld" }).replace([flag("a", 1)], never);
  const store = open({ prefix: "ld" });
  await store.read(never);
  await store.upsert([segment], never);
  expect(await store.isFilled?.(never)).toBe(true);
  for (const part of ["features", "segments"]) {
    const kept = server.keys.get(`ld:${part}`) ?? "";
    server.keys.delete(`ld:${part}`);
    expect(await store.isFilled?.(never)).toBe(false);
    server.keys.set(`ld:${part}`, kept);
  }
  expect(await store.isFilled?.(never)).toBe(true);
});

test.each(["features", "segments"])(
  "%s of another type are no empty ones: they cannot be read, and give way to a full set",
  async (part) => {
    const all = [flag("a", 1), parseItem("segments", "s", '{"version":1}')];
    const store = open({ prefix: "ld" });
    await store.replace(all, never);
    server.keys.set(`ld:${part}`, "of somebody else");
    // A store that was opened anew does not know that there were any.
    for (const one of [store, open({ prefix: "ld" })]) {
      await expect(one.read(never)).rejects.toThrow(
        `WRONGTYPE ld:${part} is a string (somebody else keeps that there: delete it, or choose another prefix)`,
      );
      expect(await one.isFilled?.(never)).toBe(false);
    }
    await store.replace(all, never);
    expect(described(await store.read(never))).toEqual(described(all));
    expect(await store.isFilled?.(never)).toBe(true);
    server.keys.set(`ld:${part}`, "of somebody else");
    server.keys.delete("ld:$inited");
    expect(await store.read(never)).toBeUndefined();
  },
);

import { expect, onTestFinished, test } from "vitest";
import { redisStore } from "../src/index.js";
import type { RedisCommand } from "../src/redis-command.js";
import { readItems, writeUnchanged } from "../src/scripts.js";
import { connectTo, contextOf, flag, never } from "./fixtures.js";
import { open, server, startForEach } from "./stand-in-of-the-test.js";

startForEach();

/** A store beside writers who come each time between its reading and its writing, with the keys that it has read and written in turn. */
async function openBeside(others: (turn: number) => Readonly<Record<string, number>>) {
  const client = await connectTo(server.port);
  onTestFinished(() => client.destroy());
  const [read, written]: [string[][], string[][]] = [[], []];
  const command: RedisCommand = (_key, [name, script = "", ...words]) => {
    const values = words.slice(2);
    if (script === readItems.sha1) read.push(values);
    if (script === writeUnchanged.sha1) {
      written.push(values.slice(1).filter((_, at) => at % 3 === 0));
      for (const [key, version] of Object.entries(others(written.length))) keep(key, version);
    }
    return client.sendCommand([name, script, ...words]);
  };
  return { store: redisStore({ command, prefix: "ld" })(contextOf("test")), read, written };
}

let writes = 0;
/** Keeps a flag as somebody else does, never in the same words. */
function keep(key: string, version: number): void {
  const kept = server.keys.get("ld:features");
  const text = flag(key, version, `other ${++writes}`).json;
  server.keys.set("ld:features", new Map(typeof kept === "object" ? kept : []).set(key, text));
}

/** What is kept by then. */
function versions(): Readonly<Record<string, number>> {
  const kept = server.keys.get("ld:features");
  const texts = typeof kept === "object" ? [...kept] : [];
  return Object.fromEntries(texts.map(([key, text]) => [key, JSON.parse(text).version]));
}

test.each([0, 1, 99])("an item that others write %i times meanwhile is kept in the end", async (times) => {
  const { store, written } = await openBeside((turn) => (turn <= times ? { a: 1 } : {}));
  expect(await store.upsert([flag("a", 2)], never)).toEqual([]);
  expect(server.keys.get("ld:features")).toEqual(new Map([["a", flag("a", 2).json]]));
  expect(written).toHaveLength(times + 1);
});

test("an item that others write a hundred times meanwhile is not, and who is in the way is told", async () => {
  const { store, written } = await openBeside(() => ({ a: 1 }));
  await expect(store.upsert([flag("a", 2)], never)).rejects.toMatchObject({
    code: "store_failed",
    message: "others write ld:features all the time",
  });
  expect(written).toHaveLength(100);
  expect(server.keys.get("ld:features")).not.toEqual(new Map([["a", flag("a", 2).json]]));
});

test("only what others have written is read and written again, and what is newer is given", async () => {
  const { store, read, written } = await openBeside((turn) => (turn === 1 ? { b: 1, c: 9 } : {}));
  keep("b", 1);
  keep("d", 2);
  const given = await store.upsert(
    ["a", "b", "c", "d"].map((key) => flag(key, 2)),
    never,
  );
  expect(given.map(({ key, version }) => [key, version])).toEqual([
    ["d", 2],
    ["c", 9],
  ]);
  expect(read).toEqual([
    ["a", "b", "c", "d"],
    ["b", "c"],
  ]);
  expect(written).toEqual([["a", "b", "c"], ["b"]]);
  expect(versions()).toEqual({ a: 2, b: 2, c: 9, d: 2 });
});

test("a collection that nobody has written anything to need not be there", async () => {
  const store = open();
  await store.replace([flag("a", 1)], never);
  await store.upsert([flag("a", 2)], never);
  await store.upsert([], never);
  expect(await store.isFilled?.(never)).toBe(true);
  await store.close();
});

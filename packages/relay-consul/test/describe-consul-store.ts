import { parseItem, tombstone } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeContracts } from "../../../scripts/databases/describe-contracts.js";
import { described, flag, living, never } from "../../../scripts/databases/store-items.js";
import { type ConsulOptions, consulStore } from "../src/index.js";
import type { TestConsul } from "./test-consul.js";

/** What is promised of a store, in a Consul that is started for it. */
export function describeConsulStore(start: () => Promise<TestConsul>): void {
  let server: TestConsul;
  let prefixes = 0;
  const told: string[] = [];
  const context = createStoreContext({ envId: "507f1f77bcf86cd799439011", told });
  const newPrefix = () => `test-${++prefixes}`;
  const open = (options: ConsulOptions = {}) =>
    consulStore({ address: server.address, prefix: newPrefix(), ...options })(context);

  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    told.length = 0;
  });

  describeContracts({
    async flags(count, told) {
      const factory = consulStore({ address: server.address, prefix: newPrefix() });
      return Array.from({ length: count }, () => factory(createStoreContext({ told })));
    },
  });

  test("writes what SDKs in daemon mode read", async () => {
    const store = open({ prefix: "ld-$CID" });
    const [plain, segment] = [flag("a", 1), parseItem("segments", "s", '{"version":2}')];
    await store.replace([plain, tombstone("flags", "gone", 4), segment], never);
    const written = [...(await server.entries())].filter(([key]) => key.startsWith("ld-"));
    expect(Object.fromEntries(written)).toEqual({
      "ld-507f1f77bcf86cd799439011/features/a": plain.json,
      "ld-507f1f77bcf86cd799439011/features/gone": '{"key":"$deleted","version":4,"deleted":true}',
      "ld-507f1f77bcf86cd799439011/segments/s": segment.json,
      "ld-507f1f77bcf86cd799439011/$inited": "",
    });
    expect(store.about).toEqual({
      database: "consul",
      dbServer: server.address,
      dbPrefix: "ld-507f1f77bcf86cd799439011",
    });
    await store.close();
  });

  test("a prefix that begins like another one, and what else is under the same one, stay as they are", async () => {
    const prefix = newPrefix();
    const [short, long] = [open({ prefix }), open({ prefix: `${prefix}2` })];
    await server.set(`${prefix}/notes`, "of a colleague");
    await long.replace([flag("a", 7)], never);
    await short.replace([flag("b", 1)], never);
    await short.replace([], never);
    expect(described(await long.read(never))).toEqual(described([flag("a", 7)]));
    expect((await server.entries()).get(`${prefix}/notes`)).toBe("of a colleague");
    expect(await short.read(never)).toEqual([]);
  });

  test("a value larger than Consul takes is reported and left out, whichever way it comes; others are kept", async () => {
    const store = open();
    const large = flag("large", 2, { text: "x".repeat(400_000) });
    await store.replace([flag("a", 1), large], never);
    expect(await store.upsert([large, flag("b", 1)], never)).toEqual([]);
    expect(living(await store.read(never))).toEqual(["a", "b"]);
    expect(told).toHaveLength(2);
    const fits = flag("fits", 1, { text: "x".repeat(350_000) });
    await store.upsert([fits], never);
    expect((await store.read(never))?.find(({ key }) => key === "fits")?.json).toBe(fits.json);
  });

  test("an item that has outgrown the database is deleted there, whichever way it comes, until it fits again", async () => {
    const store = open();
    const large = flag("a", 2, { text: "x".repeat(400_000) });
    const mark = described([tombstone("flags", "a", 1)]);
    for (const write of [store.upsert, store.replace]) {
      await store.replace([flag("a", 1)], never);
      await write([large], never);
      expect(described(await store.read(never))).toEqual(mark);
    }
    // Who has not heard of the change yet does not bring the version before it back, and serves it a little longer.
    expect(described(await store.upsert([flag("a", 1)], never))).toEqual(mark);
    expect(await store.upsert([large], never)).toEqual([]);
    expect(described(await store.read(never))).toEqual(mark);
    expect(await store.isFilled?.(never)).toBe(true);
    expect(await store.upsert([flag("a", 3)], never)).toEqual([]);
    expect(described(await store.upsert([large], never))).toEqual(described([flag("a", 3)]));
    expect(described(await store.read(never))).toEqual(described([flag("a", 3)]));
    await store.close();
  });

  test("what has become none is deleted with the next full set", async () => {
    const store = open();
    await store.replace([flag("a", 1), flag("b", 1)], never);
    await store.replace([parseItem("flags", "a", "null"), flag("b", 1)], never);
    expect(living(await store.read(never))).toEqual(["b"]);
    await store.close();
  });

  test("what others wrote wrongly is left out and gives way", async () => {
    const prefix = newPrefix();
    const store = open({ prefix });
    await store.replace([flag("good", 1)], never);
    await server.set(`${prefix}/features/odd`, "no json");
    await server.set(`${prefix}/features/empty`, "");
    expect(described(await store.read(never))).toEqual(described([flag("good", 1)]));
    expect(told).toHaveLength(2);
    expect(await store.upsert([flag("odd", 1), flag("empty", 1)], never)).toEqual([]);
  });

  test("a call that is given up ends", async () => {
    const given = new AbortController();
    given.abort(new Error("too late"));
    await expect(open().read(given.signal)).rejects.toThrow("too late");
  });

  test("a token that may not write is told so at once, and is no reason to try again", async () => {
    const prefix = newPrefix();
    await open({ prefix }).replace([flag("a", 1)], never);
    const reader = open({ prefix, token: server.readOnlyToken });
    expect(described(await reader.read(never))).toEqual(described([flag("a", 1)]));
    const refusal = /^Consul answered 409: Permission denied: .*lacks permission 'key:write' on/;
    await expect(reader.upsert([flag("a", 2)], never)).rejects.toThrow(refusal);
    await expect(reader.replace([flag("a", 2)], never)).rejects.toThrow(refusal);
  });

  test("what the token may not read is no reason to take the rest for everything", async () => {
    const prefix = "narrow";
    await open({ prefix }).replace([flag("a", 1), parseItem("segments", "s", '{"version":1}')], never);
    const narrow = open({ prefix, token: server.narrowToken });
    const refusal = "Consul has left out what the token may not read";
    await expect(narrow.read(never)).rejects.toThrow(refusal);
    await expect(narrow.isFilled?.(never)).rejects.toThrow(refusal);
    // Nothing else is there, so that it looks empty.
    for (const part of ["features/", "$inited"]) await server.remove(`${prefix}/${part}`);
    await expect(narrow.read(never)).rejects.toThrow(refusal);
    await expect(narrow.isFilled?.(never)).rejects.toThrow(refusal);
  });

  test.each(["features/", "segments/", "$inited"])(
    "a store knows that somebody has deleted its %s, and that an item alone is not all",
    async (part) => {
      const prefix = newPrefix();
      const store = open({ prefix });
      const segment = (key: string) => parseItem("segments", key, '{"version":1}');
      await store.replace([flag("a", 1), flag("deep/er", 1), segment("s")], never);
      expect(await store.isFilled?.(never)).toBe(true);
      await server.remove(`${prefix}/${part}`);
      expect(await store.isFilled?.(never)).toBe(false);
      const outcome = await store
        .upsert([part === "segments/" ? segment("s") : flag("a", 2)], never)
        .catch(({ message }: Error) => message);
      expect(outcome).toEqual(part === "$inited" ? [] : `${prefix}/${part} was deleted by somebody else`);
      expect(await store.isFilled?.(never)).toBe(false);
      await store.replace([flag("a", 2)], never);
      expect(await store.isFilled?.(never)).toBe(true);
      // There are no segments any more, and nobody has to have any.
      expect(await store.upsert([segment("t")], never)).toEqual([]);
      expect(await store.isFilled?.(never)).toBe(true);
    },
  );

  test("a store that was opened anew knows from reading, or writing, what has to be there", async () => {
    const prefix = newPrefix();
    await open({ prefix }).replace([flag("a", 1)], never);
    const store = open({ prefix });
    await store.read(never);
    expect(await store.upsert([parseItem("segments", "s", '{"version":1}')], never)).toEqual([]);
    for (const [part, key] of [
      ["features/", "a"],
      ["segments/", "s"],
    ] as const) {
      await server.remove(`${prefix}/${part}`);
      expect(await store.isFilled?.(never)).toBe(false);
      await server.set(`${prefix}/${part}${key}`, '{"version":1}');
      expect(await store.isFilled?.(never)).toBe(true);
    }
  });

  test("what others have left of the folders is what has to be there, once it was read", async () => {
    const prefix = newPrefix();
    const [store, other] = [open({ prefix }), open({ prefix })];
    const segment = parseItem("segments", "s", '{"version":1}');
    await store.replace([flag("a", 1), segment], never);
    await other.replace([flag("a", 1)], never);
    expect(await store.isFilled?.(never)).toBe(false);
    expect(living(await store.read(never))).toEqual(["a"]);
    expect(await store.isFilled?.(never)).toBe(true);
    expect(await store.upsert([segment], never)).toEqual([]);
    await server.remove(`${prefix}/segments/`);
    expect(await store.isFilled?.(never)).toBe(false);
  });

  test("of items that were all too large none has to be there", async () => {
    const store = open();
    await store.replace([flag("large", 1, { text: "x".repeat(400_000) })], never);
    expect(await store.isFilled?.(never)).toBe(true);
    expect(await store.upsert([flag("a", 1)], never)).toEqual([]);
  });
}

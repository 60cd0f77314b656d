import { type AttributeValue, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { type FlagStore, parseItem, tombstone } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeContracts } from "../../../scripts/databases/describe-contracts.js";
import { described, flag, living, never } from "../../../scripts/databases/store-items.js";
import { type DynamoDbOptions, dynamoDbBigSegments, dynamoDbStore } from "../src/index.js";
import type { TestDatabase } from "./test-database.js";

/** What the table cannot keep: its keys are never empty. */
const notKept = "keys are data, whatever they look like";

/** What is promised of a store, on a database that is started for it; but for cases of the contracts that the caller has a reason to leave out. */
export function describeDynamoDbStore(
  start: () => Promise<TestDatabase>,
  except: readonly string[] = [],
): void {
  let database: TestDatabase;
  const told: string[] = [];
  let tables = 0;

  beforeAll(async () => {
    database = await start();
  });
  afterAll(() => database.stop());

  const context = createStoreContext({ envId: "507f1f77bcf86cd799439011", told });

  async function newTable(): Promise<string> {
    const table = `flags-${++tables}`;
    await database.createTable(table);
    return table;
  }

  async function open(options: Partial<DynamoDbOptions> = {}): Promise<{ store: FlagStore; table: string }> {
    const table = typeof options.table === "string" ? options.table : await newTable();
    return { table, store: dynamoDbStore({ connect: database.connect, ...options, table })(context) };
  }

  async function rowsOf(table: string): Promise<readonly Record<string, AttributeValue>[]> {
    const { Items } = await database.client.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
    return [...(Items ?? [])].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }

  describeContracts({
    async flags(count, told) {
      const factory = dynamoDbStore({ connect: database.connect, table: await newTable() });
      return Array.from({ length: count }, () => factory(createStoreContext({ told })));
    },
    async members(count, told) {
      const factory = dynamoDbBigSegments({ client: database.client, table: await newTable() });
      return Array.from({ length: count }, () => factory(createStoreContext({ told })));
    },
    except: [notKept, ...except],
  });

  test("writes big segments where SDKs look for them", async () => {
    const table = await newTable();
    const store = dynamoDbBigSegments({ client: database.client, table, prefix: "ld" })(context);
    const lists = (add: readonly string[]) => ({ add, remove: [] });
    const patch = { segmentId: "beta.g1", previousVersion: "", version: "v1" };
    await store.apply({ ...patch, included: lists(["h1"]), excluded: lists(["h1", "h2"]) }, never);
    await store.setSynchronizedOn(1_700_000_000_123, never);
    const [metadata, users] = ["ld:big_segments_metadata", "ld:big_segments_user"].map((name) => ({
      S: name,
    }));
    expect(await rowsOf(table)).toEqual(
      expect.arrayContaining([
        {
          namespace: metadata,
          key: metadata,
          lastVersion: { S: "v1" },
          synchronizedOn: { N: "1700000000123" },
        },
        { namespace: users, key: { S: "h1" }, included: { SS: ["beta.g1"] }, excluded: { SS: ["beta.g1"] } },
        { namespace: users, key: { S: "h2" }, excluded: { SS: ["beta.g1"] } },
      ]),
    );
    expect(await rowsOf(table)).toHaveLength(3);
    await store.close();
  });

  test("keys are data, but for the empty one, which no table takes", async () => {
    const { store } = await open();
    const odd = ["__proto__", "constructor", "a b/ü", "$inited", ":", "a:b", ".", "..", "\u0000"];
    await store.replace(
      [...odd, ""].map((key) => flag(key, 1)),
      never,
    );
    expect((await store.read(never))?.map(({ key }) => key).sort()).toEqual([...odd].sort());
    expect(told.splice(0)).toEqual([expect.stringContaining('flags "" has no key')]);
    await store.close();
  });

  test("a version that no number of the database stands for is an item like that", async () => {
    const { store } = await open();
    const [largest, larger] = [flag("a", 9e125), flag("b", 1e126)];
    await store.replace([largest, larger, flag("c", -1e126)], never);
    expect(await store.upsert([larger, flag("d", 1)], never)).toEqual([]);
    expect(living(await store.read(never))).toEqual(["a", "d"]);
    expect(told.splice(0).map((message) => /"\w" has the version [^,]+/.exec(message)?.[0])).toEqual([
      '"b" has the version 1e+126',
      '"c" has the version -1e+126',
      '"b" has the version 1e+126',
    ]);
    await store.close();
  });

  test("writes what SDKs in daemon mode read", async () => {
    const { store, table } = await open({ prefix: "ld-$CID" });
    await store.replace(
      [flag("a", 1), tombstone("flags", "gone", 4), parseItem("segments", "s", '{"version":2}')],
      never,
    );
    const namespace = (name: string) => ({ S: `ld-507f1f77bcf86cd799439011:${name}` });
    expect(await rowsOf(table)).toEqual(
      expect.arrayContaining([
        { namespace: namespace("$inited"), key: namespace("$inited") },
        {
          namespace: namespace("features"),
          key: { S: "a" },
          version: { N: "1" },
          item: { S: flag("a", 1).json },
        },
        {
          namespace: namespace("features"),
          key: { S: "gone" },
          version: { N: "4" },
          item: { S: '{"key":"$deleted","version":4,"deleted":true}' },
        },
        {
          namespace: namespace("segments"),
          key: { S: "s" },
          version: { N: "2" },
          item: { S: '{"version":2}' },
        },
      ]),
    );
    expect(await rowsOf(table)).toHaveLength(4);
    expect(store.about).toMatchObject({
      database: "dynamodb",
      dbTable: table,
      dbPrefix: "ld-507f1f77bcf86cd799439011",
    });
    await store.close();
  });

  test("a thousand flags, some megabytes of them, arrive in batches, and vanish again", async () => {
    const { store, table } = await open();
    const large = Array.from({ length: 1000 }, (_, index) =>
      flag(`flag-${index}`, 1, { text: "é".repeat(4000) }),
    );
    await store.replace(large, never);
    expect(await store.read(never)).toHaveLength(1000);
    await store.replace([flag("a", 1)], never);
    expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
    expect(await rowsOf(table)).toHaveLength(2);
    await store.close();
  });

  test("prefixes that begin alike, and none at all, share a table without touching each other", async () => {
    const table = await newTable();
    const stores = await Promise.all(
      ["", "ld", "ld2"].map(async (prefix) => (await open({ table, prefix })).store),
    );
    await Promise.all(stores.map((store, index) => store.replace([flag("a", index + 1)], never)));
    await stores[1]?.replace([], never);
    const kept = await Promise.all(stores.map((store) => store.read(never)));
    expect(kept.map(described)).toEqual([described([flag("a", 1)]), [], described([flag("a", 3)])]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("an item that is too large is reported and left out, whichever way it comes; others are kept", async () => {
    const { store } = await open();
    const large = flag("large", 2, { text: "x".repeat(400_000) });
    await store.replace([flag("a", 1), large], never);
    expect(await store.upsert([large, flag("b", 1)], never)).toEqual([]);
    expect(living(await store.read(never))).toEqual(["a", "b"]);
    expect(told.splice(0).filter((message) => message.includes('"large" has 400'))).toHaveLength(2);
    const justFits = flag("fits", 1, { text: "x".repeat(399_000) });
    await store.upsert([justFits], never);
    expect((await store.read(never))?.find(({ key }) => key === "fits")?.json).toBe(justFits.json);
    await store.close();
  });

  test("an item that has outgrown the database is deleted there, whichever way it comes, until it fits again", async () => {
    const { store } = await open();
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
    expect(await store.upsert([flag("a", 3)], never)).toEqual([]);
    expect(described(await store.upsert([large], never))).toEqual(described([flag("a", 3)]));
    expect(described(await store.read(never))).toEqual(described([flag("a", 3)]));
    told.length = 0;
    await store.close();
  });

  test("a version that has outgrown the numbers of the database is deleted there, and what has become none as well", async () => {
    const { store } = await open();
    await store.replace([flag("a", 1)], never);
    expect(await store.upsert([flag("a", 1e126)], never)).toEqual([]);
    expect(living(await store.read(never))).toEqual([]);
    await store.replace([flag("a", 1), flag("b", 1), flag("c", 1)], never);
    await store.replace([flag("a", 1e126), parseItem("flags", "b", "null"), flag("c", 1)], never);
    expect(living(await store.read(never))).toEqual(["c"]);
    told.length = 0;
    await store.close();
  });

  test("a key that is too long is an item like that: in bytes, not in letters", async () => {
    const { store } = await open();
    const [fits, long, wide] = ["x".repeat(1024), "x".repeat(1025), "ü".repeat(513)].map((key) =>
      flag(key, 1),
    );
    if (fits === undefined || long === undefined || wide === undefined) throw new Error("too few");
    await store.replace([long, flag("a", 1), wide], never);
    expect(await store.upsert([long, fits], never)).toEqual([]);
    expect((await store.read(never))?.map(({ key }) => key)).toEqual(["a", fits.key]);
    expect(told.splice(0).map((message) => /key of \d+ bytes/.exec(message)?.[0])).toEqual([
      "key of 1025 bytes",
      "key of 1026 bytes",
      "key of 1025 bytes",
    ]);
    await store.close();
  });

  test("a context in more segments than an item holds is reported, and keeps nobody else out", async () => {
    const table = await newTable();
    const full = Array.from(
      { length: 399 },
      (_, index) => `${index}-${"s".repeat(1000 - String(index).length)}`,
    );
    await database.client.send(
      new PutItemCommand({
        TableName: table,
        Item: { namespace: { S: "big_segments_user" }, key: { S: "full" }, included: { SS: full } },
      }),
    );
    const store = dynamoDbBigSegments({ client: database.client, table })(context);
    const segmentId = `beta-${"b".repeat(15_000)}.g1`;
    const included = { add: ["one", "full", "two"], remove: [] };
    const patch = {
      segmentId,
      previousVersion: "",
      version: "v1",
      included,
      excluded: { add: [], remove: [] },
    };
    expect(await store.apply(patch, never)).toBe(true);
    expect(await store.cursor(never)).toBe("v1");
    for (const hash of ["one", "two"])
      expect((await store.memberships(hash, never)).included).toEqual([segmentId]);
    expect((await store.memberships("full", never)).included).toHaveLength(399);
    expect(told.splice(0)).toEqual([
      expect.stringMatching(/item "full" of big_segments_user in table .*no room: this context is left out/),
    ]);
    const leave = {
      ...patch,
      previousVersion: "v1",
      version: "v2",
      included: { add: [], remove: ["full", "one"] },
    };
    expect(await store.apply({ ...leave, segmentId: full[0] ?? "" }, never)).toBe(true);
    expect((await store.memberships("full", never)).included).toHaveLength(398);
  });

  test("items of contexts that hold no sets are named and left out; everybody else enters and leaves", async () => {
    const table = await newTable();
    const wrong = { L: [{ S: "old.g1" }] };
    for (const [key, item] of Object.entries({
      listed: { included: wrong },
      numbered: { excluded: { NS: ["1"] } },
    }))
      await database.client.send(
        new PutItemCommand({
          TableName: table,
          Item: { namespace: { S: "big_segments_user" }, key: { S: key }, ...item },
        }),
      );
    const store = dynamoDbBigSegments({ client: database.client, table })(context);
    const hashes = Array.from({ length: 120 }, (_, index) => `h${index}`);
    const patch = {
      segmentId: "beta.g1",
      previousVersion: "",
      version: "v1",
      included: { add: [...hashes.slice(0, 60), "listed", ...hashes.slice(60)], remove: [] },
      excluded: { add: ["numbered", "h0"], remove: [] },
    };
    expect(await store.apply(patch, never)).toBe(true);
    expect(await store.cursor(never)).toBe("v1");
    const found = await Promise.all(hashes.map((hash) => store.memberships(hash, never)));
    expect(found.every(({ included }) => included.join() === "beta.g1")).toBe(true);
    expect(found[0]?.excluded).toEqual(["beta.g1"]);
    await expect(store.memberships("listed", never)).rejects.toThrow(
      /included of the item "listed" holds no set/,
    );
    await expect(store.memberships("numbered", never)).rejects.toThrow(/excluded of the item "numbered"/);
    expect(told.splice(0)).toEqual([
      expect.stringMatching(/item "listed" of big_segments_user in table .*left out.*incorrect data type/),
      expect.stringMatching(/item "numbered" of big_segments_user in table .*left out.*incorrect data type/),
    ]);
    const leave = { add: [], remove: ["listed", "h0"] };
    expect(
      await store.apply(
        { ...patch, previousVersion: "v1", version: "v2", included: leave, excluded: leave },
        never,
      ),
    ).toBe(true);
    expect(await store.memberships("h0", never)).toEqual({ included: [], excluded: [] });
    expect(await store.cursor(never)).toBe("v2");
    expect(told.splice(0)).toEqual([expect.stringMatching(/item "listed".*incorrect data type/)]);
  });

  test("a context in ten thousand segments enters one more, leaves one, and is read whole", async () => {
    const table = await newTable();
    const many = Array.from({ length: 10_000 }, (_, index) => `segment-${index}.g1`);
    await database.client.send(
      new PutItemCommand({
        TableName: table,
        Item: { namespace: { S: "big_segments_user" }, key: { S: "h" }, included: { SS: many } },
      }),
    );
    const store = dynamoDbBigSegments({ client: database.client, table })(context);
    const [entering, leaving] = [
      { add: ["h"], remove: [] },
      { add: [], remove: ["h"] },
    ];
    const excluded = { add: [], remove: [] };
    const enter = {
      segmentId: "new.g1",
      previousVersion: "",
      version: "v1",
      included: entering,
      excluded,
    };
    expect(await store.apply(enter, never)).toBe(true);
    const leave = {
      segmentId: "segment-7.g1",
      previousVersion: "v1",
      version: "v2",
      included: leaving,
      excluded,
    };
    expect(await store.apply(leave, never)).toBe(true);
    const { included } = await store.memberships("h", never);
    expect([...included].sort()).toEqual([...many.filter((id) => id !== "segment-7.g1"), "new.g1"].sort());
    expect(told.splice(0)).toEqual([]);
  });

  test("rows that others wrote wrongly are left out and give way", async () => {
    const { store, table } = await open();
    await store.replace([flag("good", 1)], never);
    for (const [key, row] of Object.entries({
      text: { item: { S: "no json" } },
      bare: {},
      typed: { version: { S: "9" }, item: { S: "[]" } },
      ahead: { version: { N: "99" }, item: { S: "no json" } },
      hollow: { version: { N: "99" } },
    })) {
      await database.client.send(
        new PutItemCommand({
          TableName: table,
          Item: { namespace: { S: "features" }, key: { S: key }, ...row },
        }),
      );
    }
    expect(described(await store.read(never))).toEqual(described([flag("good", 1)]));
    expect(told.splice(0)).toHaveLength(5);
    const repaired = ["text", "bare", "typed", "ahead", "hollow"].map((key) => flag(key, 1));
    expect(await store.upsert(repaired, never)).toEqual([]);
    expect(await store.read(never)).toHaveLength(6);
    await store.close();
  });

  test("a call that is given up ends, and so does one to a table that is not there", async () => {
    const { store } = await open({ table: "nowhere" });
    await expect(store.read(never)).rejects.toThrow('there is no table "nowhere": make one');
    const given = new AbortController();
    given.abort(new Error("too late"));
    await expect(store.read(given.signal)).rejects.toThrow();
    await store.close();
  });
}

import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { parseItem, RelayError } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { described, flag, never } from "../../../scripts/databases/store-items.js";
import { type DynamoDbOptions, dynamoDbBigSegments, dynamoDbStore } from "../src/index.js";
import { retrying } from "../src/retrying.js";
import { createMemoryTable, type MemoryTable } from "./memory-table.js";
import { localConnection } from "./test-database.js";

/** A table, and a store in it before whose commands something happens, or which answers in its place. */
function openIn(table: MemoryTable, happens: (command: unknown) => unknown = () => undefined) {
  const send = async (...call: Parameters<DynamoDBClient["send"]>) =>
    (await happens(call[0])) ?? (await table.client.send(...call));
  const client = Object.assign(Object.create(table.client), { send });
  const told: string[] = [];
  const context = createStoreContext({ told });
  return {
    store: dynamoDbStore({ table: "flags", client })(context),
    members: dynamoDbBigSegments({ table: "flags", client })(context),
    told,
  };
}

const text = (value: string) => ({ S: value });
const number = (value: number) => ({ N: String(value) });
const rowOf = (key: string, rest: object) => ({ namespace: text("features"), key: text(key), ...rest });

describe("an item that others write as well", () => {
  test.each([
    { losses: 99, outcome: [] },
    { losses: 100, outcome: 'others write "a" all the time' },
  ])(
    "is tried a hundred times, each time on what there is: lost $losses times",
    async ({ losses, outcome }) => {
      const table = createMemoryTable();
      let attempts = 0;
      const { store } = openIn(table, (command) => {
        if (!(command instanceof PutItemCommand)) return undefined;
        // Somebody who writes something else, which nobody can read, is a little faster.
        if (++attempts <= losses)
          table.fill([rowOf("a", { version: number(99), item: text(`no JSON ${attempts}`) })]);
        return undefined;
      });
      expect(await store.upsert([flag("a", 7)], never).catch(({ message }) => message)).toEqual(outcome);
      expect(attempts).toBe(100);
    },
  );

  test.each([false, true])(
    "is looked for where the database does not say what is in the way: %s",
    async (says) => {
      const table = createMemoryTable();
      const { store } = openIn(table, async (command) => {
        if (says || !(command instanceof PutItemCommand)) return undefined;
        try {
          return await table.client.send(command);
        } catch {
          throw new ConditionalCheckFailedException({ message: "no", $metadata: {} });
        }
      });
      await store.replace([flag("a", 5)], never);
      table.commands.length = 0;
      expect(described(await store.upsert([flag("a", 5)], never))).toEqual(described([flag("a", 5)]));
      expect(described(await store.upsert([flag("a", 4)], never))).toEqual(described([flag("a", 5)]));
      const once = says ? ["PutItem"] : ["PutItem", "GetItem"];
      expect(table.commands).toEqual([...once, ...once]);
      expect(await store.upsert([flag("a", 6)], never)).toEqual([]);
      expect(described(await store.read(never))).toEqual(described([flag("a", 6)]));
    },
  );

  test.each([
    ["no text", { version: number(99) }],
    ["text that nobody can read", { version: number(99), item: text("no json") }],
    ["no version", { item: text('{"version":1}') }],
    ["a version that is text", { version: text("9"), item: text('{"version":1}') }],
    ["an older text under a greater version", { version: number(99), item: text('{"version":1}') }],
  ])("gives way if it has %s", async (_, rest) => {
    const table = createMemoryTable();
    table.fill([rowOf("a", rest)]);
    const { store } = openIn(table);
    expect(await store.upsert([flag("a", 2)], never)).toEqual([]);
    expect(table.rows()).toEqual([rowOf("a", { version: number(2), item: text(flag("a", 2).json) })]);
  });

  test("another refusal than that of the condition is the outcome", async () => {
    const { store } = openIn(createMemoryTable(), () => Promise.reject(new Error("no network")));
    await expect(store.upsert([flag("a", 2)], never)).rejects.toThrow("no network");
  });
});

test.each([1, 2, 3, 4])("what there is is read whole, whatever a page holds: %i rows", async (pageSize) => {
  const { store } = openIn(createMemoryTable({ pageSize }));
  const items = [
    ...["a", "b", "c"].map((key) => flag(key, 1)),
    ...["s", "t"].map((key) => parseItem("segments", key, '{"version":1}')),
  ];
  await store.replace(items, never);
  expect(described(await store.read(never))).toEqual(described(items));
  await store.replace([flag("a", 1)], never);
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
});

test("a full set leaves alone what is not a row of flags", async () => {
  const table = createMemoryTable();
  const odd = { namespace: text("other"), key: text("a"), item: text("x") };
  table.fill([odd]);
  const { store } = openIn(table);
  await store.replace([flag("a", 1)], never);
  await store.replace([], never);
  expect(table.rows()).toEqual([odd, { namespace: text("$inited"), key: text("$inited") }]);
});

describe("of members", () => {
  const pauses: number[] = [];
  beforeEach(() => {
    pauses.length = 0;
    vi.spyOn(retrying, "pause").mockImplementation(async (ms) => void pauses.push(ms));
    vi.spyOn(Math, "random").mockReturnValue(0.5);
  });
  afterEach(() => void vi.restoreAllMocks());

  const lists = { add: [], remove: [] };
  const step = { segmentId: "s.g1", previousVersion: "", version: "v1", included: lists, excluded: lists };
  const entering = { ...step, included: { add: ["one", "two", "three"], remove: [] } };

  function cancelled(reasons: readonly object[] | undefined): Error {
    return new TransactionCanceledException({
      message: "cancelled",
      $metadata: {},
      ...(reasons === undefined ? {} : { CancellationReasons: [...reasons] }),
    });
  }

  test("transactions that meet others wait twice as long each time", async () => {
    let turn = 0;
    const { members } = openIn(createMemoryTable(), () => {
      if (++turn < 8) throw cancelled([{ Code: "TransactionConflict" }]);
    });
    expect(await members.apply(step, never)).toBe(true);
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 960]);
  });

  test.each([
    ["without reasons", undefined],
    ["for reasons that are no conflict", [{ Code: "None" }, { Code: "ItemCollectionSizeLimitExceeded" }]],
    ["because of its condition, which nobody understands", [{ Code: "ValidationError", Message: "odd" }]],
  ])("a transaction that is cancelled %s is not tried again", async (_, reasons) => {
    let turns = 0;
    const { members } = openIn(createMemoryTable(), () => {
      turns++;
      throw cancelled(reasons);
    });
    await expect(members.apply(step, never)).rejects.toThrow("cancelled");
    expect([turns, pauses]).toEqual([1, []]);
  });

  test("those that cannot change are told of with the first reason, and left out; all others are changed", async () => {
    const table = createMemoryTable();
    let turn = 0;
    const { members, told } = openIn(table, () => {
      const none = { Code: "None" };
      if (++turn === 1)
        throw cancelled([
          none,
          { Code: "ValidationError", Message: "too full" },
          none,
          { Code: "ValidationError" },
        ]);
    });
    expect(await members.apply(entering, never)).toBe(true);
    const tail =
      "of big_segments_user in table flags, which has no sets or no room: this context is left out, the others are not; once it is put right, delete the row of big_segments_metadata, so that all memberships are asked for again (too full)";
    expect(told).toEqual(
      ["one", "three"].map(
        (key) => `big segments: DynamoDB does not take a change of the item "${key}" ${tail}`,
      ),
    );
    expect((await members.memberships("one", never)).included).toEqual([]);
    expect((await members.memberships("two", never)).included).toEqual(["s.g1"]);
  });

  test("a reason without words is said to be none", async () => {
    let turn = 0;
    const { members, told } = openIn(createMemoryTable(), () => {
      if (++turn === 1) throw cancelled([{ Code: "None" }, { Code: "ValidationError" }]);
    });
    expect(await members.apply(entering, never)).toBe(true);
    expect(told).toEqual([expect.stringContaining("(no reason given)")]);
  });

  test.each([
    [undefined, undefined],
    [{ N: "12" }, 12],
    [{ N: "0" }, 0],
    [{ N: "soon" }, undefined],
    [{ S: "12" }, undefined],
  ])("the time of the last step is a number or not known: %j", async (synchronizedOn, time) => {
    const table = createMemoryTable();
    const name = text("big_segments_metadata");
    table.fill([{ namespace: name, key: name, ...(synchronizedOn === undefined ? {} : { synchronizedOn }) }]);
    expect(await openIn(table).members.synchronizedOn(never)).toBe(time);
  });

  test("a list that is no set of texts is told of, with whose it is", async () => {
    const table = createMemoryTable();
    table.fill([{ namespace: text("big_segments_user"), key: text("h"), excluded: { N: "1" } }]);
    await expect(openIn(table).members.memberships("h", never)).rejects.toThrow(
      new TypeError('excluded of the item "h" holds no set of texts'),
    );
  });

  test("stores say for how long a set may be written, and that it is written in pieces", () => {
    const { store, members } = openIn(createMemoryTable());
    expect(store).toMatchObject({ timeoutMs: 3_600_000, isPiecemeal: true });
    expect(members).toMatchObject({ timeoutMs: 3_600_000 });
  });
});

/** What is said of options when they are given, or of what their functions give when a store is opened; nothing of right ones. */
function problemOf(options: object): string {
  try {
    // Programs without types pass what they like.
    dynamoDbStore(options as DynamoDbOptions)(createStoreContext());
    return "";
  } catch (error) {
    if (error instanceof RelayError && error.code === "invalid_options") return error.message;
    throw error;
  }
}

test.each([
  ["ab", false],
  ["abc", true],
  ["a.b_c-9", true],
  ["x".repeat(255), true],
  ["x".repeat(256), false],
  [" abc", false],
  ["abc ", false],
  ["ab$", false],
  ["arn:", false],
  ["arn:aws:dynamodb:eu-west-1:1:table/flags", true],
  [`arn:${"x".repeat(1020)}`, true],
  [`arn:${"x".repeat(1021)}`, false],
  ["arn:aws dynamodb", false],
  ["an arn:aws", false],
])("a table is named as AWS names one: %j", (table, fits) => {
  const { client } = createMemoryTable();
  const problem = 'table must have 3 to 255 letters, digits, "_", "-" or ".", or be an ARN: ';
  for (const name of [table, () => table])
    expect(problemOf({ table: name, client })).toBe(
      fits ? "" : `dynamoDbStore: ${problem}${JSON.stringify(table)}`,
    );
});

test("what stands for the client-side ID is no letter that a table cannot have", () => {
  const { client } = createMemoryTable();
  const store = dynamoDbStore({ table: "$CID", client })(createStoreContext({ envId: "507f1f77" }));
  expect(store.about?.dbTable).toBe("507f1f77");
});

test("all that is wrong with a place is told at once, and is in the list of problems", () => {
  const { client } = createMemoryTable();
  const [table, prefix] = [() => "x", "x".repeat(1003)];
  expect(() => dynamoDbStore({ table, client, prefix })(createStoreContext())).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^dynamoDbStore: table must have .*; prefix is too long/),
      problems: [expect.stringContaining("table must have"), "prefix is too long for a key of DynamoDB"],
    }),
  );
});

test.each<[object, string]>([
  [{ region: "eu-west-1" }, ""],
  [{ region: async () => "eu-west-1" }, ""],
  [{ region: " " }, "region must be the name of a region"],
  [{ region: null }, "region must be the name of a region"],
  [{ endpoint: "http://h:8000" }, ""],
  [{ endpoint: "https://h" }, ""],
  [{ endpoint: async () => new URL("http://h") }, ""],
  [{ endpoint: { protocol: "http:", hostname: "h", path: "/" } }, ""],
  [{ endpoint: "ftp://h" }, "endpoint must be an absolute address"],
  [{ endpoint: "a http://h" }, "endpoint must be an absolute address"],
  [{ endpoint: "http:///h" }, "endpoint must be an absolute address"],
  [{ endpoint: "http://h:port" }, "endpoint must be an absolute address"],
  [{ endpoint: 5 }, "endpoint must be an absolute address"],
  [{ endpoint: null }, "endpoint must be an absolute address"],
])("a connection is checked as far as it is text: %j", (connect, problem) => {
  expect(problemOf({ table: "flags", connect: { ...localConnection(1), ...connect } })).toMatch(
    problem === "" ? /^$/ : problem,
  );
});

test("every option that there is can be given", async () => {
  const { client } = createMemoryTable();
  const { connect, ...all }: Required<Omit<DynamoDbOptions, "client">> = {
    table: "flags",
    prefix: "ld",
    connect: localConnection(1),
    cacheTtl: "1s",
  };
  expect(dynamoDbStore({ ...all, connect })(createStoreContext()).cacheTtlMs).toBe(1000);
  expect(dynamoDbStore({ ...all, client })(createStoreContext()).cacheTtlMs).toBe(1000);
  expect("cacheTtlMs" in dynamoDbStore({ table: "flags", client })(createStoreContext())).toBe(false);
  expect(() => dynamoDbStore({ ...all, connect, client })).toThrow(
    "dynamoDbStore: client and connect exclude each other",
  );
});

test("the client is told that nobody waits any more, at the first attempt and at that with other credentials", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { client } = createMemoryTable();
  const overridden: Pick<DynamoDBClient, "send"> = {
    async send(...[, options]: readonly unknown[]) {
      const { abortSignal }: { readonly abortSignal?: AbortSignal } = Object(options);
      signals.push(abortSignal);
      if (signals.length > 1) return await new Promise(() => {});
      throw Object.assign(new Error("expired"), { name: "ExpiredToken" });
    },
  };
  const store = dynamoDbStore({ table: "flags", client: Object.assign(client, overridden) })(
    createStoreContext(),
  );
  const given = new AbortController();
  const reading = store.read(given.signal);
  await expect.poll(() => signals.length).toBe(2);
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  given.abort(new Error("too late"));
  await expect(reading).rejects.toThrow("too late");
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

test("a refusal of the service that has no name of its own is told as it is", async () => {
  const failure = new DynamoDBServiceException({
    name: "Odd",
    message: "odd",
    $fault: "server",
    $metadata: {},
  });
  const { store } = openIn(createMemoryTable(), () => Promise.reject(failure));
  await expect(store.replace([flag("a", 1)], never)).rejects.toBe(failure);
});

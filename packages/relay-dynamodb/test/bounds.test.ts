import {
  type AttributeValue,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
  type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";
import { parseItem } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dynamoDbBigSegments, dynamoDbStore } from "../src/index.js";
import { retrying } from "../src/retrying.js";
import type { Row } from "../src/table.js";
import { localConnection } from "./test-database.js";

/** How long was waited before something was tried again; nobody waits for it here. */
const pauses: number[] = [];
const told: string[] = [];
beforeEach(() => {
  pauses.length = 0;
  told.length = 0;
  vi.spyOn(retrying, "pause").mockImplementation(async (ms) => void pauses.push(ms));
});
afterEach(() => vi.mocked(retrying.pause).mockRestore());

const { signal } = new AbortController();
const context = createStoreContext({ environment: "a", told });

interface Input {
  readonly RequestItems?: Record<string, readonly { readonly PutRequest?: { readonly Item: Row } }[]>;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
  readonly Item?: Record<string, AttributeValue>;
  readonly TransactItems?: readonly TransactWriteItem[];
}

/** A client that answers as the test says, and sends nothing. */
function answering(answer: (input: Input) => object): DynamoDBClient {
  const overridden: Pick<DynamoDBClient, "send"> = {
    send: async ({ input }: { input: Input }) => ({ $metadata: {}, ...answer(input) }),
  };
  return Object.assign(new DynamoDBClient(localConnection(1)), overridden);
}

/** A flag whose text has exactly this length. */
function flagOf(key: string, length: number) {
  const frame = JSON.stringify({ key, version: 1, text: "" });
  return parseItem("flags", key, frame.replace('""', `"${"x".repeat(length - frame.length)}"`));
}

/** A store, how many rows each of its batches had, and the texts in them. */
function countingStore() {
  const batches: number[] = [];
  const texts: (string | undefined)[] = [];
  const client = answering(({ RequestItems }) => {
    const rows = RequestItems?.flags;
    if (rows === undefined) return {};
    batches.push(rows.length);
    for (const { PutRequest } of rows) texts.push(PutRequest?.Item.item?.S);
    return {};
  });
  return { store: dynamoDbStore({ table: "flags", client })(context), batches, texts };
}

test("the client that stores share ends with the last of them that were not refused, and the next store gets one of its own", async () => {
  let ended = 0;
  const connect = {
    ...localConnection(1),
    maxAttempts: 1,
    // Each client asks once for what sends its requests.
    get requestHandler() {
      let isEnded = false;
      return {
        handle: async () => {
          throw new Error(isEnded ? "used after its end" : "no network");
        },
        destroy() {
          if (!isEnded) ended++;
          isEnded = true;
        },
      };
    },
  };
  const prefix = ({ environment }: { readonly environment: string }) => environment.slice(0, 1);
  const factory = dynamoDbStore({ table: "flags", prefix, connect });
  const open = (environment: string) => factory({ ...context, environment });
  const first = open("a");
  const second = open("b");
  expect(() => open("a as well")).toThrow("would overwrite each other's flags");
  await first.close();
  expect(ended).toBe(0);
  // Its place is free, and it is taken by one environment again.
  const next = open("a as well");
  expect(() => open("a")).toThrow("would overwrite each other's flags");
  await next.close();
  expect(ended).toBe(0);
  await expect(second.read(signal)).rejects.toThrow("no network");
  await second.close();
  expect(ended).toBe(1);
  const third = open("c");
  await expect(third.read(signal)).rejects.toThrow("no network");
  await third.close();
  expect(ended).toBe(2);
});

test("an item of 400,000 bytes is kept, and one of a byte more is reported", async () => {
  const { store, texts } = countingStore();
  // What SDKs and relays count beside the text: 100, the names of the attributes, and their values.
  const rest = 100 + "namespacekeyversionitem".length + "features".length + "a".length + "1".length;
  const fits = flagOf("a", 400_000 - rest);
  await store.replace([fits], signal);
  expect([texts.splice(0), told.splice(0)]).toEqual([[fits.json], []]);
  await store.replace([flagOf("a", 400_000 - rest + 1)], signal);
  const mark = '{"key":"$deleted","version":0,"deleted":true}';
  expect([texts, told]).toEqual([[mark], [expect.stringContaining('flags "a" has 400001 bytes')]]);
});

test("a batch holds 25 rows, and text of up to 4 MiB at three bytes a letter", async () => {
  const { store, batches } = countingStore();
  const small = (count: number) => Array.from({ length: count }, (_, index) => flagOf(`${index}`, 100));
  await store.replace(small(25), signal);
  expect(batches.splice(0)).toEqual([25]);
  await store.replace(small(51), signal);
  expect(batches.splice(0)).toEqual([25, 25, 1]);
  const letters = Math.floor((4 * 1024 * 1024) / 3);
  const quarter = Math.floor(letters / 4);
  const large = (last: number) =>
    ["a", "b", "c"].map((key) => flagOf(key, quarter)).concat(flagOf("d", last));
  await store.replace(large(letters - 3 * quarter), signal);
  expect(batches.splice(0)).toEqual([4]);
  await store.replace(large(letters - 3 * quarter + 1), signal);
  expect(batches.splice(0)).toEqual([3, 1]);
  // Each batch counts from nothing.
  const keys = ["e", "f", "g", "h", "i"];
  await store.replace([...large(quarter), ...keys.map((key) => flagOf(key, quarter))], signal);
  expect(batches.splice(0)).toEqual([4, 4, 1]);
  expect(told).toEqual([]);
});

test("of a full set what is new comes first, then goes what is gone, and the marker is last, and only after all of that", async () => {
  const order: string[] = [];
  let refuses = false;
  const gone = Array.from({ length: 30 }, (_, index) => ({
    namespace: { S: "features" },
    key: { S: `gone-${index}` },
  }));
  const client = answering(({ RequestItems, KeyConditionExpression, ExpressionAttributeValues, Item }) => {
    if (KeyConditionExpression !== undefined)
      return { Items: ExpressionAttributeValues?.[":namespace"]?.S === "features" ? gone : [] };
    if (Item !== undefined) order.push(`marker ${Item.key?.S}`);
    if (RequestItems === undefined) return {};
    if (refuses) throw new Error("no network");
    order.push(...(RequestItems.flags ?? []).map(({ PutRequest }) => (PutRequest ? "put" : "delete")));
    return {};
  });
  const store = dynamoDbStore({ table: "flags", client })(context);
  const items = Array.from({ length: 30 }, (_, index) => flagOf(`${index}`, 100));
  await store.replace(items, signal);
  expect(order.splice(0)).toEqual([...Array(30).fill("put"), ...Array(30).fill("delete"), "marker $inited"]);
  refuses = true;
  await expect(store.replace(items, signal)).rejects.toThrow("no network");
  expect(order).toEqual([]);
});

test("of a full set that stands in the table already only what differs is written", async () => {
  const written: (string | undefined)[] = [];
  const rows = ["same", "other", "older", "bare"].map((key) => ({
    namespace: { S: "features" },
    key: { S: key },
    // Numbers come back as the database writes them.
    ...(key === "bare" ? {} : { version: { N: key === "older" ? "0" : "1.0" } }),
    item: { S: flagOf(key, key === "other" ? 101 : 100).json },
  }));
  const client = answering(({ RequestItems, ExpressionAttributeValues }) => {
    for (const { PutRequest } of RequestItems?.flags ?? []) written.push(PutRequest?.Item.key?.S);
    return { Items: ExpressionAttributeValues?.[":namespace"]?.S === "features" ? rows : [] };
  });
  const store = dynamoDbStore({ table: "flags", client })(context);
  const items = ["same", "other", "older", "bare", "new"].map((key) => flagOf(key, 100));
  await store.replace(items, signal);
  expect(written).toEqual(["other", "older", "bare", "new"]);
});

test.each([
  { refusals: 9, outcome: "done" },
  {
    refusals: 10,
    outcome:
      'the table flags has no capacity for 1 rows (raise the capacity of the table "flags", or pay on demand)',
  },
])(
  "rows without capacity are sent ten times, each time later: after $refusals refusals, $outcome",
  async ({ refusals, outcome }) => {
    let sent = 0;
    const client = answering(({ RequestItems }) =>
      RequestItems === undefined || ++sent > refusals ? {} : { UnprocessedItems: RequestItems },
    );
    const replacing = dynamoDbStore({ table: "flags", client })(context).replace([flagOf("a", 100)], signal);
    expect(
      await replacing.then(
        () => "done",
        (error: Error) => error.message,
      ),
    ).toBe(outcome);
    expect(sent).toBe(10);
    expect(pauses).toEqual(Array.from({ length: 9 }, (_, index) => 50 * 2 ** index));
  },
);

function throttled(name: string): Error {
  return new DynamoDBServiceException({ name, $fault: "client", $metadata: {}, message: "slow down" });
}

test("a table that takes one row at a time gets a full set, however often it refuses everything in between", async () => {
  let turn = 0;
  let taken = 0;
  const client = answering(({ RequestItems }) => {
    const rows = RequestItems?.flags;
    if (rows === undefined) return {};
    // The client of AWS says this when it has tried for a while itself.
    if (turn++ % 2 === 1) throw throttled("ProvisionedThroughputExceededException");
    taken++;
    return { UnprocessedItems: rows.length > 1 ? { flags: rows.slice(1) } : {} };
  });
  const items = Array.from({ length: 60 }, (_, index) => flagOf(`${index}`, 100));
  await dynamoDbStore({ table: "flags", client })(context).replace(items, signal);
  expect(taken).toBe(60);
  // What was taken is a reason to go on soon.
  expect(Math.max(...pauses)).toBe(100);
});

test("a table that refuses everything fails after ten attempts, with its reason", async () => {
  let sent = 0;
  const client = answering(({ RequestItems }) => {
    if (RequestItems === undefined) return {};
    sent++;
    throw throttled("ThrottlingException");
  });
  const replacing = dynamoDbStore({ table: "flags", client })(context).replace([flagOf("a", 100)], signal);
  await expect(replacing).rejects.toThrow("the table flags has no capacity for 1 rows");
  expect(sent).toBe(10);
});

const nobody = { add: [], remove: [] };
const step = { segmentId: "s.g1", previousVersion: "", version: "v1", included: nobody, excluded: nobody };

/**
 * Members, and how many steps each of their transactions had; `fail` may refuse some by their turns. Others are said to have moved the
 * version meanwhile.
 */
function countingMembers(fail: (turn: number, steps: number) => Error | undefined) {
  const transactions: number[] = [];
  const client = answering(({ TransactItems }) => {
    if (TransactItems === undefined) return { Item: { lastVersion: { S: "of others" } } };
    const error = fail(transactions.push(TransactItems.length), TransactItems.length);
    if (error !== undefined) throw error;
    return {};
  });
  return { members: dynamoDbBigSegments({ table: "flags", client })(context), transactions };
}

function cancelled(...codes: readonly string[]): Error {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  return new TransactionCanceledException({ message: "cancelled", $metadata: {}, CancellationReasons });
}

test.each([
  { conflicts: 7, outcome: true },
  { conflicts: 8, outcome: "cancelled" },
])(
  "a transaction that meets others is sent eight times: after $conflicts conflicts, $outcome",
  async ({ conflicts, outcome }) => {
    const { members, transactions } = countingMembers((turn) =>
      turn > conflicts ? undefined : cancelled("TransactionConflict"),
    );
    expect(await members.apply(step, signal).catch((error: Error) => error.message)).toBe(outcome);
    expect(transactions).toHaveLength(8);
    expect(pauses).toHaveLength(7);
  },
);

test.each([
  { said: () => cancelled("None", "ProvisionedThroughputExceeded"), refusals: 9, outcome: true },
  { said: () => cancelled("ThrottlingError"), refusals: 9, outcome: true },
  { said: () => throttled("ThrottlingException"), refusals: 9, outcome: true },
  {
    said: () => throttled("RequestLimitExceeded"),
    refusals: 10,
    outcome: expect.stringContaining("slow down (raise the capacity of the table"),
  },
])(
  "of a step that the table has no capacity for, what was taken is not written again",
  async ({ said, refusals, outcome }) => {
    const { members, transactions } = countingMembers((turn) =>
      turn > 1 && turn <= 1 + refusals ? said() : undefined,
    );
    expect(await members.apply(entering(150), signal).catch((error: Error) => error.message)).toEqual(
      outcome,
    );
    const tried = Array(10).fill(52);
    expect(transactions).toEqual(outcome === true ? [100, ...tried, 1] : [100, ...tried]);
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800]);
  },
);

const many = (count: number) => Array.from({ length: count }, (_, index) => `h${index}`);
const entering = (count: number) => ({ ...step, included: { add: many(count), remove: [] } });

test("a transaction changes 99 members beside its condition, and what is refused in the middle ends the step", async () => {
  const whole = countingMembers(() => undefined);
  expect(await whole.members.apply(entering(99), signal)).toBe(true);
  expect(whole.transactions.splice(0)).toEqual([100, 1]);
  expect(await whole.members.apply(entering(250), signal)).toBe(true);
  expect(whole.transactions).toEqual([100, 100, 53, 1]);
  const overtaken = countingMembers((turn) => (turn === 2 ? cancelled("ConditionalCheckFailed") : undefined));
  expect(await overtaken.members.apply(entering(250), signal)).toBe(false);
  expect(overtaken.transactions).toEqual([100, 100]);
});

test("each member is changed once, whatever happens to it in a step; what is added and removed is removed", async () => {
  const expressions: Record<string, string> = {};
  const client = answering(({ TransactItems = [] }) => {
    for (const { Update } of TransactItems) {
      const { key } = Update?.Key ?? {};
      if (key?.S?.startsWith("in")) expressions[key.S] = Update?.UpdateExpression ?? "";
    }
    return {};
  });
  const members = dynamoDbBigSegments({ table: "flags", client })(context);
  const hashes = Array.from({ length: 16 }, (_, index) => `in${index}`);
  const having = (bit: number) => hashes.filter((_, index) => (index & bit) !== 0);
  const included = { add: having(1), remove: having(4) };
  await members.apply({ ...step, included, excluded: { add: having(2), remove: having(8) } }, signal);
  const [added, removed] = ["ADD included :segment", "DELETE included :segment"];
  const [shut, opened] = ["ADD excluded :segment", "DELETE excluded :segment"];
  const both = ["ADD included :segment, excluded :segment", "DELETE included :segment, excluded :segment"];
  expect(expressions).toEqual({
    in1: added,
    in2: shut,
    in3: both[0],
    in4: removed,
    in5: removed,
    in6: `${shut} ${removed}`,
    in7: `${shut} ${removed}`,
    in8: opened,
    in9: `${added} ${opened}`,
    in10: opened,
    in11: `${added} ${opened}`,
    in12: both[1],
    in13: both[1],
    in14: both[1],
    in15: both[1],
  });
});

/** What is refused as a whole, without a word about the step that is at fault. */
const unsound = new DynamoDBServiceException({
  name: "ValidationException",
  message: "something is wrong",
  $fault: "client",
  $metadata: {},
});

test("what is refused without a reason is looked for in halves; only a condition that is taken alone blames a member", async () => {
  const refused = countingMembers((turn) =>
    turn === 1 ? unsound : turn === 2 ? cancelled("ConditionalCheckFailed") : undefined,
  );
  expect(await refused.members.apply(entering(4), signal)).toBe(false);
  expect(refused.transactions).toEqual([5, 3]);
  const alone = countingMembers((_, steps) => (steps > 1 ? unsound : undefined));
  expect(await alone.members.apply(entering(2), signal)).toBe(true);
  expect(alone.transactions).toEqual([3, 2, 1, 2, 1, 1]);
  expect(told.splice(0)).toHaveLength(2);
  const late = countingMembers((_, steps) => (steps > 1 ? unsound : cancelled("ConditionalCheckFailed")));
  expect(await late.members.apply(entering(1), signal)).toBe(false);
  const never = countingMembers(() => unsound);
  await expect(never.members.apply(entering(2), signal)).rejects.toThrow("something is wrong");
  expect(never.transactions).toEqual([3, 2, 1]);
  expect(told).toEqual([]);
});

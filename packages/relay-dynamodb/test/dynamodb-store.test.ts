import { once } from "node:events";
import { DynamoDBClient, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { createDatabasePlaces, parseItem, RelayError } from "@wye/relay";
import { createManualClock, createStoreContext } from "@wye/relay/testing";
import dynalite from "dynalite";
import { expect, onTestFinished, test } from "vitest";
import { largerCases } from "../../../scripts/databases/describe-contracts.js";
import { startSilentServer } from "../../../scripts/databases/silent-server.js";
import { type DynamoDbOptions, dynamoDbBigSegments, dynamoDbStore } from "../src/index.js";
import { describeDynamoDbStore } from "./describe-dynamodb-store.js";
import { localConnection, testDatabase } from "./test-database.js";
import { withTransactions } from "./with-transactions.js";

const context = createStoreContext({ environment: "a" });

describeDynamoDbStore(async () => {
  const server = dynalite({ createTableMs: 0 });
  // A client that was busy elsewhere for seconds must not find its connection closed just when it writes again.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const connect = localConnection(address.port);
  const stop = async () => void server.close();
  return testDatabase(connect, stop, withTransactions(new DynamoDBClient(connect)));
  // Takes seconds for them, unlike the table in the process and the program of the real suite.
}, largerCases);

test("a client of the host serves as well, and stays the host's", async () => {
  const client = new DynamoDBClient({ ...localConnection(1), region: "eu-west-1" });
  const store = dynamoDbStore({ table: ({ environment }) => `flags-${environment}`, client })(context);
  expect(store.about).toEqual({ database: "dynamodb", dbTable: "flags-a" });
  await store.close();
  expect(() => dynamoDbStore({ table: "flags", client, connect: {} })).toThrow(
    "client and connect exclude each other",
  );
  client.destroy();
});

test("wrong options are named, all of them", () => {
  const wrong = { cacheTtl: "10ms", region: "eu" };
  // Programs without types pass what they like.
  expect(() => dynamoDbStore(wrong as unknown as DynamoDbOptions)).toThrow(
    expect.objectContaining({
      problems: [
        expect.stringContaining('there is no option "region"'),
        "dynamoDbStore: table is missing",
        'dynamoDbStore: cacheTtl must be a time span of at least "1s"',
      ],
    }),
  );
});

test.each<[unknown, RegExp]>([
  [undefined, /the options must be an object/],
  [{ table: "" }, /table must have 3 to 255/],
  [{ table: "a b" }, /table must have 3 to 255/],
  [{ table: 5 }, /table must be a string/],
  [{ table: "flags", prefix: 5 }, /prefix must be a string/],
  [{ table: "flags", connect: 5 }, /connect must be an object/],
  [{ table: "flags", connect: { region: "" } }, /connect: region must be the name of a region/],
  [{ table: "flags", connect: { region: 5 } }, /region must be the name of a region/],
  [{ table: "flags", connect: { endpoint: "localhost:8000" } }, /endpoint must be an absolute address/],
  [{ table: "flags", connect: { endpoint: "" } }, /endpoint must be an absolute address/],
  [{ table: "flags", client: {} }, /client must be an object with the methods send/],
  [{ table: "flags", client: null }, /client must be an object/],
  // What is given on purpose is not what is left out, empty as it is.
  [{ table: "flags", client: null, connect: {} }, /client and connect exclude each other/],
  [{ table: null }, /table must be a string/],
  [{ table: "flags", prefix: null }, /prefix must be a string/],
  [{ table: "flags", connect: null }, /connect must be an object/],
  [{ table: "flags", connect: "" }, /connect must be an object/],
  [{ table: "flags", connect: { region: null } }, /region must be the name of a region/],
  [{ table: "flags", connect: { region: " " } }, /region must be the name of a region/],
  [{ table: "flags", connect: { endpoint: null } }, /endpoint must be an absolute address/],
  [{ table: "flags", cacheTtl: 0 }, /cacheTtl must be a time span/],
  [{ table: "flags", cacheTtl: "" }, /cacheTtl must be a time span/],
])("options that make no sense are refused: %j", (options, problem) => {
  expect(() => dynamoDbStore(options as DynamoDbOptions)).toThrow(RelayError);
  expect(() => dynamoDbStore(options as DynamoDbOptions)).toThrow(problem);
});

test("what AWS's library refuses is said in the words of the store, and takes no place", async () => {
  const places = createDatabasePlaces();
  const connect = {
    extensions: [
      {
        configure() {
          throw new Error("no handler");
        },
      },
    ],
  };
  const options = { table: "flags", connect };
  expect(() => dynamoDbStore(options)({ ...context, places })).toThrow(RelayError);
  expect(() => dynamoDbStore(options)({ ...context, places })).toThrow("connect cannot be used: no handler");
});

test("what a function gives is checked when it is asked", () => {
  expect(() => dynamoDbStore({ table: () => "" })(context)).toThrow(/table must have 3 to 255/);
  const long = "x".repeat(1003);
  expect(() => dynamoDbStore({ table: "flags", prefix: () => long })(context)).toThrow(/prefix is too long/);
});

test("the status never shows the password of an endpoint", async () => {
  const connect = { ...localConnection(1), endpoint: "http://me:hunter2@127.0.0.1:1" };
  const store = dynamoDbStore({ table: "flags", connect })(context);
  expect(store.about?.dbServer).toBe("http://me:xxxxx@127.0.0.1:1/");
  await store.close();
});

test("two environments of a relay in one place are refused; another table, region or account is another place", () => {
  const places = createDatabasePlaces();
  const open = (environment: string, options: Partial<DynamoDbOptions>) =>
    dynamoDbStore({ table: "flags", ...options })({ ...context, environment, places });
  const [client, region] = [new DynamoDBClient({}), "eu-west-1"];
  open("a", { connect: { region } });
  expect(() => open("b", { connect: { region } })).toThrow(
    /"b" and "a" would overwrite each other's flags in table flags under prefix ""/,
  );
  open("b", { connect: { region: "eu-west-2" } });
  open("c", { connect: { region }, table: "others" });
  open("d", { connect: { region, credentials: { accessKeyId: "x", secretAccessKey: "y" } } });
  open("e", { client });
  open("g", { connect: { endpoint: "http://H:8000" } });
  for (const endpoint of ["http://h:8000/", "http://me:x@h:8000", "https://h:8000"])
    expect(() => open("h", { connect: { endpoint } }), endpoint).toThrow(/"h" and "g"/);
  open("h", { connect: { endpoint: "http://h:8001" } });
  expect(() => open("f", { client })).toThrow(/"f" and "e"/);
});

/** A client that takes a transaction only after some others have been at the same rows. */
function busyClient(conflicts: number): { client: DynamoDBClient; sent: () => number } {
  const client = new DynamoDBClient(localConnection(1));
  let sent = 0;
  const overridden: Pick<DynamoDBClient, "send"> = {
    async send() {
      if (++sent > conflicts) return { $metadata: {} };
      const CancellationReasons = [{ Code: "TransactionConflict" }];
      throw new TransactionCanceledException({ message: "conflict", $metadata: {}, CancellationReasons });
    },
  };
  return { client: Object.assign(client, overridden), sent: () => sent };
}

const lists = { add: [], remove: [] };
const step = { segmentId: "s.g1", previousVersion: "", version: "v1", included: lists, excluded: lists };

test("a transaction that meets another one is tried again, but not for ever", async () => {
  const { signal } = new AbortController();
  const some = busyClient(2);
  expect(
    await dynamoDbBigSegments({ table: "flags", client: some.client })(context).apply(step, signal),
  ).toBe(true);
  expect(some.sent()).toBe(3);
  const given = new AbortController();
  const many = busyClient(1000);
  const applying = dynamoDbBigSegments({ table: "flags", client: many.client })(context).apply(
    step,
    given.signal,
  );
  given.abort(new Error("too late"));
  await expect(applying).rejects.toThrow();
  expect(many.sent()).toBe(1);
});

test("a request that is not answered has failed after ten seconds, whatever it is and however long a full set may take", async () => {
  const server = await startSilentServer();
  onTestFinished(() => server.close());
  const clock = createManualClock();
  const options = { table: "flags", connect: localConnection(server.port) };
  const silent = { ...context, clock };
  const [store, members] = [dynamoDbStore(options)(silent), dynamoDbBigSegments(options)(silent)];
  onTestFinished(async () => {
    await store.close();
    await members.close();
  });
  const never = new AbortController().signal;
  const item = parseItem("flags", "a", '{"version":1}');
  const calls: Record<string, () => Promise<unknown> | undefined> = {
    read: () => store.read(never),
    replace: () => store.replace([item], never),
    upsert: () => store.upsert([item], never),
    isFilled: () => store.isFilled?.(never),
    cursor: () => members.cursor(never),
    apply: () => members.apply(step, never),
    synchronizedOn: () => members.synchronizedOn(never),
    setSynchronizedOn: () => members.setSynchronizedOn(1, never),
    memberships: () => members.memberships("hash", never),
  };
  for (const [name, call] of Object.entries(calls)) {
    const told: unknown[] = [];
    const outcome = call()?.catch((error: unknown) => told.push(error));
    clock.advance(9999);
    await new Promise(setImmediate);
    expect(told, name).toEqual([]);
    clock.advance(1);
    await outcome;
    expect(told, name).toEqual([new Error("no answer within 10000 ms")]);
  }
});

test("rows that the table had no capacity for are sent again, and a place is free once its store is closed", async () => {
  const client = new DynamoDBClient(localConnection(1));
  const sent: unknown[] = [];
  const overridden: Pick<DynamoDBClient, "send"> = {
    async send({ input }: { input: { RequestItems?: Record<string, unknown[]> } }) {
      const rows = input.RequestItems?.flags;
      if (rows === undefined) return { $metadata: {} };
      sent.push(rows.length);
      return { $metadata: {}, UnprocessedItems: rows.length > 1 ? { flags: rows.slice(1) } : {} };
    },
  };
  const factory = dynamoDbStore({ table: "flags", client: Object.assign(client, overridden) });
  const store = factory(context);
  const items = ["a", "b", "c"].map((key) => parseItem("flags", key, '{"version":1}'));
  await store.replace(items, new AbortController().signal);
  expect(sent).toEqual([3, 2, 1]);
  const other = { ...context, environment: "b" };
  expect(() => factory(other)).toThrow(/would overwrite/);
  await store.close();
  await factory(other).close();
});

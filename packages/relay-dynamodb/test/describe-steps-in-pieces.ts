import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import type { BigSegmentStore } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { never } from "../../../scripts/databases/store-items.js";
import { dynamoDbBigSegments } from "../src/index.js";
import type { TestDatabase } from "./test-database.js";

type FoundRow = Record<string, AttributeValue>;

const hashes = Array.from({ length: 250 }, (_, index) => `h${index}`);
/** A step that takes three transactions, and a fourth that moves the version. */
const entering = {
  segmentId: "beta.g1",
  previousVersion: "",
  version: "v1",
  included: { add: hashes, remove: [] },
  excluded: { add: [], remove: [] },
};

/** What is promised of steps that are larger than a transaction, in a database that is started for it. */
export function describeStepsInPieces(start: () => Promise<TestDatabase>): void {
  let database: TestDatabase;
  let table = "";
  let tables = 0;

  beforeAll(async () => {
    database = await start();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    table = `members-${++tables}`;
    await database.createTable(table);
  });

  /** Members, and what happens before each of their transactions. */
  function open(
    happens: (transaction: number) => Promise<unknown> | undefined = () => undefined,
  ): BigSegmentStore {
    const { client } = database;
    let transactions = 0;
    const send = async (...call: Parameters<DynamoDBClient["send"]>) => {
      if (call[0] instanceof TransactWriteItemsCommand) await happens(++transactions);
      return await client.send(...call);
    };
    return dynamoDbBigSegments({ table, client: Object.assign(Object.create(client), { send }) })(
      createStoreContext(),
    );
  }

  async function rows(): Promise<readonly FoundRow[]> {
    const { Items = [] } = await database.client.send(
      new ScanCommand({ TableName: table, ConsistentRead: true }),
    );
    return Items;
  }

  async function bringBack(some: readonly FoundRow[]): Promise<void> {
    for (const { namespace = { S: "" }, key = { S: "" } } of await rows())
      await database.client.send(new DeleteItemCommand({ TableName: table, Key: { namespace, key } }));
    for (const Item of some) await database.client.send(new PutItemCommand({ TableName: table, Item }));
  }

  /** All members are there, the version, and nothing else. */
  async function expectTaken(): Promise<void> {
    const found = await rows();
    const metadata = { S: "big_segments_metadata" };
    expect(found).toContainEqual({ namespace: metadata, key: metadata, lastVersion: { S: "v1" } });
    expect(found).toHaveLength(1 + hashes.length);
  }

  test.each([
    { fate: "was emptied", turn: 2, kept: false },
    { fate: "was emptied", turn: 4, kept: false },
    { fate: "has gone back to where it had a part of the step", turn: 3, kept: true },
    { fate: "has gone back to where it had a part of the step", turn: 4, kept: true },
  ])(
    "a step in a table that $fate before transaction $turn is taken from the beginning",
    async ({ turn, kept }) => {
      let before: readonly FoundRow[] = [];
      const store = open(async (transaction) => {
        if (transaction === turn) await bringBack(before);
        if (transaction === 2 && kept) before = await rows();
      });
      await expect(store.apply(entering, never)).rejects.toThrow("a part of a step that was taken is gone");
      expect(await store.cursor(never)).toBeUndefined();
      expect(await store.apply(entering, never)).toBe(true);
      await expectTaken();
    },
  );

  const cutOff = (turn: number) =>
    open((transaction) => (transaction === turn ? Promise.reject(new Error("cut off")) : undefined));

  test("what a relay has left that was cut off holds up nobody, whichever step is next", async () => {
    await expect(cutOff(3).apply({ ...entering, version: "another" }, never)).rejects.toThrow("cut off");
    await expect(cutOff(3).apply(entering, never)).rejects.toThrow("cut off");
    await expect(cutOff(2).apply(entering, never)).rejects.toThrow("cut off");
    expect(await open().apply(entering, never)).toBe(true);
    await expectTaken();
  });

  test("whoever is in the middle of a step goes on when another is ahead in the same one", async () => {
    const outcomes: unknown[] = [];
    const other = cutOff(4);
    const store = open(async (transaction) => {
      if (transaction === 2)
        outcomes.push(await other.apply(entering, never).catch(({ message }) => message));
    });
    expect(await store.apply(entering, never)).toBe(true);
    expect(outcomes).toEqual(["cut off"]);
    await expectTaken();
  });

  test("whoever is in the middle of a step stops when another has gone on from there", async () => {
    const leaving = { add: [], remove: hashes };
    const leave = { ...entering, previousVersion: "v1", version: "v2", included: leaving };
    const taken: boolean[] = [];
    const ahead = open();
    const late = open(async (transaction) => {
      if (transaction === 2) taken.push(await ahead.apply(entering, never), await ahead.apply(leave, never));
    });
    expect(await late.apply(entering, never)).toBe(false);
    expect(taken).toEqual([true, true]);
    expect(await ahead.cursor(never)).toBe("v2");
    expect((await ahead.memberships("h0", never)).included).toEqual([]);
  });

  test("whoever comes to the end of a step that another has ended meanwhile has not done it", async () => {
    const taken: boolean[] = [];
    const late = open(async (transaction) => {
      if (transaction === 4) taken.push(await open().apply(entering, never));
    });
    expect(await late.apply(entering, never)).toBe(false);
    expect(taken).toEqual([true]);
    await expectTaken();
  });

  test("of three that take the same step at once one does, and the others see it done", async () => {
    const taken = await Promise.all([open(), open(), open()].map((store) => store.apply(entering, never)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await expectTaken();
  });
}

import { DynamoDBClient, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { createStoreContext } from "@wye/relay/testing";
import { expect, test } from "vitest";
import { dynamoDbBigSegments } from "../src/index.js";
import { localConnection } from "./test-database.js";

/** The least time of the processor that something took in some rounds, in milliseconds. */
async function cpuOf(rounds: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const began = process.cpuUsage();
    await run();
    least = Math.min(least, process.cpuUsage(began).user / 1000);
  }
  return least;
}

test("of a large step only the updates are made that are written next: the turn before the first takes no longer than noting who changes", async () => {
  const sent: number[] = [];
  const overridden: Pick<DynamoDBClient, "send"> = {
    async send({ input }: { input: { TransactItems?: readonly unknown[] } }) {
      if (input.TransactItems === undefined) return { Item: { lastVersion: { S: "of others" } } };
      sent.push(input.TransactItems.length);
      const CancellationReasons = [{ Code: "ConditionalCheckFailed" }];
      throw new TransactionCanceledException({ message: "cancelled", $metadata: {}, CancellationReasons });
    },
  };
  const client = Object.assign(new DynamoDBClient(localConnection(1)), overridden);
  const members = dynamoDbBigSegments({ table: "flags", client })(createStoreContext());
  const hashes = Array.from({ length: 200_000 }, (_, index) => `h${index}`);
  const [included, excluded] = [
    { add: hashes, remove: [] },
    { add: [], remove: [] },
  ];
  const large = { segmentId: "s.g1", previousVersion: "", version: "v1", included, excluded };
  const { signal } = new AbortController();
  const noting = await cpuOf(7, async () => {
    const noted = new Map<string, number>();
    for (const hash of hashes) noted.set(hash, (noted.get(hash) ?? 0) | 1);
    expect(noted.size).toBe(200_000);
  });
  const applying = await cpuOf(7, () => members.apply(large, signal));
  expect(sent).toEqual(Array(7).fill(100));
  expect(applying / noting).toBeLessThan(4);
});
